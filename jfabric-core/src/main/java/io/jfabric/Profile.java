// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.fi_profile_desc;
import io.jfabric.bindings.fid_profile;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.ffi.ProfileCallbacks;
import io.jfabric.ffi.ProfileOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a provider counts of a domain or endpoint (fi_profile(3), libfabric 2). Few builds of libfabric have it. Not
 * thread-safe.
 */
public final class Profile extends FabricObject {
    private static final Version SINCE = new Version(2, 0);

    /**
     * Something that is counted, or that happens ({@code struct fi_profile_desc}).
     *
     * @param id its number
     * @param size of its value, in bytes
     * @param name its name
     * @param description what it is
     */
    public record Variable(int id, long size, String name, String description) {
    }

    /** Told of an event; see {@link #registerCallback}. */
    @FunctionalInterface
    public interface Callback {
        /**
         * Something happened.
         *
         * @param event what
         * @param data what the provider says of it, read-only; {@link MemorySegment#NULL} if that is nothing. Not to
         *     be used after the call
         */
        void happened(Variable event, MemorySegment data);
    }

    /** By event: what to remove when this is closed. */
    private final Map<Integer, Long> callbacks = new HashMap<>();

    private Profile(FabricObject parent, long handle) {
        super(parent, handle);
    }

    static Profile open(FabricObject parent, String provider) {
        long fid = parent.fid();
        if (!NativeLibrary.knows(SINCE)) {
            throw FabricException.of("fi_profile_open", Errno.ENOSYS, "profiles need libfabric " + SINCE
                    + " or newer, the loaded one is " + NativeLibrary.version());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("fi_profile_open", FidOps.openOps(fid, arena.allocateFrom("fi_profile_ops").address(), 0,
                    result.address(), 0), "provider " + provider);
            // what comes back is the address of the member "ops" of the profile
            return new Profile(parent, result.get(JAVA_LONG, 0) - fid_profile.ops$offset());
        }
    }

    /**
     * What can be read ({@code fi_profile_query_vars}).
     *
     * @return the variables
     */
    public List<Variable> variables() {
        long fid = handle();
        return query("fi_profile_query_vars", (list, count) -> ProfileOps.queryVars(fid, list, count));
    }

    /**
     * What changes them ({@code fi_profile_query_events}).
     *
     * @return the events
     */
    public List<Variable> events() {
        long fid = handle();
        return query("fi_profile_query_events", (list, count) -> ProfileOps.queryEvents(fid, list, count));
    }

    /**
     * Has a callback called whenever something happens ({@code fi_profile_register_callback}). It replaces the event's
     * former one, and ends with this profile.
     *
     * <p>The provider calls it in whatever thread drives its progress, in the midst of an operation and maybe with
     * locks held: it must be quick, must not block, and of libfabric may call {@link #read} of this profile only. What
     * it throws is logged as a warning.
     *
     * @param event the number of one of the {@link #events()}
     * @param callback what to call
     * @throws IllegalArgumentException if the profile has no such event
     * @throws FabricException {@code FI_ENOSYS} where the provider has no callbacks
     */
    public void registerCallback(int event, Callback callback) {
        long fid = handle();
        Objects.requireNonNull(callback, "fi_profile_register_callback: the callback is null");
        // providers take the number for an index without looking
        Variable known = events().stream().filter(e -> e.id() == event).findFirst().orElseThrow(() ->
                new IllegalArgumentException("fi_profile_register_callback: there is no event " + event
                        + "; see Profile.events()"));
        long id = ProfileCallbacks.add(fid, event, (data, size) -> callback.happened(known,
                data == 0 ? MemorySegment.NULL : Memory.segment(data, size).asReadOnly()));
        check("fi_profile_register_callback", id, null);
        Long former = callbacks.put(event, id);
        if (former != null) {
            ProfileCallbacks.remove(former);
        }
    }

    @Override
    void closed() {
        callbacks.values().forEach(ProfileCallbacks::remove);
        callbacks.clear();
    }

    @FunctionalInterface
    private interface Query {
        long ask(long list, long count);
    }

    private static List<Variable> query(String operation, Query query) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_LONG);
            check(operation, query.ask(0, count.address()), null);
            long room = Math.max(1, count.get(JAVA_LONG, 0));
            MemorySegment list = arena.allocate(room * fi_profile_desc.sizeof(), 8);
            count.set(JAVA_LONG, 0, room);
            check(operation, query.ask(list.address(), count.address()), null);
            List<Variable> found = new ArrayList<>();
            for (long i = 0; i < Math.min(room, count.get(JAVA_LONG, 0)); i++) {
                MemorySegment desc = list.asSlice(i * fi_profile_desc.sizeof(), fi_profile_desc.sizeof());
                found.add(new Variable(fi_profile_desc.id(desc), fi_profile_desc.size(desc),
                        Memory.string(fi_profile_desc.name(desc).address()),
                        Memory.string(fi_profile_desc.desc(desc).address())));
            }
            return List.copyOf(found);
        }
    }

    /**
     * The value of a variable of 8 bytes ({@code fi_profile_read_u64}).
     *
     * @param id its number
     * @return the value, unsigned
     */
    public long read(int id) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocateFrom(JAVA_LONG, JAVA_LONG.byteSize());
            check("fi_profile_read_u64", ProfileOps.readVar(handle(), id, value.address(), size.address()), null);
            return value.get(JAVA_LONG, 0);
        }
    }

    /** Sets all counts to 0 ({@code fi_profile_reset}). */
    public void reset() {
        check("fi_profile_reset", ProfileOps.reset(handle(), 0), null);
    }

    /** Stops the counts, so that what is read now belongs together ({@code fi_profile_start_reads}). */
    public void startReads() {
        check("fi_profile_start_reads", ProfileOps.startReads(handle(), 0), null);
    }

    /** Lets the counts go on ({@code fi_profile_end_reads}). */
    public void endReads() {
        check("fi_profile_end_reads", ProfileOps.endReads(handle(), 0), null);
    }

    @Override
    String kind() {
        return "profile";
    }

    @Override
    int closeRank() {
        return CloseRank.BOUND_REGION;
    }
}
