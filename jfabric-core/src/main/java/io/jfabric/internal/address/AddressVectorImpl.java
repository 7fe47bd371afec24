// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressInsertion;
import io.jfabric.AddressVector;
import io.jfabric.EventQueue;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_av_attr;
import io.jfabric.info.Address;
import io.jfabric.info.AvType;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Newer;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.AvOps;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.quirk.SharedTable;
import io.jfabric.internal.quirk.shm.PeerNames;
import io.jfabric.internal.quirk.shm.VectorLock;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.Sizes;
import io.jfabric.option.AddressVectorAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** {@link AddressVector}. */
public final class AddressVectorImpl extends FidObject implements AddressVector, InsertsLater {
    private final DomainState domain;
    private final AvType type;
    private final PackedAddresses packing;
    private final KnownAddresses known;
    private final VectorContents contents;
    private final VectorUsers users;
    private final PeerNames names;
    private final Insertions insertions;
    private final Removals removals;

    private AddressVectorImpl(DomainState domain, long handle, MemorySegment attr, AddressVectorAttributes attributes) {
        super(domain.object(), handle);
        Quirks quirks = domain.quirks();
        this.domain = domain;
        this.type = AvType.ofCode(fi_av_attr.type(attr));
        this.packing = new PackedAddresses(domain.info());
        this.known = new KnownAddresses(attributes.name().isPresent(), quirks.has(Quirk.PLACES_RUN_OUT));
        this.contents = new VectorContents(this, known, SharedTable.of(quirks, attributes, attr),
                attributes.receiveContextBits(), domain.info().domain().limits().maxEndpointRxContexts() > 1);
        VectorLock.prepare(quirks, handle, domain.handle());
        this.users = new VectorUsers(this, quirks, this::withoutUsers);
        // they outlive a vector that is forgotten, as its endpoints are still there for the provider
        WeakReference<AddressVectorImpl> weak = new WeakReference<>(this);
        this.names = PeerNames.of(quirks, address -> Optional.ofNullable(weak.get()).ifPresent(it ->
                it.forget(address)), known::taken);
        this.insertions = new Insertions(this, domain, contents, users, names, packing, attributes.asynchronous());
        this.removals = new Removals(this, quirks, contents, users, names);
        tracker().keeps(insertions.memory());
    }

    public static AddressVectorImpl open(DomainState domain, AddressVectorAttributes attributes) {
        Sizes.addresses("fi_av_open", "count", attributes.count());
        Sizes.addresses("fi_av_open", "endpointsPerNode", attributes.endpointsPerNode());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = VectorStruct.of(attributes, domain.info().domain().avType(), arena);
            return domain.open("fi_av_open", (d, result) -> DomainOps.avOpen(d, attr.address(), result, 0),
                    av -> new AddressVectorImpl(domain, av, attr, attributes));
        }
    }

    @Override
    protected void closed() {
        names.closed();
    }

    @Override
    public AvType type() {
        return type;
    }

    @Override
    public long insert(byte[] address) {
        return insert(address, 0);
    }

    @Override
    public long insertBehindFirewall(Address address) {
        packing.checkFormat(address);
        handle();
        Known.require("fi_av_insert", "FI_FIREWALL_ADDR", new Version(2, 2));
        return insert(address.bytes(), Newer.FIREWALL_ADDR);
    }

    private synchronized long insert(byte[] address, long flags) {
        return insertions.insert(address, flags);
    }

    @Override
    public long insert(Address address) {
        packing.checkFormat(address);
        return insert(address.bytes());
    }

    @Override
    public List<AddressInsertion> insert(List<Address> addresses) {
        return insertions.insert(addresses);
    }

    @Override
    public synchronized long insertAll(MemorySegment addresses, long count, MemorySegment results) {
        return insertions.insertAll(addresses, count, results, 0);
    }

    @Override
    public synchronized long insertMore(MemorySegment addresses, long count, MemorySegment results) {
        return insertions.insertAll(addresses, count, results, Libfabric.FI_MORE());
    }

    @Override
    public synchronized void insertAsync(MemorySegment addresses, long count, MemorySegment results, long context) {
        insertions.insertAsync(addresses, count, results, context);
    }

    @Override
    public void inserted(long context) {
        insertions.inserted(context);
    }

    @Override
    public long insertService(String node, String service) {
        return insertSymmetric(node, 1, service, 1)[0];
    }

    @Override
    public synchronized long[] insertSymmetric(String node, long nodeCount, String service, long serviceCount) {
        return insertions.insertSymmetric(node, nodeCount, service, serviceCount);
    }

    @Override
    public synchronized void remove(long... addresses) {
        removals.remove(addresses);
    }

    /** The address's endpoint is closed: nothing may be sent to it, whatever the provider still has of it. */
    private void forget(long address) {
        known.forget(address);
        users.addressRemoved(address);
    }

    /** Whether the provider knows the address, or that of the endpoint whose receive context it is. */
    public boolean has(long address) {
        return contents.has(address);
    }

    /** As {@link #has}, without a look into the table of a shared one. */
    public boolean knows(long address) {
        return contents.knows(address);
    }

    /**
     * Tells a thread that whoever removes an address waits for whether one is in, where the limit does not, as long as
     * it does not; null if the limit always does, or the provider has to be asked.
     */
    public LongPredicate aboveLimit() {
        return contents.aboveLimit();
    }

    /** Tells such a thread of each address whether it is in; null if the provider has to be asked. */
    public LongPredicate each() {
        return contents.each();
    }

    /** All below this are in the vector until one is removed; unsigned. */
    public long limit() {
        return contents.limit();
    }

    @Override
    public synchronized Address lookup(long address) {
        contents.check("fi_av_lookup", address);
        String known = domain.quirks().has(Quirk.FIRST_IS_NOT_FOUND)
                ? "before libfabric 2.4, provider " + domain.info().provider() + " does not find the address that was "
                        + "inserted first" : null;
        byte[] bytes = Names.read("fi_av_lookup", known, (buffer, length) ->
                call(av -> AvOps.lookup(av, address, buffer, length)));
        return Address.ofCode(domain.info().addressFormatCode(), names.given(bytes));
    }

    @Override
    public String toText(Address address) {
        packing.checkFormat(address);
        return Names.text(this, arena -> packing.pack(arena, address.bytes()));
    }

    public PeerNames peerNames() {
        return names;
    }

    /** One more than the largest address. */
    public long known() {
        return known.end();
    }

    /** How many addresses the provider's sets may start with; fixed by the first set. */
    public long knownForSets() {
        return known.freeze();
    }

    public String provider() {
        return domain.info().provider();
    }

    @Override
    @Deprecated
    public AddressVectorImpl bind(EventQueue queue) {
        bindOnce("fi_av_bind", (FidObject) queue);
        return this;
    }

    @Override
    public void setUserId(long address, long userId) {
        AuthKeys.setUserId(this, address, userId, () -> contents.check("fi_av_set_user_id", address));
    }

    @Override
    public long insertAuthKey(byte[] key) {
        return AuthKeys.insert(this, key);
    }

    @Override
    public byte[] lookupAuthKey(long address) {
        return AuthKeys.lookup(this, address);
    }

    @Override
    public String kind() {
        return "address vector";
    }

    @Override
    public int closeRank() {
        return CloseRank.ADDRESS_VECTOR;
    }
}
