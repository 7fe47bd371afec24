// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Parts;
import io.jfabric.internal.call.wire.Resending;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** How the calls of a service end: answered, failed, given up as late, or dropped as the service is closed. */
final class IncomingEnds {
    /** The longest text of a failure, in bytes. */
    private static final int LONGEST_TEXT = 4000;

    private final ServiceImpl service;
    private final ServiceLink link;

    IncomingEnds(ServiceImpl service, ServiceLink link) {
        this.service = service;
        this.link = link;
    }

    /** Answers a call that was claimed. */
    CompletableFuture<Void> answer(IncomingCall call, MemorySegment[] answer) {
        MemorySegment frame = call.buffer.segment();
        long length = Parts.length(answer);
        if (length <= call.connection.inlineBytes()) {
            try {
                // the request is there, and parts of it may be the answer's
                MemorySegment[] parts = answer.length > 1 && Parts.areIn(answer, frame) ? Parts.joined(answer) : answer;
                Parts.copy(parts, frame, Frame.HEADER);
            } catch (IllegalStateException freed) {
                return freed(call, freed);
            }
            finish(call, Frame.ANSWER, length);
            return CompletableFuture.completedFuture(null);
        }
        call.answeredWith(answer);
        try {
            return call.roomFor(Frame.ANSWER, length) != null ? link.answerNow(call, answer)
                    : link.answerLater(call, answer);
        } catch (IllegalStateException freed) {
            return freed(call, freed);
        }
    }

    /** Memory was freed before an answer was sent: the node's own with the node, or that of the answer. */
    private CompletableFuture<Void> freed(IncomingCall call, IllegalStateException freed) {
        if (service.node().isOpen()) {
            fail(call, freed);
            throw freed;
        }
        end(call);
        call.buffer.close();
        return CompletableFuture.failedFuture(new IllegalStateException("Call.answer: the node is closed", freed));
    }

    /** Throws unless the node was closed while the handler ran: then there is nobody to answer. */
    private static void nobodyWaits(MemorySegment frame, IllegalStateException freed) {
        if (frame.scope().isAlive()) {
            throw freed;
        }
    }

    /** Fails a call that was claimed. */
    void fail(IncomingCall call, Throwable why) {
        // the caller may have less room than this side
        MemorySegment frame = call.buffer.segment().asSlice(0, Frame.HEADER + Math.min(LONGEST_TEXT,
                call.connection.inlineBytes()));
        int length;
        try {
            length = Frame.text(frame, text(NodeFuture.cause(why)));
        } catch (IllegalStateException freed) {
            nobodyWaits(frame, freed);
            end(call);
            return;
        }
        finish(call, Frame.FAILURE, length);
    }

    /** The text of a failure; a program's exception may fail to give one. */
    private static String text(Throwable why) {
        String text;
        try {
            text = why.toString();
        } catch (RuntimeException | Error e) {
            text = null;
        }
        return text != null ? text : why.getClass().getName();
    }

    /** The call came before the service was closed, and is no longer handled: the goodbye says so, or has. */
    void drop(IncomingCall call) {
        if (call.claim()) {
            service.cutOff();
            Resending release = link.releasing(call, Frame.LATE, 0);
            end(call);
            call.buffer.close();
            release.send();
        }
    }

    /** The request did not come, or the call is late. */
    void giveUp(IncomingCall call) {
        if (service.isClosed()) {
            drop(call);
        } else if (call.claim()) {
            service.countLate();
            finish(call, Frame.LATE, 0);
        }
    }

    /** The same, for a reason that the caller is to know. */
    void lose(IncomingCall call, Throwable why) {
        if (service.isClosed()) {
            drop(call);
        } else if (call.claim()) {
            fail(call, why);
        }
    }

    /** There is no place or thread for the call now. */
    void refuse(IncomingCall call) {
        if (call.claim()) {
            service.countRefusal();
            finish(call, Frame.BUSY, 0);
        }
    }

    private void end(IncomingCall call) {
        service.leave(call.connection);
        call.giveBack();
    }

    /** Sends what is in the call's buffer, which is free afterwards. */
    void finish(IncomingCall call, int type, long length) {
        // its place is free before the caller knows, as it may call again at once
        service.freePlace();
        call.giveBack();
        Resending release = link.releasing(call, type, length);
        try {
            link.answer(call, type, length);
        } catch (IllegalStateException freed) {
            service.told(call.connection);
            nobodyWaits(call.buffer.segment(), freed);
        }
        release.send();
    }
}
