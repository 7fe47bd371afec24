// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;

/**
 * Receives messages that match in order of arrival (fi_msg(3)): what an endpoint and a context that endpoints share
 * have in common. From {@link Endpoint#messages()} and {@link SharedReceiveContext#messages()}.
 *
 * <p>Once a connection has ended ({@link FabricEvent.Shutdown} was read, or {@link Endpoint#shutdown} called) or was
 * refused, receives throw {@link FabricException} ({@code FI_ENOTCONN}), instead of waiting for nothing.
 *
 * <p>Busy providers, buffers, errors and threads: see {@link Messages}.
 */
@CheckReturnValue
public sealed interface MessageReceives permits Messages {
    /**
     * Posts a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param peer the only peer to take it from, where the domain has the capability {@code DIRECTED_RECV}, and
     *     then in the address vector; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long peer, long context);

    /**
     * Posts a part of a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param peer the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long offset, long length, long peer, long context);

    /**
     * Posts a large buffer that takes one message after the other ({@code FI_MULTI_RECV}). Each message completes
     * with the same context; {@link CompletionFlag#MULTI_RECV} says that nothing more comes into the buffer. That is in
     * the last message's completion or, with {@code shm} and {@code ofi_rxm}, in one of its own: it stands for no
     * message unless it has {@link CompletionFlag#RECV}, too, and comes even where only what asks for it is reported.
     * The queue must report at least {@link CompletionFormat#DATA} to tell where each message is. A message that fails
     * uses up its part only, unless the error has that flag.
     *
     * <p>Where {@link io.jfabric.option.EndpointOption#MIN_MULTI_RECV} is asked for, no peer may send a message longer
     * than that: it may be written beyond the end of the buffer.
     *
     * <p>With {@code tcp} and {@code ofi_rxm} of libfabric 1 the last message may be there before an earlier one, and
     * where endpoints with a queue each share a {@link SharedReceiveContext}, it may be read before others: reuse the
     * buffer when the lengths add up. An arena of jfabric's stays open until then; until the endpoint, or shared
     * context, is closed where that cannot be told, as after an error, or where a queue was closed unread, and where
     * the receive was cancelled: messages that are arriving then, or read after an error, may still complete, with
     * context 0; so may messages of 0 bytes that are read after the last.
     *
     * @param buffer takes the messages; at least 1 byte
     * @param peer the only peer to take them from; {@link Address#ANY} for any
     * @param context comes back in each completion
     * @return false if the provider is busy
     * @throws FabricException {@code FI_EOPNOTSUPP} if the endpoint was opened without
     *     {@link io.jfabric.info.Capability#MULTI_RECV}, which {@code udp} and connections of {@code tcp} do not have,
     *     or the provider needs {@link io.jfabric.option.EndpointOption#MIN_MULTI_RECV}
     */
    boolean receiveMulti(MemorySegment buffer, long peer, long context);

    /**
     * A receive that says all that {@code fi_recvmsg} can: several buffers, flags. For any number of posts.
     *
     * @return a request without buffers, from {@link Address#ANY}
     */
    MessageRequest receiveRequest();
}
