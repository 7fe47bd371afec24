// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.CmOps;
import io.jfabric.ffi.EpOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Signals;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;

/**
 * What sends and receives (fi_endpoint(3)). Bind queues and, unless it is connected, an address vector; enable it;
 * then use {@link #messages()}, {@link #tagged()} and the other families of operations.
 *
 * <p>How many threads may use it at once is the domain's threading level. Operations allocate nothing, take a
 * {@code long} context that comes back in the completion, and return false where the provider is busy
 * ({@code -FI_EAGAIN}): poll the completion queue and try again.
 */
public final class Endpoint extends FabricObject {
    private final Domain domain;
    private final FabricInfo info;
    private final ContextSlab slab;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Made when first needed. */
    private ContextSlab claims;
    private final Messages messages;
    private final TaggedMessages tagged;
    /** Whether operations need descriptors or message prefixes, which takes the long way. */
    private final boolean prepared;
    private final boolean nativeContexts;
    private final LocalBuffers localBuffers;
    private final long transmitFlags;
    private final long receiveFlags;
    private final long injectLimit;
    private boolean transmitCompletes;
    private boolean receiveCompletes;
    private ShmName shmName;

    Endpoint(Domain domain, long handle, FabricInfo info) {
        super(domain, handle);
        this.domain = domain;
        this.info = info.duplicate();
        this.nativeContexts = domain.requires(Mode.CONTEXT) || domain.requires(Mode.CONTEXT2)
                || info.mode().contains(Mode.CONTEXT) || info.mode().contains(Mode.CONTEXT2)
                || info.tx().mode().contains(Mode.CONTEXT) || info.tx().mode().contains(Mode.CONTEXT2)
                || info.rx().mode().contains(Mode.CONTEXT) || info.rx().mode().contains(Mode.CONTEXT2);
        this.slab = new ContextSlab(domain.contexts(), nativeContexts);
        boolean localRegistration = domain.requires(MrMode.LOCAL) || info.mode().contains(Mode.LOCAL_MR);
        boolean prefix = info.mode().contains(Mode.MSG_PREFIX) && info.endpoint().messagePrefixSize() > 0;
        this.prepared = localRegistration || prefix;
        this.localBuffers = prepared
                ? new LocalBuffers(domain, prefix ? info.endpoint().messagePrefixSize() : 0, localRegistration) : null;
        this.transmitFlags = info.tx().operationFlags().bits();
        this.receiveFlags = info.rx().operationFlags().bits();
        this.injectLimit = info.tx().injectSize();
        this.messages = new Messages(this);
        this.tagged = new TaggedMessages(this);
    }

    /**
     * The domain this endpoint belongs to.
     *
     * @return the domain
     */
    public Domain domain() {
        return domain;
    }

    /**
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint
     */
    public FabricInfo info() {
        return info;
    }

    /**
     * Binds a completion queue ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @param flags for which operations, at least one of {@link BindFlag#TRANSMIT} and {@link BindFlag#RECEIVE}
     * @return this
     */
    public Endpoint bind(CompletionQueue queue, BindFlag... flags) {
        long bits = BindFlag.bits(flags);
        if ((bits & (BindFlag.TRANSMIT.code() | BindFlag.RECEIVE.code())) == 0) {
            throw new IllegalArgumentException(
                    "bind: say which completions go to the queue, TRANSMIT or RECEIVE or both");
        }
        bind("fi_ep_bind", queue, bits);
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        transmitCompletes |= (bits & BindFlag.TRANSMIT.code()) != 0 && !selective;
        receiveCompletes |= (bits & BindFlag.RECEIVE.code()) != 0 && !selective;
        return this;
    }

    /**
     * Binds an address vector ({@code fi_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     */
    public Endpoint bind(AddressVector vector) {
        bind("fi_ep_bind", vector, 0);
        return this;
    }

    /**
     * Binds an event queue, for connection events ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @return this
     */
    public Endpoint bind(EventQueue queue) {
        bind("fi_ep_bind", queue, 0);
        return this;
    }

    /**
     * Binds a counter ({@code fi_ep_bind}).
     *
     * @param counter the counter
     * @param first an operation to count
     * @param others more operations
     * @return this
     */
    public Endpoint bind(Counter counter, BindFlag first, BindFlag... others) {
        bind("fi_ep_bind", counter, first.code() | BindFlag.bits(others));
        return this;
    }

    /**
     * Puts the endpoint into service ({@code fi_enable}).
     *
     * @return this
     */
    public Endpoint enable() {
        int result = Signals.keep(() -> FidOps.control(handle(), Libfabric.FI_ENABLE(), 0));
        check("fi_enable", result, result == -Errno.EADDRINUSE ? "another endpoint has the address "
                + info.sourceAddress().map(Address::toString).orElse("") : null);
        if (info.provider().equals("shm") && shmName == null) {
            shmName = ShmName.of(address());
        }
        return this;
    }

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint is enabled.
     *
     * @return the address
     */
    public Address address() {
        byte[] bytes = Names.read("fi_getname", (buffer, length) -> CmOps.getname(handle(), buffer, length));
        return Address.ofCode(formatOf(bytes), bytes);
    }

