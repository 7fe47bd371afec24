// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.domain;

import io.jfabric.AtomicAttributes;
import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.DomainStatistics;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.FabricArena;
import io.jfabric.PassiveEndpoint;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.connect.PassiveEndpointImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.endpoint.EndpointOpening;
import io.jfabric.internal.endpoint.LastProgress;
import io.jfabric.internal.endpoint.MissingVector;
import io.jfabric.internal.endpoint.ScalableEndpointImpl;
import io.jfabric.internal.endpoint.SharedReceiveContextImpl;
import io.jfabric.internal.endpoint.SharedTransmitContextImpl;
import io.jfabric.internal.endpoint.UsedPorts;
import io.jfabric.internal.info.Constants;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.HintsImpl;
import io.jfabric.internal.info.InfoQuery;
import io.jfabric.internal.library.Signals;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.memory.FabricArenaImpl;
import io.jfabric.internal.memory.MemoryRegionImpl;
import io.jfabric.internal.memory.Registration;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.post.AtomicSupport;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.queue.CqAttr;
import io.jfabric.internal.quirk.BindTrial;
import io.jfabric.internal.quirk.LoneEndpoint;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.shm.Sm2Room;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.watch.Watch;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** {@link Domain}. */
public final class DomainImpl extends FidObject implements Domain {
    private final FabricImpl fabric;
    private final DomainState state;
    private final String name;
    private final LoneEndpoint lone = new LoneEndpoint();

    DomainImpl(FabricImpl fabric, long handle, FabricInfoImpl info) {
        super(fabric, handle);
        this.fabric = fabric;
        this.state = new DomainState(this, info);
        this.name = info.provider() + " " + info.domain().name().orElse("");
        Announcement.of(info);
        if (!state.isForAllThreads()) {
            keepToOneThread();
        }
    }

    /** What the objects of this domain share. */
    public DomainState state() {
        return state;
    }

    @Override
    public FabricImpl fabric() {
        return fabric;
    }

    @Override
    public FabricInfoImpl info() {
        return state.info();
    }

    @Override
    public DomainImpl bind(EventQueue queue) {
        bindOnce("fi_domain_bind", (EventQueueImpl) queue);
        return this;
    }

    @Override
    public AddressVectorImpl openAddressVector() {
        return openAddressVector(AddressVectorAttributes.DEFAULT);
    }

    @Override
    public AddressVectorImpl openAddressVector(AddressVectorAttributes attributes) {
        Objects.requireNonNull(attributes, "fi_av_open: the attributes are null");
        if (state.quirks().has(Quirk.PLACE_NEEDS_ROOM)) {
            Sm2Room.checkFile();
        }
        return AddressVectorImpl.open(state, attributes);
    }

    @Override
    public CompletionQueueImpl openCompletionQueue(CompletionFormat format) {
        return openCompletionQueue(CompletionQueueAttributes.of(format));
    }

    @Override
    public CompletionQueueImpl openCompletionQueue(CompletionQueueAttributes attributes) {
        return CqAttr.open(state,
                Objects.requireNonNull(attributes, "fi_cq_open: the attributes are null"), null);
    }

    @Override
    public EndpointImpl openEndpoint(FabricInfo endpointInfo) {
        return openEndpoint(endpointInfo, 0);
    }

    @Override
    public EndpointImpl openEndpoint(FabricInfo endpointInfo, long flags) {
        return opening("fi_endpoint", endpointInfo, info -> info.opening("endpoint", copy -> openWith(copy, flags)));
    }

    private EndpointImpl openWith(FabricInfoImpl copy, long flags) {
        if (state.quirks().has(Quirk.FAILED_BIND_KEEPS_SOCKET)) {
            copy.sourceAddress().ifPresent(address -> BindTrial.check("fi_endpoint", address));
        }
        boolean avoids = state.quirks().has(Quirk.PACKETS_OUTLIVE_ENDPOINTS);
        if (avoids) {
            copy.sourceAddress().ifPresent(address -> UsedPorts.check("fi_endpoint", address));
        }
        return fabric.state().connectionRequests().opening(copy, () -> openNow(copy, flags, avoids));
    }

    private EndpointImpl openNow(FabricInfoImpl copy, long flags, boolean avoids) {
        long address = copy.address();
        Opening.Opener opener = (domain, result) -> flags == 0
                ? DomainOps.endpoint(domain, address, result, 0)
                : DomainOps.endpoint2(domain, address, result, flags, 0);
        EndpointOpening.makeRoom(state, copy);
        lone.claim(state.quirks());
        Flags<Capability> asked = copy.capabilities();
        copy.capabilities(EndpointOpening.capabilities(state, asked));
        Opening.Undoing undoing = MissingVector.undoing(state, copy);
        // a provider may take the JVM's SIGSEGV handler with the first endpoint
        return Signals.keep(() -> state.open(flags == 0 ? "fi_endpoint" : "fi_endpoint2",
                avoids ? UsedPorts.avoidedBy(opener, copy) : opener, ep -> {
                    copy.capabilities(asked);
                    return new EndpointImpl(state, fabric.state(), ep, copy);
                }, undoing, copy.sourceAddress().map(source -> "source address " + source).orElse(null)));
    }

    @Override
    public EndpointImpl openEndpoint(FabricInfo endpointInfo, PassiveEndpoint passive) {
        PassiveEndpointImpl passiveImpl = (PassiveEndpointImpl) Objects.requireNonNull(passive,
                "fi_endpoint: the passive endpoint is null");
        fabric.checkRelated("fi_endpoint", passiveImpl);
        return opening("fi_endpoint", endpointInfo, copy -> {
            copy.handle(passiveImpl.handle());
            return passiveImpl.giveTo(() -> openEndpoint(copy));
        });
    }

