// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What shm takes for granted of peers in its own process: it uses their memory directly, without asking whether it is
 * there yet, or still. Each address vector has one of these.
 */
public final class ShmPeers {
    private static final Version FORGETS_NAMES = new Version(2, 0);
    private static final Set<ShmPeers> ALL = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));
    /** Names of closed endpoints: libfabric 1 would still use their memory. */
    private static final Set<String> GONE = ConcurrentHashMap.newKeySet();

    private final AddressVectorImpl vector;
    /** Ours, so that a thread that closes an endpoint need not ask a vector that another may be closing. */
    private final Map<Long, String> names = new ConcurrentHashMap<>();

    private ShmPeers(AddressVectorImpl vector) {
        this.vector = vector;
    }

    public static boolean is(FabricInfoImpl info) {
        return Quirks.of(info.provider()).has(Quirk.PEERS_IN_PROCESS);
    }

    public static ShmPeers of(AddressVectorImpl vector) {
        ShmPeers peers = new ShmPeers(vector);
        ALL.add(peers);
        return peers;
    }

    /** Nothing may be sent to it from here on. */
    public static void closing(Address own) {
        String name = own.toText();
        if (!Known.since(FORGETS_NAMES)) {
            GONE.add(name);
        }
        for (ShmPeers peers : List.copyOf(ALL)) {
            peers.forget(name);
        }
    }

    private void forget(String name) {
        names.forEach((address, known) -> {
            if (known.equals(name)) {
                vector.removed(address);
            }
        });
    }

    /** Before an insertion or removal: the provider goes through all endpoints that the vector is bound to. */
    public void checkEnabled(String operation) {
        vector.eachUser(user -> {
            if (user instanceof VectorUser endpoint && !endpoint.isEnabled()) {
                throw new IllegalStateException(operation + ": an endpoint that the address vector is bound to is not "
                        + "enabled: with the shm provider, enable it first");
            }
        });
    }

    /** Before an insertion. */
    public void check(MemorySegment addresses, long count) {
        checkEnabled("fi_av_insert");
        eachName(addresses, count, (i, name) -> {
            if (GONE.contains(name)) {
                throw new IllegalStateException("fi_av_insert: this process has closed an endpoint with the name "
                        + name + "; shm of libfabric 1 cannot reach another with that name from here: give the new "
                        + "endpoint a new name");
            }
        });
    }

    /** After an insertion. */
    public void inserted(MemorySegment addresses, MemorySegment results, long count) {
        eachName(addresses, count, (i, name) -> {
            long address = results.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
            if (address != Address.NOT_AVAILABLE) {
                names.put(address, name);
            }
        });
    }

    public void removed(long address) {
        names.remove(address);
    }

    private interface NameUse {
        void accept(long index, String name);
    }

    /** They stand one after the other, each with its NUL. */
    private static void eachName(MemorySegment addresses, long count, NameUse use) {
        long from = 0;
        for (long i = 0; i < count; i++) {
            long end = from;
            while (end < addresses.byteSize() && addresses.get(ValueLayout.JAVA_BYTE, end) != 0) {
                end++;
            }
            if (end == addresses.byteSize()) {
                throw new IllegalArgumentException("fi_av_insert: the memory ends before address " + i + " of " + count
                        + " does; each ends in a NUL byte");
            }
            byte[] name = addresses.asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE);
            use.accept(i, new String(name, StandardCharsets.UTF_8));
            from = end + 1;
        }
    }

    /** One name at an address of jfabric's own. */
    public static MemorySegment name(long address) {
        byte[] name = Memory.string(address).getBytes(StandardCharsets.UTF_8);
        return MemorySegment.ofArray(Arrays.copyOf(name, name.length + 1));
    }
}
