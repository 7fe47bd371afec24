// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a child is doing, in a mapped file: it survives the child, whatever that dies of. Numbers first, then for each
 * thread its latest calls, then how often each target was called.
 */
final class Ring {
    /** Numbers of the whole run. */
    enum Number {
        STATE, WORLDS, RSS_BASE, RSS_NOW, FDS_BASE, FDS_NOW, SHM_BASE, SHM_NOW, UNDOCUMENTED, LATE, BROKEN,
        SCENES_FAILED, PEERS_KILLED
    }

    static final long RUNNING = 1;
    static final long DONE = 2;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final int SLOTS = 1 << 14;
    private static final int SLOT_BYTES = 512;
    private static final int NUMBERS = 512;
    private static final int THREAD_HEAD = 64;
    private static final long THREAD_BYTES = THREAD_HEAD + (long) SLOTS * SLOT_BYTES;

    private final MemorySegment file;
    private final int threads;
    private final int targets;

    Ring(Path path, int threads, int targets) {
        this.threads = threads;
        this.targets = targets;
        long size = NUMBERS + threads * THREAD_BYTES + 16L * targets;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long get(long offset) {
        return (long) LONG.getOpaque(file, offset);
    }

    private void set(long offset, long value) {
        LONG.setOpaque(file, offset, value);
    }

    long get(Number number) {
        return get(8L * number.ordinal());
    }

    void set(Number number, long value) {
        set(8L * number.ordinal(), value);
    }

    void count(Number number) {
        long ignored = (long) LONG.getAndAdd(file, 8L * number.ordinal(), 1L);
    }

    private static long thread(int thread) {
        return NUMBERS + thread * THREAD_BYTES;
    }

    private long target(int target) {
        return NUMBERS + threads * THREAD_BYTES + 16L * target;
    }

    /** Notes a call; before it is made. Gives when the call began that this one is inside of; 0 if there is none. */
    long begin(int thread, int target, CharSequence text) {
        long head = thread(thread);
        long entry = get(head + 16);
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        int length = Math.min(bytes.length, SLOT_BYTES - 4);
        long slot = head + THREAD_HEAD + entry % SLOTS * SLOT_BYTES;
        file.set(ValueLayout.JAVA_INT, slot, length);
        MemorySegment.copy(bytes, 0, file, ValueLayout.JAVA_BYTE, slot + 4, length);
        set(head + 16, entry + 1);
        long outer = get(head + 8);
        set(head + 8, System.nanoTime());
        if (target >= 0) {
            set(head, get(head) + 1);
            long ignored = (long) LONG.getAndAdd(file, target(target), 1L);
        }
        return outer;
    }

    /** The call came back; {@code normally} if without an exception. */
    void end(int thread, int target, boolean normally, long outer) {
        set(thread(thread) + 8, outer);
        if (normally && target >= 0) {
            long ignored = (long) LONG.getAndAdd(file, target(target) + 8, 1L);
        }
    }

    /** A remark, and what is noted next is no call. */
    void end(int thread) {
        set(thread(thread) + 8, 0);
    }

    long calls() {
        long sum = 0;
        for (int i = 0; i < threads; i++) {
            sum += get(thread(i));
        }
        return sum;
    }

    long calls(int target) {
        return get(target(target));
    }

    long succeeded(int target) {
        return get(target(target) + 8);
    }

    /** For how long the slowest of the calls under way has been running. */
    long longestNanos() {
        long now = System.nanoTime();
        long longest = 0;
        for (int i = 0; i < threads; i++) {
            long start = get(thread(i) + 8);
            longest = start == 0 ? longest : Math.max(longest, now - start);
        }
        return longest;
    }

    /** Whether a thread is, or was at its end, inside a call. */
    boolean isInside(int thread) {
        return get(thread(thread) + 8) != 0;
    }

    /** The latest calls of a thread, the last one last. */
    List<String> latest(int thread, int count) {
        long head = thread(thread);
        long end = get(head + 16);
        List<String> calls = new ArrayList<>();
        for (long entry = Math.max(0, end - Math.min(count, SLOTS)); entry < end; entry++) {
            long slot = head + THREAD_HEAD + entry % SLOTS * SLOT_BYTES;
            int length = Math.clamp(file.get(ValueLayout.JAVA_INT, slot), 0, SLOT_BYTES - 4);
            byte[] bytes = file.asSlice(slot + 4, length).toArray(ValueLayout.JAVA_BYTE);
            calls.add(entry + " " + new String(bytes, StandardCharsets.ISO_8859_1));
        }
        return calls;
    }

    int threads() {
        return threads;
    }

    int targets() {
        return targets;
    }
}
