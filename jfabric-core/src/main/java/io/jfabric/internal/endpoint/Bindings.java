// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.EventQueue;
import io.jfabric.FabricException;
import io.jfabric.SharedReceiveContext;
import io.jfabric.SharedTransmitContext;
import io.jfabric.Waitable;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.Constants;
import io.jfabric.internal.info.EndpointAttributesImpl;
import io.jfabric.internal.library.Signals;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.queue.WaitObjects;
import io.jfabric.internal.quirk.ListeningSocket;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.quirk.guard.CountedMessages;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What an endpoint is bound to, and what it must be bound to before it is enabled. One thread at a time binds and
 * enables: the caller holds the fabric's lock.
 */
final class Bindings {
    private static final long DEPARTURES = BindFlag.TRANSMIT.code() | BindFlag.READ.code() | BindFlag.WRITE.code();
    private static final long ARRIVALS = BindFlag.RECV.code() | BindFlag.REMOTE_WRITE.code()
            | BindFlag.REMOTE_READ.code();

    private final EndpointImpl endpoint;
    private final EndpointState state;
    private final EndpointRole role;
    private boolean eventQueue;
    private boolean sharedTransmit;
    private boolean sharedReceive;
    private AddressVectorImpl spareVector;
    /** Whether a queue or counter is bound, but none that has a wait object. */
    private boolean noneWaits;
    private boolean anyBound;
    /** The flags of all counters. */
    private long counted;
    private boolean failed;
    private String why;
    private boolean unclosable;

    Bindings(EndpointImpl endpoint, EndpointState state, EndpointRole role) {
        this.endpoint = endpoint;
        this.state = state;
        this.role = role;
    }

    void bind(CompletionQueue queue, BindFlag first, BindFlag... others) {
        long bits = Constants.bits("fi_ep_bind", first, others);
        if ((bits & (BindFlag.TRANSMIT.code() | BindFlag.RECV.code())) == 0) {
            throw new IllegalArgumentException(
                    "bind: say which completions go to the queue, TRANSMIT or RECV or both");
        }
        Objects.requireNonNull(queue, "fi_ep_bind: the completion queue is null");
        checkDirection(bits);
        checkEarly();
        boolean again = (bits & BindFlag.TRANSMIT.code()) != 0 && state.contexts().hasTransmitQueue()
                || (bits & BindFlag.RECV.code()) != 0 && state.contexts().hasReceiveQueue();
        if (again) {
            // some providers put one list into two, and never let go of the second
            throw new IllegalStateException("fi_ep_bind: the " + endpoint.kind() + " has a completion queue for that "
                    + "direction already");
        }
        if (noneWaits && queue.requestedWaitObject() != WaitObject.NONE
                && state.domain().quirks().has(Quirk.FIRST_QUEUE_DECIDES)) {
            throw new IllegalStateException("fi_ep_bind: a queue without a wait object is bound already, and the "
                    + "provider can wait for none from then on: bind the one with a wait object first");
        }
        bindCounted((CompletionQueueImpl) queue, bits);
        bound(queue);
        state.contexts().queueBound((CompletionQueueImpl) queue, bits);
    }

    private void bindCounted(CompletionQueueImpl queue, long bits) {
        CountedMessages counted = state.counted();
        if (counted == null) {
            endpoint.bind("fi_ep_bind", queue, bits);
            return;
        }
        counted.takeRoom(queue, bits);
        try {
            endpoint.bind("fi_ep_bind", queue, bits);
        } catch (RuntimeException | Error notBound) {
            counted.giveBack(queue, bits);
            throw notBound;
        }
    }

    void bind(AddressVector vector) {
        if (endpoint.isConnected()) {
            // some providers take it, and never let go of it
            throw new IllegalStateException("fi_ep_bind: a connected endpoint has no use for an address vector");
        }
        Objects.requireNonNull(vector, "fi_ep_bind: the address vector is null");
        checkEarly();
        endpoint.bindOnce("fi_ep_bind", (AddressVectorImpl) vector);
    }

