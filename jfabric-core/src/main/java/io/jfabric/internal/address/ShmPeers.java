// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.AddressVector;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.LockRescue;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What shm takes for granted of peers in its own process: it uses their memory directly, without asking whether it is
 * there yet, or still. Each address vector has one of these.
 */
public final class ShmPeers {
    private static final Logger LOG = LoggerFactory.getLogger(AddressVector.class);
    private static final int MOST = 256;
    /** Of names of files. */
    private static final int LONGEST = 250;
    private static final Set<ShmPeers> ALL = Collections.synchronizedSet(
            Collections.newSetFromMap(new WeakHashMap<>()));
    /** Names of closed endpoints: the provider would still use their memory. */
    private static final Set<String> GONE = ConcurrentHashMap.newKeySet();

    /** The enabled endpoints of this process, with their vectors. */
    private static final Map<String, ShmPeers> ENABLED = new ConcurrentHashMap<>();
    /** For exceptions. */
    private static final String FULL = "an address vector of this provider takes " + MOST + " addresses, and keeps "
            + "those that are removed; open another vector";
    private static final String ABSENT = "there is no such endpoint yet, or no more; this release of libfabric would "
            + "send what is meant for it to another peer: enable the endpoint first, then insert its address";

    private final AddressVectorImpl vector;
    /** Whether that is still to be told. */
    private final AtomicBoolean mayCrash;
    /** Ours, so that a thread that closes an endpoint need not ask a vector that another may be closing. */
    private final Map<Long, String> names = new ConcurrentHashMap<>();
    /** All that the provider has, also what was removed; names to addresses. */
    private final Map<String, Long> entries = new ConcurrentHashMap<>();

    /** Of the entries, those of endpoints of this process that are closed. */
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    /** The processes of names, where it matters; null elsewhere. */
    private final Map<String, Integer> processes;
    /** Whether the provider loses its place for a name that nobody has yet. */
    private final boolean mustBeThere;
    /** Whether it matters later that their processes were seen. */
    private final boolean mayDie;

    private ShmPeers(AddressVectorImpl vector, Quirks quirks) {
        this.processes = quirks.has(Quirk.RETURNS_TO_NAMES) ? new ConcurrentHashMap<>() : null;
        this.mustBeThere = quirks.has(Quirk.ABSENT_PEERS_SHARE);
        this.mayDie = quirks.has(Quirk.ANSWERS_OF_THE_DEAD);
        this.vector = vector;
        this.mayCrash = new AtomicBoolean(quirks.has(Quirk.ANSWERS_IN_PROCESS));
    }

    public static boolean is(FabricInfoImpl info) {
        return Quirks.of(info.provider()).has(Quirk.PEERS_IN_PROCESS);
    }

    public static ShmPeers of(AddressVectorImpl vector, Quirks quirks) {
        ShmPeers peers = new ShmPeers(vector, quirks);
        ALL.add(peers);
        return peers;
    }

    /** An endpoint of this process can be found from here on. */
    public static void enabled(Address own, AddressVectorImpl vector) {
        String name = plain(own.toText());
        ENABLED.put(name, vector.shmPeers());
        ShmLayout.learn(name);
    }

