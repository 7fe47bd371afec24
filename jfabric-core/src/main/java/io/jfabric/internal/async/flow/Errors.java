// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.CompletionError;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.ffi.Errno;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What futures fail with. */
public final class Errors {
    /** The call that registers memory which the program has not registered, where the provider wants that. */
    private static final String REGISTRATION = "fi_mr_reg";

    /** What providers report if nobody listens at an address, some of them only for endpoints of the same process. */
    private static final Set<Integer> UNREACHABLE = Stream.of(FabricError.ENOENT, FabricError.ECONNREFUSED,
            FabricError.EHOSTUNREACH, FabricError.ENETUNREACH, FabricError.EHOSTDOWN).map(e -> (int) e.code())
            .collect(Collectors.toSet());

    /** What they report if an underlying connection breaks, for everything that was under way on it. */
    private static final Set<Integer> BROKEN = Stream.of(FabricError.ECANCELED, FabricError.ENOTCONN,
            FabricError.ECONNRESET, FabricError.ECONNABORTED).map(e -> (int) e.code())
            .collect(Collectors.toSet());

    private static final String NO_MESSAGE = "no such message has arrived: did the peer send one, with this tag?";
    private static final String REGION = "is its region with this key still open, long enough, and registered for that "
            + "(MemoryAccess.REMOTE_READ, REMOTE_WRITE)?";

    private Errors() {
    }

    static FabricException of(Operation<?> operation, CompletionError error) {
        StringBuilder more = new StringBuilder();
        if (error.providerErrno() != 0) {
            more.append(ofProvider(error));
        }
        if (error.overflow() != 0) {
            more.append(more.isEmpty() ? "" : "; ").append(Long.toUnsignedString(error.overflow()))
                    .append(" bytes did not fit into the buffer");
        } else if (error.errno() == Errno.ETRUNC) {
            more.append(more.isEmpty() ? "" : "; ").append("the message is longer than that");
        }
        Counterpart peer = operation.peer();
        if ((error.errno() == Errno.ECANCELED || error.errno() == Errno.ENOTCONN) && peer != null
                && peer.isConnection()) {
            // some providers cancel what is under way when the other side has gone, or notice that only when they send
            return peer.isOpen() ? gone(operation) : ofPeer(operation, peer.whyEnded());
        }
        String remedy = remedy(operation, error.errno());
        return FabricException.of(operation.described(), error.errno(),
                more.append(more.isEmpty() || remedy.isEmpty() ? "" : "; ").append(remedy).toString());
    }

    /** The provider's text, without what the error's own text says already. */
    private static String ofProvider(CompletionError error) {
        String own = FabricError.textOf(error.errno());
        if (error.text().startsWith(own + ", ")) {
            return error.text().substring(own.length() + 2);
        }
        // some report the same number, negated
        return error.text().equals(own) || Math.abs(error.providerErrno()) == error.errno() ? ""
                : "provider: " + error.text() + " (" + error.providerErrno() + ")";
    }

    private static String remedy(Operation<?> operation, int errno) {
        if (isForbidden(operation, errno)) {
            return "a firewall of this machine forbids it (nft, iptables)";
        }
        if (UNREACHABLE.contains(errno)) {
            return "the provider does not reach the peer: is it running, and does it have this address?";
        }
        if (BROKEN.contains(errno) && !operation.waitsForOthers()) {
            return "the connection broke, as it does when the peer ends, or refuses something that was under way to "
                    + "it, maybe not this" + (operation.usesRegion() ? "; if this: " + REGION : "");
        }
        return operation.usesRegion() && errno != Errno.ETIMEDOUT
                ? "if the peer lives, it has refused that: " + REGION : "";
    }

    /** What the kernel says to a program that sends what a rule of its firewall drops. */
    private static boolean isForbidden(Operation<?> operation, int errno) {
        return errno == FabricError.EPERM.code() && operation.peer() != null && operation.peer().address().isInet();
    }

    private static FabricException gone(Operation<?> operation) {
        return FabricException.of(operation.described(), FabricError.ECONNRESET.code(), "the peer is gone");
    }

