// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.Counter;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_mr_attr;
import io.jfabric.bindings.fi_mr_modify;
import io.jfabric.bindings.fi_mr_raw_attr;
import io.jfabric.bindings.fid_mr;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.RemoteKeys;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** {@link MemoryRegion}. */
public final class MemoryRegionImpl extends FidObject implements MemoryRegion {
    private static final Log LOG = Log.of(MemoryRegion.class);
    /** A device may write to memory with any of these rights. */
    private static final long FILLABLE = MemoryAccess.RECV.code() | MemoryAccess.READ.code()
            | MemoryAccess.REMOTE_WRITE.code() | MemoryAccess.COLLECTIVE.code();

    private final DomainState domain;
    private final List<MemorySegment> buffers;
    private final MemoryRegionAttributes.Dmabuf dmabuf;
    private final long access;
    private final long byteSize;
    private final RegionHold hold;
    private final String name;
    /** The descriptor that local operations find. */
    private final long localDescriptor;
    private final boolean isDescribed;
    /** The regions of the buffers behind the first, where each has a key of its own. */
    private final List<MemoryRegionImpl> others = new ArrayList<>();
    private volatile boolean bound;

    public MemoryRegionImpl(DomainState domain, FidObject parent, long handle, List<MemorySegment> buffers,
            MemoryRegionAttributes.Dmabuf dmabuf, long access, boolean device, RegionHold hold) {
        // where operations carry its descriptor, or its keys are the endpoint's, it is used by calls that name others
        super(parent, handle, !domain.wantsDescriptors());
        this.hold = hold;
        this.domain = domain;
        this.buffers = buffers;
        // confined memory is not freed when forgotten, and leads to its thread, which may lead to this
        tracker().keeps(buffers.stream().filter(Buffers::isForAnyThread).toList());
        this.dmabuf = dmabuf;
        this.access = access;
        this.byteSize = dmabuf != null ? dmabuf.length()
                : buffers.stream().mapToLong(MemorySegment::byteSize).sum();
        this.name = toString();
        domain.activity().registered(byteSize);
        // main memory is used without, where only a device's needs one
        isDescribed = domain.registersLocally() || device && domain.wantsDescriptors();
        localDescriptor = Memory.getLong(handle + fid_mr.mem_desc$offset());
        for (MemorySegment buffer : described()) {
            domain.localRegions().add(buffer, localDescriptor, (access & FILLABLE) != 0);
        }
        if (MemoryCheck.ON) {
            domain.contexts().memoryCheck().registered(tracker(), name, buffers);
        }
    }

    /** Call before anybody else knows this. No closer may come in between, and the others are closed with this. */
    void registerOthers(List<MemorySegment> behind, Function<MemorySegment, MemoryRegionImpl> register) {
        locked(() -> behind.forEach(buffer -> others.add(register.apply(buffer))));
    }

    @Override
    public MemorySegment memory() {
        return buffers.isEmpty() ? MemorySegment.NULL : buffers.getFirst();
    }

    @Override
    public List<MemorySegment> buffers() {
        return others.isEmpty() ? buffers
                : Stream.concat(buffers.stream(), others.stream().map(MemoryRegionImpl::memory)).toList();
    }

    @Override
    public long byteSize() {
        return byteSize + others.stream().mapToLong(MemoryRegionImpl::byteSize).sum();
    }

    @Override
    public Flags<MemoryAccess> access() {
        return Flags.ofBits(MemoryAccess.class, access);
    }

    @Override
    public RemoteRegion remote() {
        if (!others.isEmpty()) {
            throw new IllegalStateException("remote: provider " + domain.info().provider() + " has a key for each of "
                    + "the " + buffers().size() + " buffers; use remote(index)");
        }
        if (buffers.size() > 1 && domain.requires(MrMode.VIRT_ADDR)) {
            throw new IllegalStateException("remote: provider " + domain.info().provider() + " uses virtual "
                    + "addresses, and those of " + buffers.size() + " buffers are not one range; use remote(index)");
        }
        return remote(base(), byteSize);
    }

