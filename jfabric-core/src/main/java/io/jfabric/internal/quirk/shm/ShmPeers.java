// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.AddressVector;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.ToLongBiFunction;

/**
 * What shm takes for granted of peers in its own process: it uses their memory directly, without asking whether it is
 * there yet, or still. Each address vector has one of these.
 */
final class ShmPeers implements PeerNames {
    private static final Log LOG = Log.of(AddressVector.class);
    private static final int MOST = 256;
    /** Of names of files. */
    private static final int LONGEST = 250;
    /** Of names with slashes before them. */
    private static final int ROOM = 256;
    private static final Set<ShmPeers> ALL = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));
    /** Names of closed endpoints: the provider would still use their memory. */
    private static final Set<String> GONE = ConcurrentHashMap.newKeySet();

    /** The enabled endpoints of this process, with their vectors. */
    private static final Map<String, ShmPeers> ENABLED = new ConcurrentHashMap<>();
    /** For exceptions. */
    private static final String FULL = "an address vector of this provider takes " + MOST + " addresses, and keeps "
            + "those that are removed; with libfabric 2.5 and newer, those of this process count twice; open another "
            + "vector";
    private static final String OF_OTHER_COPY = " of another copy of jfabric, which another class loader of this "
            + "process has loaded, and the two would crash when one is closed; load jfabric once, in a class loader "
            + "that both have above them, or use tcp between them";
    private static final String ABSENT = "there is no such endpoint yet, or no more; this release of libfabric would "
            + "send what is meant for it to another peer: enable the endpoint first, then insert its address";

    /** Takes an address out of the vector. */
    private final LongConsumer forget;
    /** Takes note of a place in the vector that is nobody's address. */
    private final LongConsumer taken;
    /** Whether the provider must take endpoints of this process for those of others. */
    private final boolean insertsTwice;
    /** Ours, so that a thread that closes an endpoint need not ask a vector that another may be closing. */
    private final Map<Long, String> names = new ConcurrentHashMap<>();
    private final ShmEntries entries = new ShmEntries();
    private final ClosedRegions closed = new ClosedRegions();

    /** Of the entries, those that may yet become names of another copy's endpoints. */
    private final Set<String> expected = ConcurrentHashMap.newKeySet();

    /** Of the entries, those of endpoints of this process that are closed. */
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** The processes of names, where it matters; null elsewhere. */
    private final Map<String, Integer> processes;
    /** Of these, the ones that were seen, so that their death is, too. */
    private final Set<Integer> seen = ConcurrentHashMap.newKeySet();
    /** Whether the provider loses its place for a name that nobody has yet. */
    private final boolean mustBeThere;
    /** Whether an endpoint that has the name of another can be reached by a new place. */
    private final boolean renames;
    /** Whether it matters later that their processes were seen. */
    private final boolean mayDie;

    private ShmPeers(LongConsumer forget, LongConsumer taken, Quirks quirks) {
        this.taken = taken;
        this.processes = quirks.has(Quirk.RETURNS_TO_NAMES) ? new ConcurrentHashMap<>() : null;
        this.mustBeThere = quirks.has(Quirk.ABSENT_PEERS_SHARE);
        this.renames = quirks.has(Quirk.REMEMBERS_FILES);
        this.mayDie = quirks.has(Quirk.ANSWERS_OF_THE_DEAD);
        this.forget = forget;
        this.insertsTwice = quirks.has(Quirk.ANSWERS_IN_PROCESS);
    }

    /** Of a new vector. */
    static ShmPeers of(LongConsumer forget, LongConsumer taken, Quirks quirks) {
        ShmPeers peers = new ShmPeers(forget, taken, quirks);
        ALL.add(peers);
        return peers;
    }

    @Override
    public void enabled(Address own) {
        String name = plain(own.toText());
        ENABLED.put(name, this);
        OtherCopies.open(name);
        ShmLayout.learn(name);
    }

    @Override
    public boolean isReferred(String fullName) {
        String name = plain(fullName);
        Set<String> known = entries.names();
        for (Map.Entry<String, ShmPeers> other : ENABLED.entrySet()) {
            if (!other.getKey().equals(name)
                    && (known.contains(other.getKey()) || other.getValue().entries.has(name))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void leaving(SharedRegion own) {
        closed.note(own);
    }

    @Override
    public void closed() {
        closed.unmap();
        expected.forEach(OtherCopies::forget);
        expected.clear();
    }

    @Override
    public boolean knowsOthers() {
        return entries.names().stream().anyMatch(name -> !ENABLED.containsKey(name) && !GONE.contains(name));
    }

    @Override
    public boolean isClosed(long address) {
        return gone.stream().anyMatch(name -> Long.valueOf(address).equals(entries.value(name)));
    }

    /** Nothing may be sent to it from here on. */
    static void closing(Address own) {
        String name = plain(own.toText());
        ENABLED.remove(name);
        GONE.add(name);
        for (ShmPeers peers : List.copyOf(ALL)) {
            peers.forget(name);
        }
    }

    /** The provider has closed it. */
    static void ended(String fullName) {
        OtherCopies.closed(plain(fullName));
    }

    private void forget(String name) {
        if (entries.has(name)) {
            gone.add(name);
        }
        names.forEach((address, known) -> {
            if (known.equals(name)) {
                forget.accept(address);
                removed(address);
            }
        });
    }

    @Override
    public void check(byte[] address) {
        String name = text(address);
        if (name.isEmpty() || name.contains("/") || name.startsWith(".") || address.length > LONGEST) {
            throw new IllegalArgumentException("fi_av_insert: \"" + name + "\" cannot be the name of a file in "
                    + "/dev/shm; the provider crashes when it sends to a name that it cannot even look for");
        }
        ShmUser.checkPeer(name);
    }

    @Override
    public int insert(byte[] address, long packed, long result, ToLongBiFunction<Arena, byte[]> packing,
            Insertion insertion) {
        Long there = enter(address);
        if (there == null) {
            return insertNew(address, packed, result, packing, insertion);
        }
        Memory.putLong(result, there);
        return 1;
    }

    /**
     * What the provider has the name as already, as inserting it again would take one more of its places; null for a
     * new one.
     */
    private Long enter(byte[] address) {
        check(address);
        String name = text(address);
        if (GONE.contains(name) || gone.contains(name)) {
            throw new Unreachable("fi_av_insert: this process has closed an endpoint with the name "
                    + name + "; the provider cannot reach another with that name from here: give the new "
                    + "endpoint a new name");
        }
        if (!ENABLED.containsKey(name) && OtherCopies.have(name)) {
            throw new Unreachable("fi_av_insert: the endpoint with the name " + name + " is one" + OF_OTHER_COPY);
        }
        ShmLayout.check(name);
        checkProcess(name);
        return entries.isAnothers(name) && !staysWithFirst(name) ? null : entries.value(name);
    }

    /** Whether this release cannot tell the endpoint that has the name now from the one that had it before. */
    private boolean staysWithFirst(String name) {
        if (!renames && ShmLayout.mapsRemoved(name)) {
            throw new Unreachable("fi_av_insert: the endpoint with the name " + name + " was closed, another has that "
                    + "name now, and this release of libfabric would send to the one before; give the new endpoint a "
                    + "new name, or open another address vector: a new Node");
        }
        return !renames;
    }

    /** A name that is new to the provider, or another's now: an error, where the provider must not get it. */
    private int insertNew(byte[] address, long packed, long result, ToLongBiFunction<Arena, byte[]> packing,
            Insertion insertion) {
        String name = text(address);
        boolean ours = insertsTwice && !ShmLayout.isOfOther(name);
        byte[] named = ours ? ShmEntries.withSlashes(address, 1) : entries.forProvider(name, address);
        int refusal = named.length > ROOM ? -Errno.ENOMEM : refusal(name, ours ? 2 : 1);
        if (refusal < 0) {
            return refusal;
        }
        try (Arena arena = Arena.ofConfined()) {
            int inserted = insertion.insert(named == address ? packed : packing.applyAsLong(arena, named), result, 0);
            return ours && inserted == 1 ? receive(arena, name, packed, Memory.getLong(result), insertion) : inserted;
        }
    }

    /** By the name that the other one gives, so that what comes from it comes from the same value. */
    private int receive(Arena arena, String name, long packed, long value, Insertion insertion) {
        entries.addSpelling(name);
        long place = arena.allocateFrom(ValueLayout.JAVA_LONG, value).address();
        int inserted = insertion.insert(packed, place, Libfabric.FI_AV_USER_ID());
        if (inserted == 1) {
            taken.accept(Memory.getLong(place));
        }
        return inserted;
    }

    @Override
    public int mostPlaces() {
        return insertsTwice ? 2 : 1;
    }

    @Override
    public void checkEnabling(Address own) {
        if (OtherCopies.areExpecting(plain(own.toText()))) {
            throw new IllegalStateException("fi_enable: the name " + plain(own.toText())
                    + " was inserted into an address vector" + OF_OTHER_COPY);
        }
        if (!insertsTwice) {
            return;
        }
        if (!gone.isEmpty()) {
            throw new IllegalStateException("fi_enable: the address vector knows endpoints of this process that are "
                    + "closed, and the provider would look at their memory; open another vector");
        }
        String name = plain(own.toText());
        for (ShmPeers peers : List.copyOf(ALL)) {
            if (peers.entries.isSingle(name)) {
                throw new IllegalStateException("fi_enable: an address vector of this process has the name " + name
                        + " as that of another process, which may crash when it answers; give this endpoint another "
                        + "name (Hints.sourceAddress)");
            }
        }
    }

    @Override
    public byte[] given(byte[] address) {
        return ShmEntries.given(address);
    }

    @Override
    public void met(byte[] address) {
        String name = text(address);
        if (mayDie) {
            LockRescue.meet(name);
        }
        Integer process = processes == null || ENABLED.containsKey(name) ? null : processes.get(name);
        if (process != null && !seen.contains(process) && ShmNameCheck.maps(process, ShmName.file(name))) {
            seen.add(process);
        }
        String others = ENABLED.containsKey(name) || ShmLayout.isThere(name) ? null : others(name);
        if (others != null) {
            LOG.warn("{}", others);
        }
    }

    private void checkProcess(String name) {
        Integer before = processes == null ? null : processes.get(name);
        int now = before == null ? 0 : ShmLayout.process(name);
        boolean isAnothers = now != 0 && now != before;
        if (isAnothers || before != null && seen.contains(before) && ProcessState.isDead(before)) {
            throw new Unreachable("fi_av_insert: this address vector knows an endpoint with the name " + name
                    + " of process " + before + (isAnothers ? ", and now it is of process " + now + ", which"
                    : ", which has died; whoever takes the name next") + " would crash when the provider gives back "
                    + "to it what the other one has sent; give the new endpoint a new name, as it has if none is "
                    + "given, or remove the address first, once nothing waits that the other one sent");
        }
    }

    /** Why the provider must not get another name, as an error; 0 if it may. */
    private int refusal(String name, int places) {
        if (entries.count() + places > MOST) {
            return -Errno.ENOMEM;
        }
        return mustBeThere && !ENABLED.containsKey(name) && !ShmLayout.isThere(name) ? -Errno.ENOENT : 0;
    }

    @Override
    public String explain(int refusal, byte[] address) {
        if (refusal != -Errno.ENOENT) {
            return FULL;
        }
        String others = others(text(address));
        return others == null ? ABSENT : others;
    }

    /** Of a name that nobody has, while there are some that the provider has made of it; null if there are none. */
    private static String others(String name) {
        List<String> made = ShmLayout.madeOf(name);
        return made.isEmpty() ? null : "there is no endpoint with the name " + name + ", but " + String.join(", ", made)
                + ": libfabric adds the user and a number to most names. Insert what address() of the other node or "
                + "endpoint says, or open that at fi_ns://" + name + ", to which nothing is added";
    }

    @Override
    public void inserted(byte[] address, long value) {
        String name = text(address);
        names.put(value, name);
        entries.put(name, value);
        if (!ENABLED.containsKey(name) && !ShmLayout.isOfOther(name) && expected.add(name)) {
            OtherCopies.expect(name);
        }
        int process = processes == null ? 0 : ShmLayout.process(name);
        if (process != 0) {
            processes.putIfAbsent(name, process);
        }
    }

    @Override
    public void removed(long address) {
        String name = names.remove(address);
        if (processes != null && name != null) {
            processes.remove(name);
        }
    }

    private static String text(byte[] address) {
        int end = 0;
        while (end < address.length && address[end] != 0) {
            end++;
        }
        return plain(new String(address, 0, end, StandardCharsets.UTF_8));
    }

    /** The name without its scheme, which the provider does not look at. */
    private static String plain(String name) {
        return name.substring(NameScheme.end(name));
    }

    @Override
    public byte[] read(long packed) {
        return Memory.string(packed).getBytes(StandardCharsets.UTF_8);
    }
}
