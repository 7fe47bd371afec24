// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.domain;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.FabricException;
import io.jfabric.Profile;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_profile_desc;
import io.jfabric.bindings.fid_profile;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.ops.ProfileCallbacks;
import io.jfabric.internal.ops.ProfileOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** {@link Profile}. */
public final class ProfileImpl extends FidObject implements Profile {
    private static final Version SINCE = new Version(2, 0);

    /** By event: what to remove when this is closed. */
    private final Map<Integer, Long> callbacks = new ConcurrentHashMap<>();

    /** Whether most variables have no memory. */
    private final boolean isEmpty;

    private ProfileImpl(FidObject parent, boolean isEmpty, long handle) {
        super(parent, handle);
        this.isEmpty = isEmpty;
    }

    public static ProfileImpl open(FidObject parent, DomainState domain) {
        parent.fid();
        Known.require("fi_profile_open", "a profile", SINCE);
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom("fi_profile_ops").address();
            return parent.call(fid -> {
                // what comes back is the address of the member "ops" of the profile
                long ops = Opening.open(fid, "fi_profile_open", (object, result) ->
                        FidOps.openOps(object, name, 0, result, 0), "provider " + domain.info().provider());
                return Opening.of(ops - fid_profile.ops$offset(), profile ->
                        new ProfileImpl(parent, domain.quirks().has(Quirk.PROFILE_OF_NOTHING), profile));
            });
        }
    }

    @Override
    public List<Variable> variables() {
        return call(fid -> query("fi_profile_query_vars", (list, count) -> ProfileOps.queryVars(fid, list, count)));
    }

    @Override
    public List<Variable> events() {
        return call(fid -> query("fi_profile_query_events", (list, count) ->
                ProfileOps.queryEvents(fid, list, count)));
    }

    @Override
    public synchronized void registerCallback(int event, Callback callback) {
        handle();
        Objects.requireNonNull(callback, "fi_profile_register_callback: the callback is null");
        // providers take the number for an index without looking
        Variable known = events().stream().filter(e -> e.id() == event).findFirst().orElseThrow(() ->
                new IllegalArgumentException("fi_profile_register_callback: there is no event " + event
                        + "; see Profile.events()"));
        ProfileCallbacks.Sink handler = (data, size) -> callback.happened(known,
                data == 0 ? MemorySegment.NULL : Memory.segment(data, size).asReadOnly());
        // in one step: whoever closes the profile takes back what is noted here
        long result = call(fid -> {
            long id = ProfileCallbacks.add(fid, event, handler);
            Long former = id < 0 ? null : callbacks.put(event, id);
            if (former != null) {
                ProfileCallbacks.remove(former);
            }
            return id;
        });
        check("fi_profile_register_callback", result, null);
    }

    @Override
    protected void closed() {
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

    @Override
    public long read(int id) {
        if (isEmpty && id != Libfabric.FI_VAR_UNEXP_MSG_CNT()) {
            throw FabricException.of("fi_profile_read_u64", Errno.EOPNOTSUPP, "of variable " + id + " this provider "
                    + "counts nothing, and crashes; it counts variable " + Libfabric.FI_VAR_UNEXP_MSG_CNT() + " only");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocateFrom(JAVA_LONG, JAVA_LONG.byteSize());
            long result = call(fid -> ProfileOps.readVar(fid, id, value.address(), size.address()));
            check("fi_profile_read_u64", result, null);
            return value.get(JAVA_LONG, 0);
        }
    }

    @Override
    public void reset() {
        check("fi_profile_reset", call(fid -> ProfileOps.reset(fid, 0)), null);
    }

    @Override
    public void startReads() {
        handle();
        if (isEmpty) {
            throw FabricException.of("fi_profile_start_reads", Errno.EOPNOTSUPP, "this provider reads variables that "
                    + "it does not have, and crashes; read one without it");
        }
        check("fi_profile_start_reads", call(fid -> ProfileOps.startReads(fid, 0)), null);
    }

    @Override
    public void endReads() {
        check("fi_profile_end_reads", call(fid -> ProfileOps.endReads(fid, 0)), null);
    }

    @Override
    public String kind() {
        return "profile";
    }

    @Override
    protected int closeRank() {
        return CloseRank.BOUND_REGION;
    }
}
