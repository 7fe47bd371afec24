// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the provider has of names in one address vector, also what was removed. For a name it keeps the file that it
 * has mapped, whether or not that was removed and made anew since, and the number by which the endpoint there knew this
 * side. So the endpoint of another process with that name gets an entry of its own: with a slash more before it, the
 * name is another to the provider, and to the C library, which opens the file, it is the same.
 */
final class ShmEntries {
    private final Map<String, Entry> newest = new ConcurrentHashMap<>();
    private final Set<String> twice = ConcurrentHashMap.newKeySet();
    /** Of all, not the newest only. */
    private final AtomicInteger count = new AtomicInteger();

    /**
     * @param holder whose it was when it was inserted; null if it was nobody's
     * @param earlier how many there are of that name beside this one
     */
    private record Entry(long value, ShmLayout.Holder holder, int earlier) {
        /** A file that was removed since, if the provider met one that was not there at first, is still mapped. */
        boolean isOf(String name, ShmLayout.Holder now) {
            if (now == null || holder != null && holder.isSame(now)) {
                return true;
            }
            // the provider has mapped the new file in place of the old one if that endpoint has written first
            return (holder == null || !holder.file().equals(now.file())) && !ShmLayout.mapsRemoved(name);
        }
    }

    Set<String> names() {
        return newest.keySet();
    }

    boolean has(String name) {
        return newest.containsKey(name);
    }

    int count() {
        return count.get();
    }

    /** The provider has a name with a slash before it, and gets it as it is, too. */
    void addSpelling(String name) {
        count.incrementAndGet();
        twice.add(name);
    }

    /** Whether it has the name by one spelling alone. */
    boolean isSingle(String name) {
        return has(name) && !twice.contains(name);
    }

    /** Null if it has none. */
    Long value(String name) {
        Entry entry = newest.get(name);
        return entry == null ? null : entry.value;
    }

    /** Whether the name has become another endpoint's since it was inserted. */
    boolean isAnothers(String name) {
        Entry entry = newest.get(name);
        return entry != null && !entry.isOf(name, ShmLayout.holder(name));
    }

    /** As the provider is to know it. */
    byte[] forProvider(String name, byte[] address) {
        Entry entry = newest.get(name);
        return entry == null ? address : withSlashes(address, entry.earlier + 1);
    }

    /** The same file's name, and another to the provider; it ends in a NUL byte, whether or not the address does. */
    static byte[] withSlashes(byte[] address, int count) {
        String text = new String(address, StandardCharsets.UTF_8);
        int at = NameScheme.end(text);
        String end = text.endsWith("\0") ? "" : "\0";
        return (text.substring(0, at) + "/".repeat(count) + text.substring(at) + end).getBytes(StandardCharsets.UTF_8);
    }

    /** What the provider knows, as it was given. */
    static byte[] given(byte[] address) {
        String text = new String(address, StandardCharsets.UTF_8);
        int at = NameScheme.end(text);
        return (text.substring(0, at) + text.substring(at).replaceFirst("^/+", "")).getBytes(StandardCharsets.UTF_8);
    }

    /** After an insertion. */
    void put(String name, long value) {
        Entry entry = newest.get(name);
        if (entry != null && entry.value == value) {
            if (entry.holder == null) {
                newest.put(name, new Entry(value, ShmLayout.holder(name), entry.earlier));
            }
            return;
        }
        count.incrementAndGet();
        newest.put(name, new Entry(value, ShmLayout.holder(name), entry == null ? 0 : entry.earlier + 1));
    }
}