    void bind(EventQueue queue) {
        if (role != EndpointRole.ENDPOINT) {
            // connecting by it would lose the connection of the whole endpoint
            throw new IllegalStateException("fi_ep_bind: what happens to the connection of this " + endpoint.kind()
                    + " is reported to the whole endpoint: bind the event queue to that");
        }
        endpoint.bindOnce("fi_ep_bind", (EventQueueImpl) queue);
        endpoint.connection().reportsToQueue();
        eventQueue = true;
    }

    void bind(SharedTransmitContext context) {
        checkShares("transmit", state.info().endpoint().txContextCount(), sharedTransmit);
        checkEarly();
        endpoint.bind("fi_ep_bind", (SharedTransmitContextImpl) context, 0);
        sharedTransmit = true;
    }

    void bind(SharedReceiveContext context) {
        checkShares("receive", state.info().endpoint().rxContextCount(), sharedReceive);
        checkEarly();
        endpoint.bind("fi_ep_bind", context == null ? null : ((SharedReceiveContextImpl) context).endpoint(), 0);
        sharedReceive = true;
        state.rights().receiveElsewhere();
    }

    void bind(Counter counter, BindFlag first, BindFlag... others) {
        Objects.requireNonNull(first, "fi_ep_bind: say what is counted");
        Objects.requireNonNull(counter, "fi_ep_bind: the counter is null");
        checkEarly();
        long bits = first.code() | Constants.bits("fi_ep_bind", others);
        checkDirection(bits);
        if (role == EndpointRole.SHARED_RECEIVE_CONTEXT && state.domain().quirks().has(Quirk.COUNTS_NO_SHARED)) {
            throw FabricException.of("fi_ep_bind", Errno.ENOSYS, "provider " + state.info().provider() + " takes a "
                    + "counter for a shared receive context, and counts nothing: bind one for RECV to each endpoint");
        }
        if (state.domain().quirks().has(Quirk.EARLY_TAGGED_UNCOUNTED)
                && state.info().endpoint().type() != EndpointType.MSG
                && state.info().capabilities().contains(Capability.TAGGED)) {
            throw FabricException.of("fi_ep_bind", Errno.ENOSYS, "provider " + state.info().provider() + " would crash "
                    + "at a tagged message that comes before its receive: ask for other capabilities than TAGGED in "
                    + "the hints, or use a completion queue");
        }
        if ((bits & counted) != 0) {
            // some shared receive contexts take it, and never let go of the one before
            throw new IllegalStateException("fi_ep_bind: the " + endpoint.kind() + " has a counter for that already; "
                    + "there is one for each flag");
        }
        if ((bits & ARRIVALS) != 0) {
            ((CounterImpl) counter).roles().counts("fi_ep_bind", true);
        }
        if ((bits & BindFlag.TRANSMIT.code()) != 0) {
            ((CounterImpl) counter).roles().counts("fi_ep_bind", false);
        }
        endpoint.bind("fi_ep_bind", (CounterImpl) counter, bits);
        ((CounterImpl) counter).counted().add(endpoint, bits, endpoint.isConnected());
        counted |= bits;
        bound(counter);
    }

    private void bound(Waitable waitable) {
        boolean waits = waitable.requestedWaitObject() != WaitObject.NONE;
        noneWaits = !waits && (noneWaits || !anyBound);
        anyBound = true;
    }

    /**
     * Refuses the direction that a context is not for: a provider may put it into the queue's list then and never take
     * it out, or take a counter that counts nothing.
     */
    private void checkDirection(long bits) {
        long wrong = bits & ((role.transmits ? 0 : DEPARTURES) | (role.receives ? 0 : ARRIVALS));
        if (wrong != 0) {
            String names = Flags.ofBits(BindFlag.class, wrong).toSet().stream().map(BindFlag::name)
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException("fi_ep_bind: a " + role + " does not "
                    + (role.transmits ? "receive" : "transmit") + ": leave " + names + " out");
        }
    }

    private void checkEarly() {
        endpoint.fid();
        if (endpoint.isEnabled()) {
            throw new IllegalStateException("fi_ep_bind: the " + endpoint.kind() + " is enabled already, bind before "
                    + "that");
        }
    }

