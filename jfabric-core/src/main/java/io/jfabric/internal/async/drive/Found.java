// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.CompletionHandler;
import io.jfabric.async.Node;
import io.jfabric.internal.async.flow.Done;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Moved;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.ffi.Log;

/** Finds the operations to which a node's completions belong. For the thread that polls. */
final class Found implements CompletionHandler {
    private static final Log LOG = Log.of(Node.class);

    final Moved moved = new Moved();
    final Written written = new Written();
    private final Drive drive;
    private final Flow flow;
    /** Operations that are over and not completed yet. */
    private final Done done;
    /** Whether the last completion was an error. */
    boolean failed;

    Found(Drive drive, Flow flow, Done done) {
        this.drive = drive;
        this.flow = flow;
        this.done = done;
    }

    @Override
    public void onCompletion(Completion completion) {
        if (completion.is(CompletionFlag.REMOTE_WRITE)
                || completion.context() == 0 && completion.is(CompletionFlag.REMOTE_CQ_DATA)) {
            written(completion);
            return;
        }
        Operation<?> operation = flow.succeeded(completion.context());
        if (operation != null) {
            operation.succeeded(completion, moved);
            done.add(operation);
        }
    }

    /** A peer has written to this node's memory; with some providers that uses up a receive. */
    private void written(Completion completion) {
        if (completion.is(CompletionFlag.REMOTE_CQ_DATA)) {
            drive.afterwards(written.tell(completion.data()));
        }
        Operation<?> over = flow.usedUp(completion.context());
        if (over != null) {
            done.add(over);
        }
    }

    @Override
    public void onError(CompletionError error) {
        failed = true;
        Operation<?> operation = flow.release(error.context());
        if (operation != null) {
            operation.failed(error);
            done.add(operation);
        } else if (error.context() != 0) {
            LOG.debug("an operation that this node does not know has failed: {}", error);
        }
    }
}
