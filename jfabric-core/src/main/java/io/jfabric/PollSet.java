// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_poll_attr;
import io.jfabric.bindings.fid;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.PollOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Completion queues and counters that are looked at together (fi_poll(3)). Thread-safe as far as the domain's
 * threading level is.
 *
 * @deprecated as in libfabric: poll the queues themselves
 */
@Deprecated
public final class PollSet extends FabricObject {
    private final Domain domain;
    private final List<FabricObject> members = new ArrayList<>();

    private PollSet(Domain domain, long handle) {
        super(domain, handle);
        this.domain = domain;
    }

    static PollSet open(Domain domain) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_poll_attr.allocate(arena);
            return new PollSet(domain, domain.open("fi_poll_open", (d, result) ->
                    DomainOps.pollOpen(d, attr.address(), result)));
        }
    }

    /**
     * Adds a queue ({@code fi_poll_add}). It cannot be closed as long as it is in the set.
     *
     * @param queue of the same domain
     * @return this
     */
    public PollSet add(CompletionQueue queue) {
        return addObject(queue);
    }

    /**
     * Adds a counter ({@code fi_poll_add}). It cannot be closed as long as it is in the set.
     *
     * @param counter of the same domain
     * @return this
     */
    public PollSet add(Counter counter) {
        return addObject(counter);
    }

    private PollSet addObject(FabricObject object) {
        long member = object.handle();
        // the set reports its members by their contexts, which jfabric leaves empty otherwise
        Memory.putLong(member + fid.context$offset(), member);
        check("fi_poll_add", PollOps.add(handle(), member, 0), "adding a " + object.kind());
        members.add(object);
        uses(object);
        return this;
    }

    /**
     * Removes a queue ({@code fi_poll_del}).
     *
     * @param queue a member
     * @return this
     */
    public PollSet remove(CompletionQueue queue) {
        return removeObject(queue);
    }

    /**
     * Removes a counter ({@code fi_poll_del}).
     *
     * @param counter a member
     * @return this
     */
    public PollSet remove(Counter counter) {
        return removeObject(counter);
    }

    private PollSet removeObject(FabricObject object) {
        check("fi_poll_del", PollOps.remove(handle(), object.handle(), 0), "removing a " + object.kind());
        members.remove(object);
        if (!members.contains(object)) {
            usesNoLonger(object);
        }
        return this;
    }

    /**
     * Looks which members have something to read, and drives progress ({@code fi_poll}).
     *
     * @return queues with entries and counters that changed
     */
    public List<FabricObject> poll() {
        long set = handle();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment contexts = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, members.size()));
            int count = PollOps.poll(set, contexts.address(), members.size());
            if (count == -Errno.EAGAIN) {
                return List.of();
            }
            check("fi_poll", count, null);
            List<FabricObject> ready = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                FabricObject member = domain.find(contexts.getAtIndex(ValueLayout.JAVA_LONG, i));
                if (member != null) {
                    ready.add(member);
                }
            }
            return ready;
        }
    }

    @Override
    String kind() {
        return "poll set";
    }

    @Override
    int closeRank() {
        return CloseRank.POLL_SET;
    }
}
