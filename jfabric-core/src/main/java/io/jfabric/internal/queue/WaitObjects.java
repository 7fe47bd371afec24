// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.FabricException;
import io.jfabric.MutexCondition;
import io.jfabric.PollDescriptor;
import io.jfabric.Waitable;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_mutex_cond;
import io.jfabric.bindings.fi_wait_pollfd;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.Facade;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** {@code FI_GETWAIT} and {@code FI_GETWAITOBJ}, and what to do about the waits of some providers. */
public final class WaitObjects {
    /** Some providers copy a whole mutex and condition to a place for a descriptor or two pointers. */
    private static final long ANSWER_BYTES = 512;
    private static final long POLLFD_BYTES = 8;
    private static final int MANY = 1 << 16;

    private WaitObjects() {
    }

    /** The wait set for the attributes of what is opened in it, null for none; the caller is inside the parent. */
    public static MemorySegment set(FidObject parent, FidObject waitSet) {
        if (waitSet == null) {
            return MemorySegment.NULL;
        }
        parent.checkRelated("fi_wait_open", waitSet);
        return MemorySegment.ofAddress(waitSet.fid());
    }

    /** Keeps the set open: providers follow it when the object is polled or closed. */
    public static <T extends FidObject> T using(T object, FidObject waitSet) {
        if (waitSet != null) {
            object.uses(waitSet);
        }
        return object;
    }

    /**
     * Whether the provider's blocking calls ignore their time-out: before libfabric 2.0 only an event ends its yield
     * wait, the only one that some providers have. Such calls are replaced by polling.
     */
    public static boolean ignoresTimeout(Quirks quirks, WaitObject opened) {
        return opened == WaitObject.YIELD && quirks.has(Quirk.YIELD_WAIT_IGNORES_TIMEOUT)
                || opened == WaitObject.UNSPEC && quirks.has(Quirk.UNSPEC_WAIT_IGNORES_TIMEOUT);
    }

    /**
     * Whether a queue or counter, or the set that it belongs to, polls where it would wait: also if nobody may poll
     * while others post receives, as those would have to wait as long.
     */
    public static boolean polls(DomainState domain, WaitObject opened) {
        return opened != WaitObject.NONE && domain.receiving() != null || ignoresTimeout(domain.quirks(), opened);
    }

    /** Refuses what a provider blocks with in the middle of everything, once its events were not waited for in time. */
    public static void refuseIfSignalsFillUp(String operation, String provider, Quirks quirks, String remedy) {
        if (quirks.has(Quirk.SIGNALS_FILL_UP)) {
            throw FabricException.of(operation, Errno.ENOSYS, "provider " + provider + " hangs when a few hundred "
                    + "events were not waited for; use " + remedy);
        }
    }

    /** Something that it may wait for is being closed, and the provider will not forget that. */
    public static void pollOnly(FidObject object) {
        if (object instanceof NativeWaitable waitable) {
            waitable.pollOnly();
        }
    }

    /** Whether all of them can be passed to {@code fi_trywait}; throws if one never can. */
    public static boolean canBeTried(Quirks quirks, Waitable... objects) {
        boolean can = true;
        for (Waitable waitable : objects) {
            WaitObject opened = waitable.requestedWaitObject();
            boolean yields = yields(quirks, waitable);
            if (opened == WaitObject.NONE || yields) {
                throw new IllegalArgumentException("fi_trywait: the " + Facade.unwrap(waitable).kind() + " was opened "
                        + (opened == WaitObject.SET ? "in a wait set that yields" : yields ? "to wait by yielding"
                        : "without a wait object") + "; open it with WaitObject.FD");
            }
            can &= !((NativeWaitable) waitable).isPollOnly();
        }
        return can;
    }

    private static boolean yields(Quirks quirks, Waitable waitable) {
        WaitObject opened = waitable.requestedWaitObject();
        boolean[] yields = {opened == WaitObject.YIELD
                || opened == WaitObject.UNSPEC && quirks.has(Quirk.CANNOT_TRY_TO_YIELD)};
        if (opened == WaitObject.SET) {
            Facade.unwrap(waitable).eachUsed(used ->
                    yields[0] |= used instanceof NativeWaitable set && yields(quirks, set));
        }
        return yields[0];
    }

