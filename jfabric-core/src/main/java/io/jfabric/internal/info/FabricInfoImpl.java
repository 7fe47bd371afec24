// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.bindings.fi_info;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Mode;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.library.InfoMemory;
import io.jfabric.internal.library.InfoOwner;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.Objects;
import java.util.function.Function;

/** {@link FabricInfo}. */
public final class FabricInfoImpl extends InfoImpl<FabricInfo> implements FabricInfo {
    /** Whether closing it frees it; else it is one of a list, or belongs to an open object. */
    private final boolean owning;
    private final Offer offer;
    /** The connection request that this and all copies came with; null for none. */
    private volatile Object request;
    /** Set once nobody can edit the info any more. */
    private Quirks quirks;

    FabricInfoImpl(InfoMemory memory, Offer offer) {
        super(memory);
        this.offer = offer;
        this.owning = false;
    }

    private FabricInfoImpl(InfoOwner owner, Offer offer, Object request) {
        super(owner.first());
        this.offer = offer;
        this.owning = true;
        this.request = request;
    }

    /** Takes over an info that libfabric handed out for this provider, and adds the provider's name if it lacks it. */
    public static FabricInfoImpl owning(long address, String provider) {
        FabricInfoImpl info = new FabricInfoImpl(new InfoOwner("the FabricInfo", address),
                Offer.from(provider, address), null);
        if (info.fabric().providerName().isEmpty()) {
            info.fabric().providerName(provider);
        }
        if (Quirks.of(provider).has(Quirk.REQUESTS_SHARE_KEY)) {
            info.domain().withoutAuthKey();
        }
        return info;
    }

    @Override
    public FabricInfoImpl self() {
        return this;
    }

    @Override
    public FabricInfoImpl duplicate() {
        return new FabricInfoImpl(new InfoOwner("the FabricInfo", with(Exports::dupinfo)), offer, request);
    }

    /** Throws if it names another provider than it came from, or nothing but a provider. */
    public void requireProvider(String operation) {
        address();
        offer.checkProvider(operation, this);
    }

    /** Does not take the domain's registration mode, which an endpoint's own info shows, for an edit. */
    public void acceptRegistrationOf(FabricInfoImpl domainInfo) {
        if (domain().mrMode().equals(domainInfo.domain().mrMode())) {
            domain().mrMode(offer.registration());
        }
    }

    /** Throws unless an endpoint or context can be opened from it: edits must stay within what was offered. */
    public void requireOffered(String operation) {
        offer.check(operation, this);
    }

    /** Throws unless it is of that provider and fabric; an info of a connection request may leave the fabric out. */
    public void requireOf(String operation, String provider, String fabricName) {
        address();
        if (!Objects.equals(provider, provider())) {
            throw new IllegalArgumentException(operation + ": the info is for provider " + provider()
                    + ", but this was opened for provider " + provider);
        }
        String name = fabric().name().orElse(null);
        // a provider may name the fabric differently in connection requests, whose handles say where they are from
        if (handle() == 0 && name != null && fabricName != null && !name.equals(fabricName)) {
            throw new IllegalArgumentException(operation + ": the info is for fabric " + name + ", but this was "
                    + "opened for fabric " + fabricName);
        }
    }

    /** What the endpoint is to take over ({@code fi_info.handle}). */
    public void handle(long object) {
        request = null;
        with(info -> {
            Memory.putLong(info + fi_info.handle$offset(), object);
            return null;
        });
    }

    /** Notes the identity of the connection request that it came with. */
    public void ofRequest(Object identity) {
        request = identity;
    }

    /** The identity of the connection request it came with, null if it is of none. */
    public Object request() {
        return request;
    }

    private FabricInfoImpl copy() {
        FabricInfoImpl copy =
                new FabricInfoImpl(new InfoOwner("the FabricInfo", with(Exports::dupinfo)).first(), offer);
        copy.request = request;
        return copy;
    }

    /** A copy for an object of that kind, which frees it when it is closed itself; users can only read it. */
    public FabricInfoImpl kept(String kind) {
        return copy().frozen(kind);
    }

    private FabricInfoImpl frozen(String kind) {
        memory.owner().freeze(kind);
        quirks = Quirks.of(provider());
        return this;
    }

    /** Opens an object of that kind with a copy of its own, as providers keep pointers into what they were given. */
    public <T> T opening(String kind, Function<FabricInfoImpl, T> opener) {
        FabricInfoImpl copy = copy().withoutOptionalPrefix();
        offer.countPrefix(copy);
        try {
            T opened = opener.apply(copy);
            copy.frozen(kind);
            return opened;
        } catch (RuntimeException e) {
            copy.free();
            throw e;
        }
    }

    /** jfabric's hints accept prefixes, which some providers use only because they may. */
    private FabricInfoImpl withoutOptionalPrefix() {
        if (mode().contains(Mode.MSG_PREFIX) && isPrefixOptional()) {
            mode(mode().without(Mode.MSG_PREFIX));
            tx().mode(tx().mode().without(Mode.MSG_PREFIX));
            rx().mode(rx().mode().without(Mode.MSG_PREFIX));
            endpoint().messagePrefixSize(0);
        }
        return this;
    }

    private boolean isPrefixOptional() {
        return endpoint().type() == EndpointType.RDM && quirks().has(Quirk.PREFIX_IS_OPTIONAL);
    }

    /** Whether it leaves out a prefix that is optional, as the info that a domain shows does. */
    boolean leavesPrefixOut() {
        return isPrefixOptional() && !mode().contains(Mode.MSG_PREFIX) && !tx().mode().contains(Mode.MSG_PREFIX)
                && !rx().mode().contains(Mode.MSG_PREFIX);
    }

    /** Frees a {@link #copy()}. */
    public void free() {
        memory.owner().free();
    }

    /** The quirks of its provider. */
    public Quirks quirks() {
        Quirks known = quirks;
        return known != null ? known : Quirks.of(provider());
    }

    @Override
    public String provider() {
        return fabric().providerName().orElse("");
    }

    @Override
    public String summary() {
        return provider() + " " + endpoint().type().nativeName() + domain().name().map(d -> " on " + d).orElse("")
                + sourceAddress().map(a -> " at " + a).orElse("");
    }

    @Override
    public void close() {
        if (owning) {
            memory.owner().free();
        }
    }
}
