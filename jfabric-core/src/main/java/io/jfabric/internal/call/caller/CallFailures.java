// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.NotHandledException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.function.Supplier;

/** What a caller's calls fail with. Programs know nothing of a call's messages: their failures are only causes. */
final class CallFailures {
    private final PeerImpl peer;
    private final int service;
    private final CallerOptions options;
    private final Supplier<FabricException> closed;
    private final OverloadException full;
    private final OverloadException nodeIsFull;
    private final OverloadException busy;
    private final OverloadException closing;

    /** {@code closed} says what new calls fail with if the caller is closed; it gives null while the caller is open. */
    CallFailures(PeerImpl peer, int service, CallerOptions options, Supplier<FabricException> closed) {
        this.peer = peer;
        this.service = service;
        this.options = options;
        this.closed = closed;
        this.full = new OverloadException(what(), FabricError.EAGAIN, "the backlog is full: " + options.backlog()
                + " calls wait (CallerOptions.withBacklog); wait for some of them first");
        this.nodeIsFull = new OverloadException(what(), FabricError.EAGAIN, "the node's backlog is full "
                + "(NodeOptions.withBacklog); wait for some of its operations first");
        this.busy = new OverloadException(what(), FabricError.EBUSY, "the service is overloaded; call again later");
        this.closing = new OverloadException(what(), FabricError.EBUSY, "the service is about to be closed, or was, "
                + "and has not begun the call; call another, or again when it is back");
    }

    /** Too many calls wait. */
    OverloadException full() {
        return full;
    }

    /** The service takes no more calls now. */
    OverloadException busy(boolean isClosing) {
        return isClosing ? closing : busy;
    }

    /** A request is too long. */
    FabricException tooLong(long length, long most) {
        return unhandled(FabricError.EMSGSIZE, "a request of " + length + " bytes is more than the service takes, "
                + "which is " + most + ": the smaller of ServiceOptions.withLargestRequest and withLargeBytes");
    }

    /** An answer is too long. */
    FabricException tooLong(long length) {
        return of(FabricError.EMSGSIZE, "an answer of " + length + " bytes is more than "
                + options.largestAnswer() + " (CallerOptions.withLargestAnswer)");
    }

    /** A call fails that no handler sees. */
    NotHandledException unhandled(FabricError error, String detail) {
        return new NotHandledException(what(), error, detail);
    }

    FabricException of(FabricError error, String detail) {
        return FabricException.of(what(), error.code(), detail);
    }

    FabricException of(FabricError error, String detail, Exception cause) {
        return (FabricException) of(error, detail).initCause(cause);
    }

    /** A message of the call failed, of which the program knows nothing: the call fails with that as the cause. */
    Throwable ofCall(Throwable failure) {
        return switch (NodeFuture.cause(failure)) {
            case OverloadException _ -> nodeIsFull;
            case NotHandledException known -> known;
            case FabricException message -> ofMessage(message);
            case IllegalStateException met -> closedMeanwhile(met);
            case Throwable why -> why;
        };
    }

    /** The same for a call of which nothing was sent. */
    Throwable ofUnsent(Throwable failure) {
        return switch (ofCall(failure)) {
            case OverloadException known -> known;
            case NotHandledException known -> known;
            case FabricException known -> new NotHandledException(known);
            case Throwable why -> why;
        };
    }

    /** Whether the caller, its peer or its node was closed. */
    boolean isOver() {
        return closed.get() != null || peer.whatIsClosed() != null;
    }

    /** The failure of whatever was closed meanwhile; {@code met} itself if that was memory of the program. */
    RuntimeException closedMeanwhile(IllegalStateException met) {
        FabricException own = closed.get();
        FabricException why = own != null ? own : peer.whyEnded();
        String what = peer.whatIsClosed();
        if (why != null || what == null) {
            return why == null ? met : why;
        }
        return of(FabricError.ECANCELED, "the " + what + " was closed", met);
    }

    FabricException ofMessage(FabricException message) {
        return isOwn(message) ? message : of(message.error(), detail(message), message);
    }

    /** Whether it is the failure of a call, not of a message. */
    boolean isOwn(FabricException failure) {
        return failure.operation().equals(what());
    }

    /** What the message says besides the operation and the error. */
    private static String detail(FabricException message) {
        String text = message.getMessage();
        int at = text.indexOf("; ", message.operation().length());
        return at < 0 ? "" : text.substring(at + 2);
    }

    String what() {
        return Unhandled.CALL + service + " at " + peer.address();
    }
}
