// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.info.Version;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AvOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Keys and identifiers of the addresses of a vector. */
final class AuthKeys {
    /** The release that brought them. */
    private static final Version SINCE = new Version(1, 20);

    private AuthKeys() {
    }

    /** {@code check} throws unless the address is in the vector. */
    static void setUserId(FidObject vector, long address, long userId, Runnable check) {
        if (Known.since(SINCE)) {
            check.run();
        }
        Results.check("fi_av_set_user_id", vector.call(av -> AvOps.setUserId(av, address, userId, 0)), needs());
    }

    static long insert(FidObject vector, byte[] key) {
        Objects.requireNonNull(key, "fi_av_insert_auth_key: the key is null");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            long bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, key).address();
            int code = vector.call(av -> AvOps.insertAuthKey(av, bytes, key.length, result.address(), 0));
            Results.check("fi_av_insert_auth_key", code, needs());
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    static byte[] lookup(FidObject vector, long address) {
        return Names.read("fi_av_lookup_auth_key", needs(), (buffer, length) ->
                vector.call(av -> AvOps.lookupAuthKey(av, address, buffer, length)));
    }

    private static String needs() {
        return Known.needs(SINCE) + ", and a provider that has it";
    }
}
