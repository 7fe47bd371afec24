// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.async.CallHandler;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Log;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs the handler of a service, on the executor of its options, for calls that are in time. */
final class Handling {
    private static final Log LOG = Log.of(Service.class);
    private static final ScopedValue<Inside> INSIDE = ScopedValue.newInstance();

    private final ServiceImpl service;
    private final CallHandler handler;
    private final Executor executor;
    private final boolean direct;
    private final Completing completing;
    private final IncomingEnds ends;
    private final Seldom failures = new Seldom();
    private final Seldom refusals = new Seldom();

    /** The calls that this thread is handling, innermost first: to wait for one of them would be in vain. */
    private record Inside(IncomingCall call, Inside outer) {
    }

    /** The executor may be the node's; {@code completing} is the node's, too. */
    Handling(ServiceImpl service, CallHandler handler, Completing completing, IncomingEnds ends) {
        this.service = service;
        this.handler = handler;
        this.executor = service.options().executor();
        this.direct = executor == NodeOptions.DIRECT;
        this.completing = completing;
        this.ends = ends;
    }

    /** Hands a call to the handler. */
    void dispatch(IncomingCall call) {
        if (direct && call.block == null) {
            // it came just now, and cannot be late
            handle(call);
            return;
        }
        if (direct) {
            handleInTime(call);
            return;
        }
        try {
            executor.execute(completing.task(executor, () -> handleInTime(call)));
        } catch (RuntimeException | Error e) {
            refuse(call, e);
        }
    }

    /** The executor has rejected it, as overload, or fails. */
    private void refuse(IncomingCall call, Throwable failure) {
        ends.refuse(call);
        int times = failure instanceof RejectedExecutionException ? 0 : refusals.happened();
        if (times > 0) {
            LOG.error("service {} refuses calls, as its executor fails{}", service.number(), Seldom.since(times),
                    failure);
        }
    }

    private void handleInTime(IncomingCall call) {
        if (!call.isOpenAt(service)) {
            // the executor has refused it, and runs it nevertheless: some queue a task before they look for a thread
            return;
        }
        if (call.isLate() && !service.isClosed()) {
            ends.giveUp(call);
        } else {
            handle(call);
        }
    }

    private void handle(IncomingCall call) {
        if (service.isClosed()) {
            ends.drop(call);
            return;
        }
        try {
            Inside inside = new Inside(call, INSIDE.isBound() ? INSIDE.get() : null);
            ScopedValue.where(INSIDE, inside).call(() -> {
                handler.handle(call);
                return null;
            });
        } catch (Throwable e) {
            failed(call, e);
        }
    }

    /** Logs a failure that the handler has not given to the call: the caller gets only its text, and may ignore it. */
    void failed(IncomingCall call, Throwable failure) {
        boolean answered = !call.claim();
        if (!answered) {
            ends.fail(call, failure);
        }
        String when = answered ? " after it had answered" : "";
        if (failure instanceof Error) {
            // this thread may be the node's, and the calls of others are not to end with it
            LOG.error("the handler of service {} failed{}", service.number(), when, failure);
            return;
        }
        int times = failures.happened();
        if (times > 0) {
            LOG.warn("the handler of service {} failed{}{}", service.number(), when, Seldom.since(times), failure);
        } else {
            LOG.debug("the handler of service {} failed{}", service.number(), when, failure);
        }
    }

    void refuseToWaitForItself() {
        for (Inside one = INSIDE.isBound() ? INSIDE.get() : null; one != null; one = one.outer) {
            if (one.call.isOpenAt(service)) {
                throw new IllegalStateException("Service.drain: the handler that drains it would wait for its own "
                        + "call: answer that first, or drain it in another thread");
            }
        }
    }
}
