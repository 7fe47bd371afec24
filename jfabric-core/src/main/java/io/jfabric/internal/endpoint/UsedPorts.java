// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.internal.address.Names;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.FidOps;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The addresses that endpoints of this process have, or had. Peers go on sending to a closed one, some for as long as
 * they live, and their packets would crash another endpoint there.
 */
public final class UsedPorts {
    /** The system usually chooses among some 28,000 ports; if it has few, one that was used is better than none. */
    private static final int TRIES = 64;
    /** The oldest are forgotten first: their peers are the least likely to be there still. */
    private static final int MOST = 10_000;
    private static final Map<InetSocketAddress, Boolean> USED = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetSocketAddress, Boolean> eldest) {
            return size() > MOST;
        }
    };

    private UsedPorts() {
    }

    /** An endpoint is enabled: from now on it may have peers. */
    static void add(Address own) {
        if (own.isInet()) {
            synchronized (USED) {
                USED.put(own.toInetSocketAddress(), true);
            }
        }
    }

    private static boolean has(Address address) {
        if (!address.isInet()) {
            return false;
        }
        synchronized (USED) {
            return USED.containsKey(address.toInetSocketAddress());
        }
    }

    /** Throws if an endpoint is to be opened where another one was. */
    public static void check(String operation, Address source) {
        if (has(source)) {
            throw FabricException.of(operation, -Errno.EADDRINUSE, "source address " + source + ": this process has "
                    + "had an endpoint there, and what its peers still send to it would crash the provider; take "
                    + "another port, or none");
        }
    }

    /** Opens again if the system has chosen such a port. */
    public static Opening.Opener avoidedBy(Opening.Opener opener, FabricInfoImpl info) {
        return (domain, result) -> {
            int code = opener.open(domain, result);
            for (int i = 0; code == 0 && i < TRIES && has(Names.own(Memory.getLong(result), info)); i++) {
                FidOps.close(Memory.getLong(result));
                code = opener.open(domain, result);
            }
            return code;
        };
    }
}
