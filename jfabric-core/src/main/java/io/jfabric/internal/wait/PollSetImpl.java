// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.wait;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.FabricObject;
import io.jfabric.bindings.fi_poll_attr;
import io.jfabric.bindings.fid;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.Exclusive;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.ops.PollOps;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.wait.PollSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** {@link PollSet}. */
@Deprecated
public final class PollSetImpl extends FidObject implements PollSet {
    private final DomainState domain;
    private final List<FidObject> members = new CopyOnWriteArrayList<>();
    /** Polling goes through the members, which some providers do not protect from threads that change them. */
    private final ReentrantLock alone = new ReentrantLock();

    private PollSetImpl(DomainState domain, long handle) {
        super(domain.object(), handle);
        this.domain = domain;
    }

    public static PollSetImpl open(DomainState domain) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_poll_attr.layout());
            return domain.open("fi_poll_open", (d, result) -> DomainOps.pollOpen(d, attr.address(), result),
                    poll -> new PollSetImpl(domain, poll));
        }
    }

    @Override
    public PollSetImpl add(CompletionQueue queue) {
        return addObject((CompletionQueueImpl) queue);
    }

    @Override
    public PollSetImpl add(Counter counter) {
        return addObject((CounterImpl) counter);
    }

    private PollSetImpl addObject(FidObject object) {
        checkRelated("fi_poll_add", Objects.requireNonNull(object, "fi_poll_add: the object is null"));
        return call(set -> {
            long member = object.fid();
            // the set reports its members by their contexts, which jfabric leaves empty otherwise
            Memory.putLong(member + fid.context$offset(), member);
            alone.lock();
            try {
                // if added twice and removed once, it would no longer be reported; with some providers it still would
                if (!members.contains(object)) {
                    check("fi_poll_add", PollOps.add(set, member, 0), "adding a " + object.kind());
                    members.add(object);
                    uses(object);
                }
            } finally {
                alone.unlock();
            }
            return this;
        });
    }

    @Override
    public PollSetImpl remove(CompletionQueue queue) {
        return removeObject((CompletionQueueImpl) queue);
    }

    @Override
    public PollSetImpl remove(Counter counter) {
        return removeObject((CounterImpl) counter);
    }

    private PollSetImpl removeObject(FidObject object) {
        Objects.requireNonNull(object, "fi_poll_del: the object is null");
        return call(set -> {
            alone.lock();
            try {
                if (!members.contains(object)) {
                    throw new IllegalArgumentException("fi_poll_del: the " + object.kind() + " is not in the poll set");
                }
                check("fi_poll_del", PollOps.remove(set, object.fid(), 0), "removing a " + object.kind());
                members.remove(object);
                usesNoLonger(object);
            } finally {
                alone.unlock();
            }
            return this;
        });
    }

    @Override
    public List<FabricObject> poll() {
        return call(this::poll);
    }

    private List<FabricObject> poll(long set) {
        int room = members.size();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment contexts = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, room));
            int count = poll(set, contexts, room);
            if (count != -Errno.EAGAIN) {
                check("fi_poll", count, null);
            }
            List<FabricObject> ready = new ArrayList<>();
            // what was read from a queue but not delivered is unknown to the provider
            members.stream().filter(member -> member instanceof CompletionQueueImpl queue && queue.hasUnread())
                    .forEach(ready::add);
            for (int i = 0; i < count; i++) {
                FidObject member = find(contexts.getAtIndex(ValueLayout.JAVA_LONG, i));
                if (member != null && !ready.contains(member)) {
                    ready.add(member);
                }
            }
            return ready;
        }
    }

    /** Polls the members, which makes operations progress. */
    private int poll(long set, MemorySegment contexts, int room) {
        Exclusive receiving = domain.receiving();
        alone.lock();
        try {
            Exclusive.enter(receiving);
            try {
                return PollOps.poll(set, contexts.address(), room);
            } finally {
                Exclusive.leave(receiving);
            }
        } finally {
            alone.unlock();
        }
    }

    @Override
    public String kind() {
        return "poll set";
    }

    @Override
    protected int closeRank() {
        return CloseRank.POLL_SET;
    }
}
