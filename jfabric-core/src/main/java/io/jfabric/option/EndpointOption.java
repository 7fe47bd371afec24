// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Amount;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Newer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * An option of an endpoint (fi_getopt, fi_endpoint(3)). Constants for the options every provider may have; those of a
 * single provider are made from their number. Sizes above {@link Long#MAX_VALUE}, which say that there is no limit, are
 * read as that.
 *
 * @param <T> the type of its values
 */
public final class EndpointOption<T> {
    /**
     * Free space, in bytes, below which a multi-receive buffer is given back: 1 means once it is full, and 0 is refused
     * with {@link IllegalArgumentException}, as with it the buffer would never be given back. To be set before the
     * endpoint is enabled: with shm and rxm of libfabric 2, which would ignore it, later throws
     * {@link IllegalStateException}.
     *
     * <p>On {@code shm}, {@code sm2}, {@code sockets} and {@code udp;ofi_rxd}, and on {@code ofi_rxm} of libfabric 2,
     * it is also a promise: a message that is longer may be written beyond the end of the buffer. Set it to the size of
     * the longest message that any peer sends; where peers are not trusted, post receives one by one, as they may send
     * more. There it must be set before the first buffer is posted, and cannot be changed afterwards. It holds for an
     * endpoint and its aliases.
     */
    public static final EndpointOption<Long> MIN_MULTI_RECV =
            ofAmount("FI_OPT_MIN_MULTI_RECV", Libfabric.FI_OPT_MIN_MULTI_RECV());
    /** Bytes that can go along with a connection request; read only. */
    public static final EndpointOption<Long> CM_DATA_SIZE =
            ofAmount("FI_OPT_CM_DATA_SIZE", Libfabric.FI_OPT_CM_DATA_SIZE());
    /** The least bytes of a buffered message that are reported; libfabric 1 only. */
    public static final EndpointOption<Long> BUFFERED_MIN =
            ofAmount("FI_OPT_BUFFERED_MIN", Libfabric.FI_OPT_BUFFERED_MIN());
    /** The most bytes of a buffered message that are reported; libfabric 1 only. */
    public static final EndpointOption<Long> BUFFERED_LIMIT =
            ofAmount("FI_OPT_BUFFERED_LIMIT", Libfabric.FI_OPT_BUFFERED_LIMIT());
    /** The provider's buffer for sends, in bytes. */
    public static final EndpointOption<Long> SEND_BUF_SIZE =
            ofAmount("FI_OPT_SEND_BUF_SIZE", Libfabric.FI_OPT_SEND_BUF_SIZE());
    /** The provider's buffer for receives, in bytes. */
    public static final EndpointOption<Long> RECV_BUF_SIZE =
            ofAmount("FI_OPT_RECV_BUF_SIZE", Libfabric.FI_OPT_RECV_BUF_SIZE());
    /** Size of the transmit context, in operations. */
    public static final EndpointOption<Long> TX_SIZE = ofAmount("FI_OPT_TX_SIZE", Libfabric.FI_OPT_TX_SIZE());
    /** Size of the receive context, in operations. */
    public static final EndpointOption<Long> RX_SIZE = ofAmount("FI_OPT_RX_SIZE", Libfabric.FI_OPT_RX_SIZE());
    /** Whether the NIC accesses device memory directly (peer to peer): 0 may, 1 must, 2 should, 3 must not. */
    public static final EndpointOption<Integer> HMEM_P2P =
            ofInt("FI_OPT_FI_HMEM_P2P", Libfabric.FI_OPT_FI_HMEM_P2P());
    /** Whether the provider may call CUDA. Can only be set. Since 1.18. */
    public static final EndpointOption<Boolean> CUDA_API_PERMITTED =
            ofBoolean("FI_OPT_CUDA_API_PERMITTED", Libfabric.FI_OPT_CUDA_API_PERMITTED());
    /** Whether the provider may use shared memory between processes of a host. Can only be set. Since 1.21. */
    public static final EndpointOption<Boolean> SHARED_MEMORY_PERMITTED =
            ofBoolean("FI_OPT_SHARED_MEMORY_PERMITTED", Libfabric.FI_OPT_SHARED_MEMORY_PERMITTED());
    /** Largest message, in bytes. Since 1.22. */
    public static final EndpointOption<Long> MAX_MSG_SIZE =
            ofAmount("FI_OPT_MAX_MSG_SIZE", Libfabric.FI_OPT_MAX_MSG_SIZE());
    /** Largest tagged message, in bytes. Since 1.22. */
    public static final EndpointOption<Long> MAX_TAGGED_SIZE =
            ofAmount("FI_OPT_MAX_TAGGED_SIZE", Libfabric.FI_OPT_MAX_TAGGED_SIZE());
    /** Largest remote memory access, in bytes. Since 1.22. */
    public static final EndpointOption<Long> MAX_RMA_SIZE =
            ofAmount("FI_OPT_MAX_RMA_SIZE", Libfabric.FI_OPT_MAX_RMA_SIZE());
    /** Largest atomic operation, in bytes. Since 1.22. */
    public static final EndpointOption<Long> MAX_ATOMIC_SIZE =
            ofAmount("FI_OPT_MAX_ATOMIC_SIZE", Libfabric.FI_OPT_MAX_ATOMIC_SIZE());
    /** Largest injected message, in bytes. Since 1.22. */
    public static final EndpointOption<Long> INJECT_MSG_SIZE =
            ofAmount("FI_OPT_INJECT_MSG_SIZE", Libfabric.FI_OPT_INJECT_MSG_SIZE());
    /** Largest injected tagged message, in bytes. Since 1.22. */
    public static final EndpointOption<Long> INJECT_TAGGED_SIZE =
            ofAmount("FI_OPT_INJECT_TAGGED_SIZE", Libfabric.FI_OPT_INJECT_TAGGED_SIZE());
    /** Largest injected write, in bytes. Since 1.22. */
    public static final EndpointOption<Long> INJECT_RMA_SIZE =
            ofAmount("FI_OPT_INJECT_RMA_SIZE", Libfabric.FI_OPT_INJECT_RMA_SIZE());
    /** Largest injected atomic operation, in bytes. Since 1.22. */
    public static final EndpointOption<Long> INJECT_ATOMIC_SIZE =
            ofAmount("FI_OPT_INJECT_ATOMIC_SIZE", Libfabric.FI_OPT_INJECT_ATOMIC_SIZE());

    /**
     * Whether peers cannot connect to this side: 0 or 1. Since 2.2, in tcp only, which has an int where the header says
     * that it is a bool.
     */
    public static final EndpointOption<Integer> FIREWALL_ADDR =
            ofInt("FI_OPT_FIREWALL_ADDR", Newer.OPT_FIREWALL_ADDR);

    private final String name;
    private final int code;
    private final long size;
    private final Function<MemorySegment, T> get;
    private final BiConsumer<MemorySegment, T> put;

    private static EndpointOption<Long> ofAmount(String name, int code) {
        return new EndpointOption<>(name, code, Long.BYTES, s -> Amount.of(s.get(JAVA_LONG_UNALIGNED, 0)),
                (s, v) -> s.set(JAVA_LONG_UNALIGNED, 0, v));
    }

    private EndpointOption(String name, int code, long size, Function<MemorySegment, T> get,
            BiConsumer<MemorySegment, T> put) {
        this.name = Objects.requireNonNull(name, "name");
        this.code = code;
        this.size = size;
        this.get = get;
        this.put = put;
    }

    /**
     * An option with a value of type {@code size_t} or {@code uint64_t}: its 64 bits, whatever they mean.
     *
     * @param name for messages, what C calls it
     * @param code its number
     * @return the option
     */
    public static EndpointOption<Long> ofLong(String name, int code) {
        return new EndpointOption<>(name, code, Long.BYTES, s -> s.get(JAVA_LONG_UNALIGNED, 0),
                (s, v) -> s.set(JAVA_LONG_UNALIGNED, 0, v));
    }

    /**
     * An option with a value of type {@code int}.
     *
     * @param name for messages, what C calls it
     * @param code its number
     * @return the option
     */
    public static EndpointOption<Integer> ofInt(String name, int code) {
        return new EndpointOption<>(name, code, Integer.BYTES, s -> s.get(JAVA_INT_UNALIGNED, 0),
                (s, v) -> s.set(JAVA_INT_UNALIGNED, 0, v));
    }

    /**
     * An option with a value of type {@code bool}.
     *
     * @param name for messages, what C calls it
     * @param code its number
     * @return the option
     */
    public static EndpointOption<Boolean> ofBoolean(String name, int code) {
        return new EndpointOption<>(name, code, JAVA_BYTE.byteSize(), s -> s.get(JAVA_BYTE, 0) != 0,
                (s, v) -> s.set(JAVA_BYTE, 0, (byte) (v ? 1 : 0)));
    }

    /**
     * The number C code uses.
     *
     * @return the value of the constant
     */
    public int code() {
        return code;
    }

    /**
     * How long a value is in C.
     *
     * @return in bytes
     */
    public long byteSize() {
        return size;
    }

    /**
     * Reads a value as C writes it.
     *
     * @param memory at least {@link #byteSize()} bytes, native or not
     * @return the value
     * @throws WrongThreadException if the memory is confined to another thread
     */
    public T decode(MemorySegment memory) {
        return get.apply(Buffers.accessible(name, memory, size));
    }

    /**
     * Writes a value as C reads it.
     *
     * @param memory at least {@link #byteSize()} bytes, native or not, not read-only
     * @param value the value
     * @throws WrongThreadException if the memory is confined to another thread
     */
    public void encode(MemorySegment memory, T value) {
        Objects.requireNonNull(value, () -> name + ": the value is null");
        put.accept(Buffers.accessible(name, memory, size), value);
    }

    /** The name C uses. */
    @Override
    public String toString() {
        return name;
    }
}