    /** Of an endpoint with that vector: whether an enabled endpoint of this process knows it, or is known by it. */
    public static boolean isReferred(String fullName, AddressVectorImpl itsVector) {
        String name = plain(fullName);
        Set<String> known = itsVector.shmPeers().entries.keySet();
        for (Map.Entry<String, ShmPeers> other : ENABLED.entrySet()) {
            if (!other.getKey().equals(name)
                    && (known.contains(other.getKey()) || other.getValue().entries.containsKey(name))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a vector has addresses of endpoints that are not of this process. */
    public static boolean knowsOthers(AddressVectorImpl vector) {
        return vector.shmPeers().entries.keySet().stream()
                .anyMatch(name -> !ENABLED.containsKey(name) && !GONE.contains(name));
    }

    /** Whether an address of a vector was that of an endpoint of this process that is closed. */
    public static boolean isClosed(long address, AddressVectorImpl vector) {
        ShmPeers peers = vector.shmPeers();
        return peers != null && peers.gone.stream().anyMatch(name -> Long.valueOf(address).equals(
                peers.entries.get(name)));
    }

    /** Nothing may be sent to it from here on. */
    public static void closing(Address own) {
        String name = plain(own.toText());
        ENABLED.remove(name);
        GONE.add(name);
        for (ShmPeers peers : List.copyOf(ALL)) {
            peers.forget(name);
        }
    }

    private void forget(String name) {
        if (entries.containsKey(name)) {
            gone.add(name);
        }
        names.forEach((address, known) -> {
            if (known.equals(name)) {
                vector.forget(address);
            }
        });
    }

    /** A name that the provider cannot reach, or no more. */
    static final class Unreachable extends IllegalStateException {
        private static final long serialVersionUID = 1;

        Unreachable(String message) {
            super(message);
        }
    }

    /** Before anything is inserted. */
    static void checkName(byte[] address) {
        String name = text(address);
        if (name.isEmpty() || name.contains("/") || name.startsWith(".") || address.length > LONGEST) {
            throw new IllegalArgumentException("fi_av_insert: \"" + name + "\" cannot be the name of a file in "
                    + "/dev/shm; the provider crashes when it sends to a name that it cannot even look for");
        }
    }

    /** Before an insertion, in it: what the provider has the name as already; null for a new one. */
    Long enter(byte[] address) {
        checkName(address);
        String name = text(address);
        if (GONE.contains(name) || gone.contains(name)) {
            throw new Unreachable("fi_av_insert: this process has closed an endpoint with the name "
                    + name + "; the provider cannot reach another with that name from here: give the new "
                    + "endpoint a new name");
        }
        ShmLayout.check(name);
        checkProcess(name);
        return entries.get(name);
    }

    /** After an insertion, outside of the vector: whoever logs, or looks at a process, may wait. */
    void met(byte[] address) {
        String name = text(address);
        if (mayDie) {
            LockRescue.meet(name);
        }
        ShmPeers there = ENABLED.get(name);
        if (there != null && there != this && mayCrash.compareAndSet(true, false)) {
            LOG.warn("{} is of this process: libfabric 2.5 and newer may crash when one endpoint answers another "
                    + "of its process by this provider with more than a few KiB; between processes it does not", name);
        }
    }

    private void checkProcess(String name) {
        Integer before = processes == null ? null : processes.get(name);
        int now = before == null ? 0 : ShmLayout.process(name);
        if (now != 0 && now != before) {
            throw new Unreachable("fi_av_insert: this address vector knows an endpoint with the name " + name
                    + " of process " + before + ", and now it is of process " + now + ", which would crash when the "
                    + "provider gives back to it what the other one has sent; give the new endpoint a new name, as it "
                    + "has if none is given, or remove the address first, once nothing waits that the other one sent");
        }
    }

    /** Why the provider must not get another name, as an error; 0 if it may. */
    int refusal(byte[] address) {
        if (entries.size() >= MOST) {
            return -Errno.ENOMEM;
        }
        String name = text(address);
        return mustBeThere && !ENABLED.containsKey(name) && !ShmLayout.isThere(name) ? -Errno.ENOENT : 0;
    }

    static String explain(int refusal) {
        return refusal == -Errno.ENOENT ? ABSENT : FULL;
    }

    /** After an insertion. */
    void inserted(byte[] address, long value) {
        String name = text(address);
        names.put(value, name);
        entries.put(name, value);
        int process = processes == null ? 0 : ShmLayout.process(name);
        if (process != 0) {
            processes.putIfAbsent(name, process);
        }
    }

    void removed(long address) {
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
        int scheme = name.indexOf("://");
        return scheme < 0 ? name : name.substring(scheme + 3);
    }

    /** One name at an address of jfabric's own. */
    static byte[] name(long address) {
        return Memory.string(address).getBytes(StandardCharsets.UTF_8);
    }
}