    /** Whether the provider is just busy: not if it has no room for registering more memory. */
    static boolean isBusy(FabricException refusal) {
        return refusal.errno() == Errno.EAGAIN
                || refusal.errno() == Errno.ENOMEM && !REGISTRATION.equals(refusal.operation());
    }

    static FabricException late(Operation<?> operation, int phase) {
        return FabricException.of(operation.described(), Errno.ETIMEDOUT, "the deadline has passed; "
                + (phase == Operation.POSTED ? unanswered(operation)
                : "the operation could not be started: the peer does not answer, or accepts nothing, or an earlier "
                        + "read or write that it has refused holds up what follows, or a limit of NodeOptions was "
                        + "reached (" + operation.lane + ")"));
    }

    private static String unanswered(Operation<?> operation) {
        if (operation.waitsForOthers()) {
            return NO_MESSAGE;
        }
        return "the provider accepted the operation but has not completed it: the peer " + (operation.usesRegion()
                ? "may not poll, may be gone, or may have refused it: " + REGION
                : "may have posted no receive for the message, may not poll, or may be gone");
    }

    /** For a receive that the provider has not ended: whether a message was arriving is unknown. */
    static FabricException incomplete(Operation<?> operation) {
        return FabricException.of(operation.described(), Errno.ETIMEDOUT, "the deadline has passed; the receive was "
                + "given up, but the provider has not ended it after as long as the node's operations may take: a "
                + "message for it may have begun to arrive, from a peer that has ended or stands still; it is lost");
    }

    static FabricException notCancelled(Operation<?> operation) {
        return FabricException.of(operation.described(), Errno.ETIMEDOUT, "the deadline has passed; " + NO_MESSAGE
                + " The provider cannot cancel the receive: it takes the next such message, which is lost");
    }

    static OverloadException full(Operation<?> operation, int limit) {
        return new OverloadException(operation.described(), FabricError.EAGAIN, "the backlog is full: " + limit
                + " operations wait to be started (NodeOptions.withBacklog); wait for some of them first");
    }

    /** For an operation with a peer that has ended, for this reason or, if that is null, by the program. */
    public static FabricException ofPeer(Operation<?> operation, FabricException why) {
        if (why == null) {
            return closed(operation, "peer");
        }
        FabricException gone = FabricException.of(operation.described(), why.errno(), "the peer is gone");
        gone.initCause(why);
        return gone;
    }

    /** Why an operation cannot begin whose connection has ended; null if it has none, or that is open. */
    static FabricException ended(Operation<?> operation) {
        Counterpart peer = operation.peer();
        return peer == null || !peer.isConnection() || peer.isOpen() ? null : ofPeer(operation, peer.whyEnded());
    }

    /** What to fail with if the provider refuses: the connection's end, or the refusal with the peer named. */
    static FabricException refused(Operation<?> operation, FabricException refusal) {
        FabricException ended = ended(operation);
        Counterpart peer = operation.peer();
        boolean unreachable = UNREACHABLE.contains(refusal.errno()) || isForbidden(operation, refusal.errno());
        if (ended != null || peer == null || !peer.isConnection() && !unreachable) {
            return ended == null ? refusal : ended;
        }
        FabricException named = refusal.errno() == Errno.ENOTCONN ? gone(operation)
                : FabricException.of(operation.described(), refusal.errno(), unreachable
                        ? remedy(operation, refusal.errno())
                        : refusal.errno() == Errno.EOPNOTSUPP ? unsupported(operation, refusal) : "");
        named.initCause(refusal);
        return named;
    }

    /** For a connection. Most carry no tags, whatever was asked for: then the text of the refusal would not help. */
    private static String unsupported(Operation<?> operation, FabricException refusal) {
        if (operation.isTagged()) {
            return "this connection carries no tags: send and receive without one, or open the nodes with Hints.rdm()";
        }
        String known = FabricError.textOf(refusal.errno()) + "; ";
        int end = refusal.getMessage().indexOf(known);
        return end < 0 ? "" : refusal.getMessage().substring(end + known.length());
    }

    public static FabricException closed(Operation<?> operation, String what) {
        return FabricException.of(operation.described(), Errno.ECANCELED, "the " + what + " was closed");
    }
}