    @Override
    public RemoteRegion remote(int index) {
        int count = buffers.size() + others.size();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("remote: there is no buffer " + index + ", the region has " + count);
        }
        if (index >= buffers.size()) {
            return others.get(index - buffers.size()).remote();
        }
        MemorySegment buffer = buffers.get(index);
        long before = buffers.subList(0, index).stream().mapToLong(MemorySegment::byteSize).sum();
        return remote(domain.requires(MrMode.VIRT_ADDR) ? buffer.address() : before, buffer.byteSize());
    }

    private boolean isMemoryAlive() {
        return buffers.stream().allMatch(buffer -> buffer.scope().isAlive());
    }

    private void checkMemory(String operation) {
        if (!isMemoryAlive()) {
            throw new IllegalStateException(operation + ": the arena of the region's memory is closed; keep it open as "
                    + "long as the region, or allocate from Domain.openArena()");
        }
    }

    private RemoteRegion remote(long base, long length) {
        checkMemory("remote");
        long key = key();
        if (key != RemoteKeys.NO_KEY && !domain.requires(MrMode.RAW)) {
            return RemoteRegion.of(base, length, key);
        }
        try {
            return raw(base, length);
        } catch (FabricException e) {
            if (domain.requires(MrMode.RAW)) {
                throw e;
            }
            throw new IllegalStateException("remote: the region has no key yet; bind(endpoint) and enable() it first",
                    e);
        }
    }

    @Override
    public long key() {
        return call(mr -> Memory.getLong(mr + fid_mr.key$offset()));
    }

    @Override
    public long descriptor() {
        return call(mr -> Memory.getLong(mr + fid_mr.mem_desc$offset()));
    }

    /** The address a peer uses for the first byte. */
    private long base() {
        if (!domain.requires(MrMode.VIRT_ADDR)) {
            return 0;
        }
        return dmabuf == null ? memory().address() : dmabuf.base() + dmabuf.offset();
    }

    @Override
    public RemoteRegion.Raw rawKey() {
        return raw(0, 0).rawKey().orElseThrow();
    }

    private RemoteRegion raw(long base, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rawBase = arena.allocate(ValueLayout.JAVA_LONG);
            byte[] raw = rawKey(rawBase);
            return RemoteRegion.ofRaw(base, length, rawBase.get(ValueLayout.JAVA_LONG, 0), raw);
        }
    }

    private byte[] rawKey(MemorySegment base) {
        return Names.read("fi_mr_raw_attr", (buffer, length) -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attr = Structs.allocate(arena, fi_mr_raw_attr.layout());
                fi_mr_raw_attr.base_addr(attr, base);
                fi_mr_raw_attr.raw_key(attr, MemorySegment.ofAddress(buffer));
                fi_mr_raw_attr.key_size(attr, MemorySegment.ofAddress(length));
                return call(mr -> FidOps.control(mr, Libfabric.FI_GET_RAW_MR(), attr.address()));
            }
        });
    }

    @Override
    public MemoryRegionImpl bind(Endpoint endpoint) {
        FidObject endpointImpl = (FidObject) Objects.requireNonNull(endpoint, "fi_mr_bind: the endpoint is null");
        checkRelated("fi_mr_bind", endpointImpl);
        if (domain.requires(MrMode.ENDPOINT)) {
            noLongerApart();
            bind("fi_mr_bind", endpointImpl, 0);
            bound = true;
            others.forEach(other -> other.bind(endpoint));
        } else {
            handle();
            endpointImpl.fid();
        }
        return this;
    }

    @Override
    public MemoryRegionImpl bind(Counter counter) {
        CounterImpl counterImpl = (CounterImpl) counter;
        noLongerApart();
        bind("fi_mr_bind", counterImpl, Libfabric.FI_REMOTE_WRITE());
        bound = true;
        others.forEach(other -> other.bind(counter));
        return this;
    }

    @Override
    public MemoryRegionImpl enable() {
        handle();
        if (domain.requires(MrMode.ENDPOINT) || domain.requires(MrMode.RMA_EVENT)) {
            check("fi_mr_enable", call(mr -> FidOps.control(mr, Libfabric.FI_ENABLE(), 0)),
                    bound ? null : "bind the region to its endpoint first");
            others.forEach(MemoryRegionImpl::enable);
        }
        return this;
    }

    @Override
    public MemoryRegionImpl registerPart(MemoryRegionAttributes attributes) {
        Objects.requireNonNull(attributes, "attributes");
        checkMemory("fi_mr_regattr");
        if (!buffers.isEmpty()) {
            Registrable.checkParts("fi_mr_regattr", attributes.buffers(), buffers());
        }
        MemoryRegionImpl[] part = new MemoryRegionImpl[1];
        // locked, so that nobody closes: to be inside the domain would not keep this open
        locked(() -> {
            part[0] = Registration.of(domain, this, attributes);
            noLongerApart();
        });
        return part[0];
    }

    @Override
    public void refresh() {
        refresh(0, 0);
    }

    @Override
    public void refresh(List<MemorySegment> parts) {
        handle();
        // read once: what is checked is what the provider gets
        List<MemorySegment> copy = Arguments.all("fi_mr_refresh", "a part",
                Arguments.given(parts, "fi_mr_refresh", "the list of parts").toArray(MemorySegment[]::new));
        Registrable.checkParts("fi_mr_refresh", copy, buffers());
        try (Arena arena = Arena.ofConfined()) {
            refresh(Registration.iov("fi_mr_refresh", arena, copy).address(), copy.size());
        }
    }

    private void refresh(long iov, long count) {
        checkMemory("fi_mr_refresh");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment modify = Structs.allocate(arena, fi_mr_modify.layout());
            MemorySegment attr = fi_mr_modify.attr(modify);
            fi_mr_attr.mr_iov(attr, MemorySegment.ofAddress(iov));
            fi_mr_attr.iov_count(attr, count);
            int result = call(mr -> FidOps.control(mr, Libfabric.FI_REFRESH(), modify.address()));
            check("fi_mr_refresh", result, null);
        }
    }

    @Override
    public String kind() {
        return "memory region";
    }

    /** With what tells it from others of a program. */
    @Override
    public String toString() {
        return super.toString() + " of " + byteSize + " bytes for " + access();
    }

    /**
     * Providers follow the descriptor of an operation until it is over. All threads are kept out meanwhile, as the
     * region does not stand apart, so that none begins one. If it is bound to an endpoint, which cannot be closed
     * before it, there would be no way out.
     */
    @Override
    protected void checkClosable() {
        if (!isDescribed || isBoundToEndpoint()) {
            return;
        }
        List<MemorySegment> memory = buffers().stream().filter(buffer ->
                domain.localRegions().wasFound(buffer, localDescriptor)).toList();
        List<String> uses = domain.contexts().underWayOfOpen(kept -> usesDescriptor(kept, memory));
        if (!uses.isEmpty()) {
            throw inUse(uses.getFirst() + " uses the memory", "read its completion first, or close its endpoint");
        }
        List<String> silent = memory.stream().flatMap(buffer -> domain.contexts().unreportedIn(buffer)).toList();
        if (!silent.isEmpty()) {
            throw inUse("operations of " + silent.getFirst() + " use the memory, and report no completion",
                    "close the endpoint first");
        }
    }

    private FabricException inUse(String by, String remedy) {
        return FabricException.of("fi_close(memory region)", Errno.EBUSY, by + ", with provider "
                + domain.info().provider() + " by its registration: " + remedy + ". Memory of the domain's own arenas "
                + "(Domain.openArena) has another one");
    }

    private boolean usesDescriptor(Object kept, List<MemorySegment> memory) {
        boolean[] uses = new boolean[1];
        KeptMemory.forEach(kept, segment -> uses[0] |= segment.byteSize() > 0
                && memory.stream().anyMatch(mine -> overlap(mine, segment))
                && !domain.localRegions().isInBlock(segment));
        return uses[0];
    }

    private static boolean overlap(MemorySegment one, MemorySegment other) {
        return one.address() < other.address() + other.byteSize() && other.address() < one.address() + one.byteSize();
    }

    private boolean isBoundToEndpoint() {
        return bound && domain.requires(MrMode.ENDPOINT);
    }

    @Override
    protected int closeRank() {
        // an endpoint that a region is bound to cannot be closed before it
        return isBoundToEndpoint() ? CloseRank.BOUND_REGION : CloseRank.REGION;
    }

    @Override
    protected boolean failsForGood() {
        return domain.quirks().has(Quirk.CLOSE_FREES_REFUSED_REGION);
    }

    /** The buffers whose descriptors local operations will look for. */
    private List<MemorySegment> described() {
        return isDescribed ? buffers : List.of();
    }

    /**
     * Only here do local operations stop finding it: if closing had failed, they would still have to. They look for it
     * before they go inside.
     */
    @Override
    protected void closed() {
        end();
        hold.release();
    }

    /** A device may go on using the memory: its arena keeps it, or for one of the JDK's, which frees garbage, this. */
    @Override
    protected void lost() {
        tracker().lost();
        end();
    }

    private void end() {
        described().forEach(buffer -> domain.localRegions().remove(buffer, localDescriptor));
        domain.activity().deregistered(byteSize);
        if (MemoryCheck.ON) {
            domain.contexts().memoryCheck().over(tracker());
        }
        if (!buffers.stream().allMatch(buffer -> buffer.scope().isAlive() || hold.keeps(buffer))) {
            LOG.error("the arena of the memory was closed before {} was: peers could write to memory that is somebody "
                    + "else's by then. Keep the arena open longer, or allocate from Domain.openArena()", name);
        }
    }
}
