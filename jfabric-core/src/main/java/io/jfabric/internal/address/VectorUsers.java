// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.LoneEndpoint;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.function.Consumer;

/** The endpoints that an address vector is bound to. */
final class VectorUsers {
    private final AddressVectorImpl vector;
    private final Quirks quirks;
    private final Consumer<Runnable> without;
    private final boolean needsEnabled;

    /** {@code without} runs an action while nobody is inside any of them. */
    VectorUsers(AddressVectorImpl vector, Quirks quirks, Consumer<Runnable> without) {
        this.vector = vector;
        this.quirks = quirks;
        this.without = without;
        this.needsEnabled = quirks.has(Quirk.INSERTS_INTO_ENABLED);
    }

    private void each(Consumer<VectorUser> action) {
        vector.eachUser(user -> {
            if (user instanceof VectorUser endpoint) {
                action.accept(endpoint);
            }
        });
    }

    /** Before an insertion or removal: the provider goes through all of them. */
    void checkEnabled(String operation) {
        if (needsEnabled) {
            each(endpoint -> endpoint.requireEnabled(operation, vector.provider()));
            LoneEndpoint.checkBound(quirks, operation, vector.isUsed());
        }
    }

    /** Call before inserting the address in the memory, after {@link #checkEnabled}. */
    void checkReachable(String operation, long packed) {
        if (quirks.has(Quirk.UNREACHABLE_IS_TAKEN)) {
            byte[] address = Memory.bytes(packed, Names.LONGEST);
            each(endpoint -> JoinedAddress.checkReachable(operation, endpoint.address().bytes(), address));
        }
    }

    /** The address is not in the vector any more. */
    void addressRemoved(long address) {
        each(endpoint -> endpoint.addressRemoved(address));
    }

    /** Runs it while nobody is inside any of them, as whoever is may be sending. */
    void whileNobodyIsInside(Runnable action) {
        without.accept(action);
    }
}
