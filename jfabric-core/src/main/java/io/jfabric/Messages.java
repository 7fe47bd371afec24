// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.endpoint.MessagesImpl;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;

/**
 * Sends and receives messages that match in order of arrival (fi_msg(3)). From {@link Endpoint#messages()}.
 *
 * <p>Every method that starts an operation returns true if the provider took it and false if it is busy
 * ({@code -FI_EAGAIN}): poll the completion queue, then call again. Buffers are native memory and belong to the
 * provider until the completion with the operation's context; none is copied. An injected buffer may be used again
 * at once and there is no completion. Where an address is asked for, connected endpoints ignore it.
 *
 * <p>Errors: {@link FabricException} from the provider, {@link IllegalArgumentException} for heap or read-only
 * buffers, {@link IndexOutOfBoundsException} for a part that is not inside its buffer, {@link IllegalStateException}
 * after closing. Threads: see {@link Endpoint}.
 */
public sealed interface Messages permits MessagesImpl {
    /**
     * Sends a buffer ({@code fi_send}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long destination, long context);

    /**
     * Sends a part of a buffer ({@code fi_send}); unlike a slice, this allocates nothing.
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, in bytes
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long offset, long length, long destination, long context);

    /**
     * Sends several buffers as one message ({@code fi_sendv}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean send(IoVector buffers, long destination, long context);

    /**
     * Sends a buffer and immediate data, which the peer finds in its completion ({@code fi_senddata}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long data, long destination, long context);

    /**
     * Sends several buffers with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffers the message
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    boolean send(IoVector buffers, long destination, long context, Flags<OperationFlag> flags);

    /**
     * Sends several buffers and immediate data with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffers the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    boolean sendData(IoVector buffers, long data, long destination, long context,
            Flags<OperationFlag> flags);

    /**
     * Sends a buffer with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffer the message
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    boolean send(MemorySegment buffer, long destination, long context, Flags<OperationFlag> flags);

    /**
     * Sends a buffer and immediate data with flags of the operation's own ({@code fi_sendmsg}).
     *
     * @param buffer the message
     * @param data the immediate data; the provider's {@code cqDataSize} bytes of it are sent
     * @param destination the peer
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags, {@link OperationFlag#REMOTE_CQ_DATA} added
     * @return false if the provider is busy
     */
    boolean sendData(MemorySegment buffer, long data, long destination, long context,
            Flags<OperationFlag> flags);

    /**
     * Sends a small buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long destination);

    /**
     * Sends a small part of a buffer that may be used again at once ({@code fi_inject}).
     *
     * @param buffer holds the message
     * @param offset where it starts, in bytes
     * @param length how long it is, at most {@code tx().injectSize()} bytes
     * @param destination the peer
     * @return false if the provider is busy
     */
    boolean inject(MemorySegment buffer, long offset, long length, long destination);

    /**
     * Sends a small buffer, which may be used again at once, and immediate data ({@code fi_injectdata}).
     *
     * @param buffer the message, at most {@code tx().injectSize()} bytes
     * @param data the immediate data
     * @param destination the peer
     * @return false if the provider is busy
     */
    boolean injectData(MemorySegment buffer, long data, long destination);

    /**
     * Posts a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from, where the domain has the capability {@code DIRECTED_RECV}, and
     *     then in the address vector; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long source, long context);

    /**
     * Posts a part of a buffer for a message ({@code fi_recv}).
     *
     * @param buffer takes the message
     * @param offset where the part starts, in bytes
     * @param length how long it is, in bytes
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long offset, long length, long source, long context);

    /**
     * Posts several buffers for one message ({@code fi_recvv}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    boolean receive(IoVector buffers, long source, long context);

    /**
     * Posts several buffers with flags of the operation's own ({@code fi_recvmsg}).
     *
     * @param buffers take the message in order
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    boolean receive(IoVector buffers, long source, long context, Flags<OperationFlag> flags);

    /**
     * Posts a buffer with flags of the operation's own ({@code fi_recvmsg}).
     *
     * @param buffer takes the message
     * @param source the only peer to take it from; {@link Address#ANY} for any
     * @param context comes back in the completion
     * @param flags replace the endpoint's default flags
     * @return false if the provider is busy
     */
    boolean receive(MemorySegment buffer, long source, long context, Flags<OperationFlag> flags);

    /**
     * Posts a large buffer that takes one message after the other ({@code FI_MULTI_RECV}). Each message completes
     * with the same context; the one with {@link CompletionFlag#MULTI_RECV} is the buffer's last. The queue must
     * report at least {@link CompletionFormat#DATA} to tell where each message is.
     *
     * @param buffer takes the messages
     * @param source the only peer to take them from; {@link Address#ANY} for any
     * @param context comes back in each completion
     * @return false if the provider is busy
     */
    boolean receiveMulti(MemorySegment buffer, long source, long context);
}
