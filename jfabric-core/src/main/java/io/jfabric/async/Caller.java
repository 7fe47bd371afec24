// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.call.caller.CallerImpl;
import io.jfabric.internal.call.caller.CountedCaller;
import io.jfabric.internal.call.caller.LastingCaller;
import io.jfabric.internal.call.caller.Unhandled;
import io.jfabric.internal.ffi.Arguments;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Calls a {@link Service} of a peer: each call sends a request, and its future is the answer. Any number of threads,
 * platform or virtual, may call; thousands of calls can be under way. Calls beyond {@link CallerOptions#window()} wait
 * here in order, and when {@link CallerOptions#backlog()} calls wait, further ones are refused.
 *
 * <p>The future of a call that failed has a {@link FabricException} as its cause:
 * <ul>
 *   <li>a {@link CallException} with the text of what the handler threw, or what else failed in the service;
 *   <li>{@code FI_ETIMEDOUT} when the deadline has passed;
 *   <li>an {@link OverloadException} when this side's backlog is full ({@code FI_EAGAIN}), or the service is
 *       overloaded, or is or was closed while its node has other services or callers ({@code FI_EBUSY}; its handler has
 *       not seen the call then);
 *   <li>{@code FI_EMSGSIZE} when the request or the answer is larger than the other side allows;
 *   <li>{@code FI_ENOMEM} when there is no memory here for a long request or answer, or no place for that answer in the
 *       node's backlog: then the service has handled the call;
 *   <li>{@code FI_ECONNREFUSED} when the service has as many callers as it takes
 *       ({@link ServiceOptions#withCallers}), or the peer has other services or callers, but not this service, or not
 *       yet. (If it has none of them, nobody is there to say so, and calls wait for the service until their deadline);
 *   <li>{@code FI_ECONNRESET} when the service was closed, its process was started again, or it had given up this
 *       caller because its keep-alive had no answer from this node, or an answer could not be sent or received, as when
 *       the connection broke or its process was killed; whether it has seen the call is unknown;
 *   <li>{@code FI_EHOSTDOWN} when {@link KeepAlive} says that the peer is down; the caller is closed then, unless it
 *       was {@linkplain #open(KeepAlive, Address, int, CallerOptions) opened to last};
 *   <li>{@code FI_ECANCELED} when this caller, its peer or its node was closed, before the call or under it: the call
 *       itself does not throw because of that;
 *   <li>the provider's error when it could not send the request, such as {@code FI_ENOTCONN} after the peer has died,
 *       or on tcp after it has refused a read or write of its memory, which breaks the connection.
 * </ul>
 *
 * <p>{@link #wasNotHandled} tells which of these calls the service certainly has not handled: they failed with a
 * {@link NotHandledException}, whatever its error, or an {@link OverloadException}. When a connection breaks
 * although both processes live, a request or an answer may be lost without an error to its sender: such a call ends at
 * its deadline. So give calls one.
 *
 * <p>A request or answer of up to 16 KiB is one message (up to 4,032 bytes where the provider wants registered memory,
 * and never more than its messages can hold). Longer ones take a second message, and some of them a round trip
 * before it.
 *
 * <p>Short messages that follow one another share a message: the first goes at once, and those of up to 1 KiB that come
 * before its node has looked at its queue again go together then: at once, as a rule, and after a millisecond or two in
 * any case. So many calls under way cost few system calls on tcp.
 *
 * <p>A long request must reach the service within the deadline of the call, and within that of the service's node,
 * which is taken to be 30 seconds to an hour, counted from when it was announced ({@link NodeOptions#withDeadline}; 30
 * seconds by default). To send gigabytes, or many long requests at once, over a slow network, give the calls and the
 * service's node longer deadlines.
 *
 * <p>A long answer waits at the service until this process has made room for it: it does so by itself, but not while it
 * is stopped, or its node is not polled. The answer is given up, and the call fails with {@code FI_ECONNRESET}, after
 * what the call had left, taken to be 30 seconds to 5 minutes; until then it takes its memory and a place in
 * {@link ServiceOptions#withLimit}. Its sending then has the deadline of the service's node.
 *
 * <p>The deadline travels with the call; a service does not begin a call that is late. Cancelling a future drops the
 * answer; it does not stop the handler. A clock looks for late calls every 10 milliseconds; if it has not found one
 * when its answer comes, that succeeds. Those that it finds fail one after the other in another thread: with thousands
 * at once, or busy CPUs, tens or hundreds of milliseconds after their deadlines. Until then they count as
 * {@link #underWay} or {@link #waiting}.
 *
 * <p>The memory for an answer belongs to the program again when the future is done, with one exception. If an answer is
 * just being written there, the call ends somewhat later than its deadline, {@code cancel} or {@link #close()}: when
 * that is over, and of a long answer when libfabric has let go. {@code cancel} then returns false although the future
 * will be cancelled. If the peer stops in the middle of an answer, libfabric may not let go until the connection to it
 * breaks, or the node is closed. Memory of a {@link io.jfabric.FabricArena}, such as the node's, cannot be freed
 * before; so such a call fails two seconds later at the latest, and {@link Node#released} tells when the memory may be
 * used for something else. Any other memory the program could free, and the JVM would crash: that call does not end
 * before libfabric has let go.
 *
 * <p>The memory of a request, too, may still be read after a call has failed, especially if the request was
 * long: see {@link Node#released}. What it holds then is not sent, unless libfabric had it already.
 */
public sealed interface Caller extends AutoCloseable permits CountedCaller {
    /**
     * Opens a caller with {@link CallerOptions#DEFAULT}.
     *
     * @param peer where the service is; its node is used
     * @param service the number of the service, 0 to 65,535
     * @return the caller, to be closed; it greets the service in the background, and calls wait for that
     * @throws IllegalArgumentException if the number is out of its range
     * @throws IllegalStateException if the peer is at the end of a connection, or it or its node is closed
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static Caller open(Peer peer, int service) {
        return open(peer, service, CallerOptions.DEFAULT);
    }

    /**
     * Opens a caller.
     *
     * @param peer where the service is; its node is used
     * @param service the number of the service, 0 to 65,535
     * @param options how to open it
     * @return the caller, to be closed; it greets the service in the background, and calls wait for that
     * @throws IllegalArgumentException if the number is out of its range
     * @throws IllegalStateException if the peer is at the end of a connection, or it or its node is closed
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static Caller open(Peer peer, int service, CallerOptions options) {
        return CallerImpl.open(peer, service, options);
    }

    /**
     * Opens a caller that outlives the process of its service, with {@link CallerOptions#DEFAULT}; see
     * {@link #open(KeepAlive, Address, int, CallerOptions)}.
     *
     * @param alive notices when the peer is down; its node is used
     * @param address where the service is
     * @param service the number of the service, 0 to 65,535
     * @return the caller, to be closed
     * @throws IllegalArgumentException if the number is out of its range, or the provider cannot use the address
     * @throws IllegalStateException if the node or the keep-alive is closed
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits; the provider's error if it refuses the address for another reason than that
     *     nobody is there
     */
    static Caller open(KeepAlive alive, Address address, int service) {
        return open(alive, address, service, CallerOptions.DEFAULT);
    }

    /**
     * Opens a caller that outlives the process of its service, and may be opened before that is there. When the
     * keep-alive says that the peer is down, what is under way fails as with any caller, and so do further calls until
     * there is a peer at that address again; then calls go to that. It goes on trying until it is closed: 50 ms after
     * the end of the last peer, and later, once nobody has answered for long, up to a second after it. What was counted
     * goes on, too.
     *
     * <p>While nobody is at the address, calls fail with {@code FI_EHOSTDOWN}, and {@link #wasNotHandled} is true of
     * them: at once where the provider looks at the address first, as {@code shm} before libfabric 2.0 does; elsewhere
     * they wait until their deadline, or until the keep-alive says that nobody answers, within twice its interval. So
     * they do if somebody is there whom the provider cannot reach under that address, as {@code shm} since libfabric
     * 2.5 a process that has the name of one that was killed or has closed its node: then they say why, and so does the
     * log, once. It is tried again, but may never succeed: give each start a name of its own, and open another caller.
     *
     * <p>A service that is to be found again has an address that its program has chosen
     * ({@link io.jfabric.info.Hints#sourceAddress}), and a keep-alive on its node.
     *
     * @param alive notices when the peer is down; its node is used. Once it is closed, so is the caller, when it
     *     would look for the next peer
     * @param address where the service is
     * @param service the number of the service, 0 to 65,535
     * @param options how to open it
     * @return the caller, to be closed. {@link #peer} is a new one after each restart, and while nobody is there, one
     *     that has ended with {@code FI_EHOSTDOWN}, or will; {@link #isOpen} tells whether the caller is closed, not
     *     whether the service is there
     * @throws IllegalArgumentException if the number is out of its range, or the provider cannot use the address
     * @throws IllegalStateException if the node or the keep-alive is closed, or the provider cannot reach who has the
     *     address now
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits; the provider's error if it refuses the address for another reason than that
     *     nobody is there
     */
    static Caller open(KeepAlive alive, Address address, int service, CallerOptions options) {
        return LastingCaller.open(alive, address, service, options);
    }

    /**
     * Tells whether a call certainly was not handled, so that it, or another service, may be called again, whatever the
     * handler does. It is true
     * <ul>
     *   <li>of every {@link OverloadException} of a call: refused here, or by the service, as it has too much to do, or
     *       is or was closed;
     *   <li>of {@code FI_ECONNREFUSED};
     *   <li>of {@code FI_EMSGSIZE} (which will fail again) and {@code FI_ENOMEM} if that is because of the request, not
     *       of the answer;
     *   <li>of {@code FI_ETIMEDOUT} if the call was still waiting here, or if the service says that it was late;
     *   <li>of what calls fail with that were still waiting here, or began afterwards, when the caller, its peer or its
     *       node was closed or is down: {@code FI_ECANCELED}, {@code FI_EHOSTDOWN} and others.
     * </ul>
     *
     * <p>It is false of all else, such as {@link CallException}, {@code FI_ECONNRESET} and calls that were cancelled:
     * the handler may have seen the call, be at work on it, or see it later. So it is of failures of anything but
     * calls, such as of what follows on an answer.
     *
     * @param failure what the future of a call failed with, or one that was derived from it; also as the cause of a
     *     {@code CompletionException} or {@code ExecutionException}, or thrown by {@link Node#await}
     * @return true only if no handler has seen the call, nor will
     */
    static boolean wasNotHandled(Throwable failure) {
        return Unhandled.is(Arguments.given(failure, "Caller.wasNotHandled", "the failure"));
    }

    /**
     * Calls the service, with the deadline of the options.
     *
     * @param request the request, of any length; not to be changed before the future is done
     * @return the answer
     */
    CompletableFuture<byte[]> call(byte[] request);

    /**
     * Calls the service.
     *
     * @param request the request, of any length; not to be changed before the future is done
     * @param deadline how long it may take, more than 0; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return the answer
     * @throws IllegalArgumentException if the deadline is not more than 0
     */
    CompletableFuture<byte[]> call(byte[] request, Duration deadline);

    /**
     * Calls the service with memory for the answer, as {@link #call(MemorySegment, MemorySegment, Duration)} does, with
     * the deadline of the options.
     *
     * @param request the request; not to be changed or freed before the future is done
     * @param answer takes the answer; may be the memory of the request
     * @return the part of {@code answer} that was filled; fails with {@code FI_ETRUNC} if the answer is longer
     * @throws IllegalArgumentException if {@code answer} is read-only
     * @throws IllegalStateException if memory was freed before
     * @throws WrongThreadException if memory is confined to a thread, unless only callers make progress
     */
    CompletableFuture<MemorySegment> call(MemorySegment request, MemorySegment answer);

    /**
     * Calls the service; large requests and answers are sent from, and arrive in, native memory without a copy; memory
     * on the heap ({@link MemorySegment#ofArray(byte[])}) is copied. If a {@link io.jfabric.FabricArena} is closed too
     * early, the call fails; closing any other arena under way may crash the JVM.
     *
     * @param request the request; not to be changed or freed before the future is done
     * @param answer takes the answer; may be the memory of the request
     * @param deadline how long it may take, more than 0; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return the part of {@code answer} that was filled; fails with {@code FI_ETRUNC} if the answer is longer
     * @throws IllegalArgumentException if the deadline is not more than 0, or {@code answer} is read-only
     * @throws IllegalStateException if memory was freed before
     * @throws WrongThreadException if memory is confined to a thread, unless only callers make progress
     */
    CompletableFuture<MemorySegment> call(MemorySegment request, MemorySegment answer, Duration deadline);

    /**
     * Calls the service with a request in several parts, as {@link #call(List, MemorySegment, Duration)} does, with the
     * deadline of the options.
     *
     * @param request the parts, none of them to be changed or freed before the future is done
     * @param answer takes the answer; may be memory of the request
     * @return the part of {@code answer} that was filled; fails with {@code FI_ETRUNC} if the answer is longer
     * @throws IllegalArgumentException if {@code answer} is read-only
     * @throws IllegalStateException if memory was freed before
     * @throws WrongThreadException if memory is confined to a thread, unless only callers make progress
     */
    CompletableFuture<MemorySegment> call(List<MemorySegment> request, MemorySegment answer);

    /**
     * Calls the service with a request whose parts lie apart, a header and what it is about, for example. The service
     * gets them as one request, one behind the other. All else is as with
     * {@link #call(MemorySegment, MemorySegment, Duration)}: a large request is sent from where its parts are, without
     * a copy; those on the heap are copied. Only if there are more than a message may have ({@code tx().iovLimit()} of
     * {@link Node#info()}), or the provider needs it in one piece ({@code ofi_rxm}, above 16 KiB), all of it is copied.
     *
     * @param request the parts, in this order, as many as wished: none for an empty request; none of them to be changed
     *     or freed before the future is done. The list is read before this returns: later changes of it have no effect
     * @param answer takes the answer; may be memory of the request
     * @param deadline how long it may take, more than 0; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return the part of {@code answer} that was filled; fails with {@code FI_ETRUNC} if the answer is longer
     * @throws IllegalArgumentException if the deadline is not more than 0, or {@code answer} is read-only
     * @throws IllegalStateException if memory was freed before
     * @throws WrongThreadException if memory is confined to a thread, unless only callers make progress
     */
    CompletableFuture<MemorySegment> call(List<MemorySegment> request, MemorySegment answer, Duration deadline);

    /**
     * Where the service is.
     *
     * @return the peer; of a lasting caller the latest, which has ended if nobody is there
     */
    Peer peer();

    /**
     * How many calls are with the service, or on their way to it.
     *
     * @return 0 to the window
     */
    int underWay();

    /**
     * How many calls wait here.
     *
     * @return 0 to the backlog
     */
    int waiting();

    /**
     * How many calls were answered: with an answer, or by a {@link CallException}.
     *
     * @return since it was opened; each call is counted once, when its future is done
     */
    long answered();

    /**
     * How many calls were refused with an {@link OverloadException}, raised on this side or by the service.
     *
     * @return since it was opened
     */
    long refused();

    /**
     * How many calls failed with {@code FI_ETIMEDOUT} because their deadline had passed.
     *
     * @return since it was opened
     */
    long late();

    /**
     * How many calls ended in any other way, including those the program cancelled.
     *
     * @return since it was opened
     */
    long failed();

    /**
     * Tells whether calls can be made.
     *
     * @return false once it or its node is closed
     */
    boolean isOpen();

    /**
     * Fails all calls with {@code FI_ECANCELED} and says goodbye to the service, without waiting for it. The last
     * caller or service of its node also takes back the receives for their messages, some hundreds, one after the other
     * with the provider: that takes milliseconds, and up to seconds where far more threads want to run than there are
     * processors. Closing again does nothing.
     */
    @Override
    void close();
}
