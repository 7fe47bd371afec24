// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Errno;
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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What shm takes for granted of peers in its own process: it uses their memory directly, without asking whether it is
 * there yet, or still. Each address vector has one of these.
 */
public final class ShmPeers {
    private static final int MOST = 256;
    private static final Version FORGETS_NAMES = new Version(2, 0);
    private static final Set<ShmPeers> ALL = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));
    /** Names of closed endpoints: libfabric 1 would still use their memory. */
    private static final Set<String> GONE = ConcurrentHashMap.newKeySet();

    /** The enabled endpoints of this process, with their vectors. */
    private static final Map<String, ShmPeers> ENABLED = new ConcurrentHashMap<>();

    private final AddressVectorImpl vector;
    /** All that was ever inserted: the provider forgets none. */
    private final Set<String> ever = ConcurrentHashMap.newKeySet();
    /** Of these, the names of endpoints of this process that are closed. */
    private final Set<String> gone = ConcurrentHashMap.newKeySet();
    private final boolean keepsRemoved;
    /** The provider counts them, whatever is inserted again or removed. */
    private final AtomicInteger insertions = new AtomicInteger();
    /** By their names, removed ones too. */
    private final Map<String, Long> addresses = new ConcurrentHashMap<>();
    /** Ours, so that a thread that closes an endpoint need not ask a vector that another may be closing. */
    private final Map<Long, String> names = new ConcurrentHashMap<>();

    private ShmPeers(AddressVectorImpl vector) {
        this.vector = vector;
        this.keepsRemoved = Quirks.of(vector.provider()).has(Quirk.REMOVAL_UNMAPS);
    }

    public static boolean is(FabricInfoImpl info) {
        return Quirks.of(info.provider()).has(Quirk.PEERS_IN_PROCESS);
    }

    public static ShmPeers of(AddressVectorImpl vector) {
        ShmPeers peers = new ShmPeers(vector);
        ALL.add(peers);
        return peers;
    }

    /** An endpoint of this process can be found from here on. */
    public static void enabled(Address own, AddressVectorImpl vector) {
        ENABLED.put(own.toText(), vector.shmPeers());
    }

    /** Of an endpoint with that vector: whether an enabled endpoint of this process knows it, or is known by it. */
    public static boolean isReferred(String name, AddressVectorImpl itsVector) {
        Set<String> known = itsVector.shmPeers().ever;
        for (Map.Entry<String, ShmPeers> other : ENABLED.entrySet()) {
            if (!other.getKey().equals(name)
                    && (known.contains(other.getKey()) || other.getValue().ever.contains(name))) {
                return true;
            }
        }
        return false;
    }

    /** Nothing may be sent to it from here on. */
    public static void closing(Address own) {
        String name = own.toText();
        ENABLED.remove(name);
        if (!Known.since(FORGETS_NAMES)) {
            GONE.add(name);
        }
        for (ShmPeers peers : List.copyOf(ALL)) {
            peers.forget(name);
        }
    }

    private boolean isGone(String name) {
        return GONE.contains(name) || gone.contains(name);
    }

    private void forget(String name) {
        if (keepsRemoved && ever.contains(name)) {
            gone.add(name);
        }
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
    public void check(MemorySegment packed, long count) {
        checkEnabled("fi_av_insert");
        if (count > MOST) {
            throw new IllegalArgumentException("fi_av_insert: " + count + " addresses, at most " + MOST);
        }
        eachName(packed, count, (i, name) -> {
            if (i + insertions.get() >= MOST) {
                throw FabricException.of("fi_av_insert", Errno.ENOMEM, "an address vector of the shm provider has room "
                        + "for " + MOST + " addresses in its life, removed ones included; open another vector");
            }
            if (isGone(name)) {
                throw new IllegalStateException("fi_av_insert: this process has closed an endpoint with the name "
                        + name + "; the shm provider cannot reach another with that name from here: give the new "
                        + "endpoint a new name");
            }
        });
    }

    /** Whether a removal must stay in Java: see {@link Quirk#REMOVAL_UNMAPS}. */
    public boolean keepsRemoved() {
        return keepsRemoved;
    }

    /** The address of a name that the provider knows already, as it has forgotten none; null for others. */
    public Long remembered(MemorySegment address) {
        Long[] found = new Long[1];
        eachName(address, 1, (i, name) -> 
                found[0] = keepsRemoved && !isGone(name) ? addresses.get(name) : null);
        return found[0];
    }

    /** Before an insertion, once it is checked. */
    public void inserting(MemorySegment names, long count) {
        insertions.addAndGet((int) count);
        eachName(names, count, (i, name) -> ever.add(name));
    }

    /** After an insertion. */
    public void inserted(MemorySegment packed, MemorySegment results, long count) {
        eachName(packed, count, (i, name) -> {
            long address = results.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
            if (address != Address.NOT_AVAILABLE) {
                names.put(address, name);
                addresses.put(name, address);
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