    // FI_SOCKADDR stands for either; the family in the bytes says which
    private int formatOf(byte[] bytes) {
        int code = info.addressFormatCode();
        return code == AddressFormat.FORMAT_UNSPEC.code() && bytes.length > 0 && bytes[bytes.length - 1] == 0
                && bytes[0] == 'f' ? (int) AddressFormat.ADDR_STR.code() : code;
    }

    /**
     * Messages without tags.
     *
     * @return the operations
     */
    public Messages messages() {
        return messages;
    }

    /**
     * Tagged messages.
     *
     * @return the operations
     */
    public TaggedMessages tagged() {
        return tagged;
    }

    /**
     * Cancels an operation ({@code fi_cancel}). If it had not completed, it completes with the error
     * {@code FI_ECANCELED}.
     *
     * @param context what the operation was posted with; where several have the same, one of them
     * @return false if no operation with this context is under way
     */
    public boolean cancel(long context) {
        long fid = handle();
        long token = slab.find(context);
        if (token == 0) {
            return false;
        }
        long result = EpOps.cancel(fid, token);
        if (result == -Errno.ENOENT) {
            return false;
        }
        check("fi_cancel", result, null);
        return true;
    }

    /** Whether this is a connected endpoint, which needs no destination. */
    boolean isConnected() {
        return info.endpoint().type() == EndpointType.MSG;
    }

    boolean prepared() {
        return prepared;
    }

    LocalBuffers localBuffers() {
        return localBuffers;
    }

    synchronized ContextSlab claims() {
        if (claims == null) {
            claims = new ContextSlab(domain.contexts(), true);
        }
        return claims;
    }

    /** The flags of operations that have none of their own. */
    long transmitFlags() {
        return transmitFlags;
    }

    /** The flags of receives that have none of their own. */
    long receiveFlags() {
        return receiveFlags;
    }

    ContextSlab slab() {
        return slab;
    }

    /** The token for an operation of this side; 0 where nothing will report its completion. */
    long transmitToken(long context, Object keep) {
        return transmitCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN) : unreported(context, keep);
    }

    /** The token for a receive; 0 where nothing will report its completion. */
    long receiveToken(long context, Object keep) {
        return receiveCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN) : unreported(context, keep);
    }

    /** The token for an operation of this side with flags of its own. */
    long transmitToken(long context, Object keep, byte kind, long flags) {
        return transmitCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? slab.acquire(context, keep, kind) : unreported(context, keep);
    }

    /** The token for a receive with flags of its own. */
    long receiveToken(long context, Object keep, byte kind, long flags) {
        return receiveCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? slab.acquire(context, keep, kind) : unreported(context, keep);
    }

    /** Where no completion comes, nothing tells when a slot is free: only a provider that writes to it gets one. */
    private long unreported(long context, Object keep) {
        return nativeContexts ? slab.acquire(context, keep, ContextSlab.PLAIN) : 0;
    }

    /** shm copies whatever it is told to into a slot of fixed size; so what C may assume is checked here. */
    void checkInject(String operation, long length) {
        if (length > injectLimit) {
            throw FabricException.of(operation, Errno.EMSGSIZE, length + " bytes, provider " + info.provider()
                    + advice(operation, -Errno.EMSGSIZE));
        }
    }

    /** An operation that the provider did not take: true never, false to try again, else an exception. */
    boolean refused(String operation, long result, long token) {
        domain.contexts().cancel(token);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw FabricException.of(operation, result, "provider " + info.provider() + ", "
                + info.endpoint().type().nativeName() + advice(operation, result));
    }

    private String advice(String operation, long result) {
        return switch ((int) -result) {
            case Errno.ENOSYS -> "; it does not have the operation, ask for the capability in the hints";
            case 258 -> "; is the endpoint enabled?";
            case Errno.EINVAL, Errno.EMSGSIZE -> operation.contains("inject")
                    ? "; inject takes at most " + info.tx().injectSize() + " bytes"
                    : "; the largest message is " + info.endpoint().maxMessageSize() + " bytes";
            default -> "";
        };
    }

    @Override
    String kind() {
        return "endpoint";
    }

    @Override
    int closeRank() {
        return CloseRank.ENDPOINT;
    }

    @Override
    void closed() {
        slab.close();
        if (claims != null) {
            claims.close();
        }
        if (localBuffers != null) {
            localBuffers.close();
        }
        if (shmName != null) {
            shmName.closed();
        }
        info.close();
    }
}
