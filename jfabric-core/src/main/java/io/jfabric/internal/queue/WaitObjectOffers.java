// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.WaitObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Opens what can be waited for; if the provider lacks the wait object, finds out which one it has. */
public final class WaitObjectOffers {
    private static final List<WaitObject> OTHERS = List.of(WaitObject.UNSPEC, WaitObject.FD, WaitObject.NONE);

    private WaitObjectOffers() {
    }

    /** With the wait set if there is one, else with the wait object; may throw with the name of one that works. */
    public static <T extends FidObject> T open(WaitObject wanted, FidObject waitSet, String provider,
            Function<WaitObject, T> opener) {
        if (waitSet != null) {
            return opener.apply(WaitObject.SET);
        }
        try {
            return opener.apply(wanted);
        } catch (FabricException e) {
            boolean maybe = e.errno() == Errno.EINVAL || e.errno() == Errno.ENOSYS;
            Optional<WaitObject> other = maybe ? other(wanted, opener) : Optional.empty();
            if (other.isEmpty()) {
                throw e;
            }
            FabricException explained = FabricException.of(e.operation(), e.errno(), "provider " + provider
                    + " does not have WaitObject." + wanted + " for it; open it with WaitObject." + other.get());
            explained.addSuppressed(e);
            throw explained;
        }
    }

    /** Empty if none works: then the wait object is not to blame. */
    private static <T extends FidObject> Optional<WaitObject> other(WaitObject wanted, Function<WaitObject, T> opener) {
        return OTHERS.stream().filter(other -> other != wanted && works(other, opener)).findFirst();
    }

    private static <T extends FidObject> boolean works(WaitObject other, Function<WaitObject, T> opener) {
        T probe;
        try {
            probe = opener.apply(other);
        } catch (FabricException | IllegalStateException e) {
            return false;
        }
        try {
            probe.close();
        } catch (FabricException | IllegalStateException e) {
            // it works; it is closed with what it was opened from
        }
        return true;
    }
}