    /** Some providers follow the pointer to a wait object without checking that there is one. */
    public static void requireWaitable(String operation, WaitObject opened) {
        if (opened == WaitObject.NONE || opened == WaitObject.SET) {
            throw FabricException.of(operation, Errno.ENOSYS, opened == WaitObject.NONE
                    ? "it was opened without a wait object; open it with WaitObject.UNSPEC"
                    : "it belongs to a wait set; wait for that");
        }
    }

    public static WaitObject actual(FidObject object, WaitObject opened) {
        if (opened == WaitObject.NONE || opened == WaitObject.SET) {
            return opened;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
            answer.set(JAVA_INT, 0, -1);
            int result = ask(object, Libfabric.FI_GETWAITOBJ(), answer);
            int code = answer.get(JAVA_INT, 0);
            for (WaitObject known : WaitObject.values()) {
                // providers that do not know the command leave the answer as it was, whatever they return
                if (result == 0 && known.code() == code && known != WaitObject.NONE && known != WaitObject.UNSPEC) {
                    return known;
                }
            }
            return opened;
        }
    }

    public static int fileDescriptor(FidObject object, WaitObject actual) {
        require(object, actual, WaitObject.FD);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
            answer.set(JAVA_INT, 0, -1);
            Results.check("fi_control(FI_GETWAIT)", ask(object, Libfabric.FI_GETWAIT(), answer), noneFor(object));
            int fd = answer.get(JAVA_INT, 0);
            if (fd < 0) {
                throw FabricException.of("fi_control(FI_GETWAIT)", Errno.ENOSYS, noneFor(object));
            }
            return fd;
        }
    }

    public static List<PollDescriptor> pollDescriptors(FidObject object, WaitObject actual) {
        require(object, actual, WaitObject.POLLFD);
        int capacity = 8;
        while (true) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment fds = arena.allocate(capacity * POLLFD_BYTES, 8);
                MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
                fi_wait_pollfd.nfds(answer, capacity);
                fi_wait_pollfd.fd(answer, fds);
                int result = ask(object, Libfabric.FI_GETWAIT(), answer);
                int count = (int) Math.min(fi_wait_pollfd.nfds(answer), MANY);
                if (result == -Errno.ETOOSMALL && count > capacity) {
                    capacity = count;
                    continue;
                }
                Results.check("fi_control(FI_GETWAIT)", result, noneFor(object));
                List<PollDescriptor> list = new ArrayList<>();
                for (long at = 0; at < count * POLLFD_BYTES; at += POLLFD_BYTES) {
                    list.add(new PollDescriptor(fds.get(JAVA_INT, at), fds.get(ValueLayout.JAVA_SHORT, at + 4)));
                }
                return List.copyOf(list);
            }
        }
    }

    @Deprecated
    public static MutexCondition mutexCondition(FidObject object, WaitObject actual) {
        require(object, actual, WaitObject.MUTEX_COND);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
            Results.check("fi_control(FI_GETWAIT)", ask(object, Libfabric.FI_GETWAIT(), answer), noneFor(object));
            if (answer.asSlice(fi_mutex_cond.sizeof()).mismatch(arena.allocate(ANSWER_BYTES)) < ANSWER_BYTES
                    - fi_mutex_cond.sizeof() && answer.get(JAVA_LONG, fi_mutex_cond.sizeof()) != 0) {
                throw FabricException.of("fi_control(FI_GETWAIT)", Errno.ENOSYS,
                        "the provider hands out a copy of its mutex, which is of no use");
            }
            return new MutexCondition(fi_mutex_cond.mutex(answer).address(), fi_mutex_cond.cond(answer).address());
        }
    }

    private static int ask(FidObject object, int command, MemorySegment answer) {
        return object.call(fid -> FidOps.control(fid, command, answer.address()));
    }

    private static void require(FidObject object, WaitObject actual, WaitObject needed) {
        object.handle();
        if (actual != needed) {
            throw FabricException.of("fi_control(FI_GETWAIT)", Errno.ENOSYS, "the " + object.kind()
                    + " has the wait object " + actual + "; open it with WaitObject." + needed);
        }
    }

    private static String noneFor(FidObject object) {
        return "the provider has no such wait object for a " + object.kind();
    }
}
