// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.Fabric;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongFunction;

/** What the objects of a fabric share: connection requests that wait for an answer, joins that are under way. */
public final class FabricState {
    private final Fabric fabric;
    private final FidObject object;
    private final String provider;
    private final String name;
    private final PendingJoins joins = new PendingJoins();
    private final RootJoins rootJoins = new RootJoins();
    private final ConnectionRequests connectionRequests;

    /** Of a fabric of that provider, with its name. */
    public <F extends FidObject & Fabric> FabricState(F fabric, String provider, String name) {
        this.name = name;
        this.fabric = fabric;
        this.object = fabric;
        this.provider = provider;
        this.connectionRequests = new ConnectionRequests(object);
    }

    /** The public face. */
    public Fabric fabric() {
        return fabric;
    }

    /** The parent of what is opened from the fabric. */
    public FidObject object() {
        return object;
    }

    /** One of the calls that open something from a fabric. */
    @FunctionalInterface
    public interface Opener {
        /** Writes the new object's address to where {@code result} says. */
        int open(long fabric, long result);
    }

    /** Opens something and makes the object for it, before the fabric can be closed. */
    public <T extends FidObject> T open(String operation, Opener opener, LongFunction<T> made, String advice) {
        return object.call(handle -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
                FidObject.check(operation, opener.open(handle, result.address()), "provider " + provider
                        + (advice == null ? "" : ", " + advice));
                return Opening.of(result.get(ValueLayout.JAVA_LONG, 0), made);
            }
        });
    }

    public String provider() {
        return provider;
    }

    /** {@code fi_fabric_attr.name} */
    public String name() {
        return name;
    }

    public PendingJoins joins() {
        return joins;
    }

    public RootJoins rootJoins() {
        return rootJoins;
    }

    public ConnectionRequests connectionRequests() {
        return connectionRequests;
    }
}