    /**
     * Runs the opener with a copy of the info, or throws if nothing can be opened from it in this domain: what is
     * checked is what is opened, whoever changes the info meanwhile.
     */
    private <T> T opening(String operation, FabricInfo info, Function<FabricInfoImpl, T> opener) {
        FabricInfoImpl infoImpl = (FabricInfoImpl) Objects.requireNonNull(info, operation + ": the info is null");
        try (FabricInfoImpl copy = infoImpl.duplicate()) {
            copy.acceptRegistrationOf(state.info());
            EndpointOpening.check(operation, copy);
            copy.requireOf(operation, state.info().provider(), fabric.state().name());
            EndpointOpening.checkDomain(operation, state, copy);
            Limits.withhold(state.quirks(), copy);
            copy.domain().follow(state.info().domain());
            return opener.apply(copy);
        }
    }

    @Override
    public FabricInfoList offers(Hints hints) {
        return call(domain -> InfoQuery.of(null, null, Set.of(), (HintsImpl) hints).inDomain(domain).run());
    }

    @Override
    public ScalableEndpointImpl openScalableEndpoint(FabricInfo endpointInfo) {
        return opening("fi_scalable_ep", endpointInfo, info -> ScalableEndpointImpl.open(state, fabric.state(), info));
    }

    @Override
    public SharedTransmitContextImpl openSharedTransmitContext(FabricInfo endpointInfo) {
        return opening("fi_stx_context", endpointInfo, info -> SharedTransmitContextImpl.open(state, info));
    }

    @Override
    public SharedReceiveContextImpl openSharedReceiveContext(FabricInfo endpointInfo) {
        return opening("fi_srx_context", endpointInfo, info ->
                SharedReceiveContextImpl.open(state, fabric.state(), info));
    }

    @Override
    public CounterImpl openCounter() {
        return openCounter(CounterAttributes.DEFAULT);
    }

    @Override
    public CounterImpl openCounter(CounterAttributes attributes) {
        return CounterImpl.open(state,
                Objects.requireNonNull(attributes, "fi_cntr_open: the attributes are null"), null);
    }

    @Override
    public ProfileImpl openProfile() {
        return ProfileImpl.open(this, state);
    }

    @Override
    public ProfileImpl openProfile(Endpoint endpoint) {
        EndpointImpl endpointImpl = (EndpointImpl) Objects.requireNonNull(endpoint,
                "fi_profile_open: the endpoint is null");
        checkRelated("fi_profile_open", endpointImpl);
        return ProfileImpl.open(endpointImpl, state);
    }

    @Override
    public MemoryRegionImpl register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(state, memory, Constants.bits("fi_mr_reg", first, others), OptionalLong.empty());
    }

    @Override
    public MemoryRegionImpl register(MemorySegment memory, long requestedKey, MemoryAccess first,
            MemoryAccess... others) {
        return Registration.of(state, memory, Constants.bits("fi_mr_reg", first, others),
                OptionalLong.of(requestedKey));
    }

    @Override
    public MemoryRegionImpl register(List<MemorySegment> memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(state, memory, Constants.bits("fi_mr_reg", first, others));
    }

    @Override
    public MemoryRegionImpl register(MemoryRegionAttributes attributes) {
        return Registration.of(state, null,
                Objects.requireNonNull(attributes, "fi_mr_regattr: the attributes are null"));
    }

    @Override
    public FabricArena openArena() {
        handle();
        return FabricArenaImpl.open(state);
    }

    @Override
    public void mapKey(RemoteRegion region) {
        handle();
        state.remoteKeys().key(Objects.requireNonNull(region, "fi_mr_map_raw: the region is null"));
    }

    @Override
    public void unmapKey(RemoteRegion region) {
        handle();
        Objects.requireNonNull(region, "fi_mr_unmap_key: the region is null").rawKey()
                .ifPresent(state.remoteKeys()::unmap);
    }

    @Override
    public Optional<AtomicAttributes> queryAtomic(AtomicForm form, Datatype type, AtomicOp op) {
        return AtomicSupport.query(state, form, type, op);
    }

    @Override
    public DomainStatistics statistics() {
        return state.activity().statistics();
    }

    @Override
    public String kind() {
        return "domain";
    }

    @Override
    public String toString() {
        return isOpen() ? super.toString() + " (" + name + ")" : super.toString();
    }

    @Override
    protected boolean isDomain() {
        return true;
    }

    /** Some providers destroy parts of a domain before they check that it is busy; with others it may be so forever. */
    @Override
    protected boolean failsForGood() {
        return state.quirks().hasAny(Quirk.CLOSE_FREES_BUSY_DOMAIN, Quirk.CLOSE_FREES_BUSY_LINKS)
                || state.ownRegions().hasLost();
    }

    @Override
    protected int closeRank() {
        return 0;
    }

    @Override
    protected void closingChildren() {
        LastProgress.of(state);
        state.closing(true);
        state.pendingTriggers().abandon();
    }

    @Override
    protected void closingRefused() {
        state.closing(false);
    }

    @Override
    protected void closing() {
        state.arenas().close();
        state.remoteKeys().close();
    }

    @Override
    protected long closingLast() {
        return state.ownRegions().closeAll();
    }

    @Override
    protected void closed() {
        state.close();
        Watch.domainClosed();
    }
}