    /**
     * Call before fi_setname: one provider closes the socket that it listens on, and never listens on the new one;
     * another makes a new connection identifier, without what the old one has: queue pair, event queue, or request.
     */
    void checkUnnamed() {
        if (endpoint.isEnabled()) {
            throw new IllegalStateException("fi_setname: the " + endpoint.kind() + " is enabled; set its address "
                    + "before");
        }
        if (endpoint.connection().isFromRequest()) {
            throw new IllegalStateException("fi_setname: the endpoint answers a connection request, and has the "
                    + "address that was asked for");
        }
        if (endpoint.isConnected() && eventQueue) {
            throw new IllegalStateException("fi_setname: set the address before binding the event queue; on some "
                    + "providers the queue would not be told of the connection");
        }
    }

    boolean hasEventQueue() {
        return eventQueue;
    }

    /** Before fi_enable. */
    void checkReady() {
        if (failed) {
            throw new IllegalStateException("fi_enable: it failed before, and provider "
                    + state.domain().info().provider() + " cannot try again; close the endpoint and open another");
        }
        endpoint.fid();
        if (role == EndpointRole.TRANSMIT_CONTEXT || role == EndpointRole.RECEIVE_CONTEXT) {
            Readiness.checkVector(endpoint.destinations().hasVector());
        }
        if (role.receives) {
            state.multiReceives().checkDefault(state.receiveFlags());
        }
        if (role != EndpointRole.ENDPOINT) {
            return;
        }
        Readiness.checkVector(endpoint.isConnected() || endpoint.used(AddressVectorImpl.class) != null);
        if (sharedReceive && !state.contexts().reportsAllReceives(0)) {
            // which endpoint will have taken a receive is known when that is reported, and not before
            throw new IllegalStateException("fi_enable: bind a completion queue for RECV, without "
                    + "SELECTIVE_COMPLETION: nothing else tells when a receive of a shared receive context is over");
        }
        Readiness.checkQueues(state.info(), state.contexts().hasTransmitQueue(), state.contexts().hasReceiveQueue());
        checkShared("SharedTransmitContext", state.info().endpoint().txContextCount(), sharedTransmit);
        checkShared("SharedReceiveContext", state.info().endpoint().rxContextCount(), sharedReceive);
    }

    /** Last step before fi_enable: tells shared contexts who uses them, and binds what the provider must have. */
    void complete() {
        endpoint.eachUsed(used -> {
            if (used instanceof EndpointImpl shared) {
                shared.state().contexts().reportsWith(state.contexts());
            }
        });
        if (role == EndpointRole.ENDPOINT) {
            countWrites();
            StallWatch.begin();
        }
    }

    /** Binds a counter that nobody reads, where injected writes are safe only if they are counted. */
    private void countWrites() {
        boolean writesCounted = (counted & BindFlag.WRITE.code()) != 0;
        if (!writesCounted && state.info().capabilities().contains(Capability.RMA)
                && state.domain().quirks().has(Quirk.UNCOUNTED_INJECTED_WRITES)) {
            DomainState domain = state.domain();
            endpoint.bind("fi_ep_bind", domain.unwatched(() -> CounterImpl.open(domain,
                    CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE), null)), BindFlag.WRITE.code());
            counted |= BindFlag.WRITE.code();
        }
    }

    // Without it, operations would go nowhere
    private void checkShared(String what, long contextCount, boolean bound) {
        if (contextCount == EndpointAttributesImpl.SHARED_CONTEXT && !bound
                && !state.domain().quirks().has(Quirk.UNTRUE_INFOS)) {
            throw new IllegalStateException("fi_enable: the endpoint was opened for a " + what + ": bind one first");
        }
    }

    // a provider may lose track of its lists in either case
    private static void checkShares(String direction, long contextCount, boolean bound) {
        if (contextCount != EndpointAttributesImpl.SHARED_CONTEXT) {
            throw new IllegalStateException("fi_ep_bind: the endpoint was not opened for a shared " + direction
                    + " context; set the context count of endpoint() in the hints to SHARED_CONTEXT");
        }
        if (bound) {
            throw new IllegalStateException("fi_ep_bind: a shared " + direction + " context is bound already");
        }
    }

    void closing() {
        if (spareVector == null && role == EndpointRole.ENDPOINT) {
            spareVector = MissingVector.bindBeforeClose(endpoint);
        }
        if (endpoint.isEnabled() || !state.domain().quirks().has(Quirk.CLOSE_NEEDS_ENABLE)) {
            bindForClose();
        }
        if (state.domain().quirks().has(Quirk.WAITS_REMEMBER_ENDPOINTS)) {
            endpoint.eachUsed(WaitObjects::pollOnly);
        }
    }

    /** Makes postponed bindings: providers close what they have been bound to, and some look for it. */
    private void bindForClose() {
        for (boolean done = false; !done;) {
            try {
                endpoint.bindPostponed();
                done = true;
            } catch (FabricException refused) {
                // it would have been refused without the delay, too
            }
        }
    }

    /**
     * fi_enable; gives its result. Where the provider looks into all that is bound, nobody polls between binding and
     * enabling, nor after a failure.
     */
    int enable(Presence presence, Consumer<String> breakDown) {
        int[] result = {-1};
        Runnable attempt = () -> {
            try {
                endpoint.bindPostponed();
                result[0] = Signals.keep(() -> endpoint.call(fid ->
                        FidOps.control(fid, Libfabric.FI_ENABLE(), 0)));
                result[0] = result[0] < 0 ? result[0] : presence.enabled(endpoint::address);
                if (result[0] >= 0 && listens()) {
                    ListeningSocket.limitWaits(endpoint::address);
                }
            } finally {
                if (result[0] < 0) {
                    why = presence.whyNot(result[0], state.info());
                    notEnabled(result[0], breakDown);
                }
            }
        };
        if (endpoint.postponesBindings()) {
            endpoint.exclusively(attempt);
        } else {
            attempt.run();
        }
        if (result[0] >= 0) {
            EarlyTags.enabled(endpoint, state);
            Wildcards.enabled(endpoint, state);
        }
        return result[0];
    }

    /** Whether anybody may connect to it, and keep polling threads waiting. */
    private boolean listens() {
        return role == EndpointRole.ENDPOINT && !endpoint.isConnected()
                && state.domain().quirks().has(Quirk.STRANGERS_STOP_PROGRESS);
    }

    /** Why the last attempt failed; null if the error says it all. */
    String whyNot() {
        return endpoint.isOpen() ? why : (why == null ? "" : why + "; ") + "the endpoint is closed: open another";
    }

    private void notEnabled(int result, Consumer<String> breakDown) {
        Quirks quirks = state.domain().quirks();
        // with ENOCQ, nothing was made yet
        unclosable = quirks.has(Quirk.FAILED_ENABLE_FREES) && result != -Errno.ENOCQ;
        failed = unclosable || quirks.has(Quirk.FAILED_ENABLE_LEAKS);
        if (!endpoint.postponesBindings()) {
            return;
        }
        if (!unclosable && !quirks.has(Quirk.CLOSE_NEEDS_ENABLE)) {
            endpoint.close();
        } else if (result != -Errno.EADDRINUSE || quirks.has(Quirk.CLOSE_NEEDS_ENABLE)) {
            // a taken port is noticed last, when all is there that a poll looks into; a taken name, first
            breakDown.accept("an endpoint that uses it could not be enabled, and the provider cannot close it");
        }
    }

    /** Makes the last progress; false if the provider must never close the endpoint. */
    boolean mayClose(boolean enabled) {
        if (unclosable) {
            return false;
        }
        if (!enabled) {
            return !state.domain().quirks().has(Quirk.CLOSE_NEEDS_ENABLE);
        }
        if (!endpoint.isConnected() && state.domain().quirks().has(Quirk.REQUESTS_OUTLIVE_ENDPOINTS)) {
            // with its domain that has been done, and what is closed by now must not be asked any more
            if (!state.domain().isClosing()) {
                LastProgress.ofRequests(endpoint);
            }
        } else if (state.domain().quirks().has(Quirk.CLOSE_FORGETS_CONNECTIONS)) {
            endpoint.eachUsed(LastProgress::of);
        }
        return ArrivingData.hasEnded(endpoint);
    }

    void closed() {
        if (spareVector != null) {
            spareVector.close();
        }
    }
}
