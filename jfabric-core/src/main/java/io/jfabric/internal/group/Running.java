// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A collective operation under way. The thread that finds the last message of a round over does the work in memory that
 * follows, and starts the next round.
 */
final class Running {
    private final String name;
    private final Transport transport;
    private final Schedule schedule;
    private final List<List<Schedule.Step>> rounds;
    private final int group;
    private final int operation;
    private final Function<Throwable, List<Runnable>> failed;
    private final Consumer<Throwable> over;
    private final CompletableFuture<Void> future;
    /** Messages of this round that are under way, plus one while it is being started; at the end, early ones. */
    private final AtomicInteger pending = new AtomicInteger();
    private final List<Message> messages = new ArrayList<>();
    /** Receives of later rounds that are under way already. */
    private final Map<Schedule.Receive, Message> ahead = new IdentityHashMap<>();
    private boolean finished;
    private volatile Throwable failure;
    /** Whether a message that could not be started may be using its memory nevertheless. */
    private volatile boolean unknown;
    private long deadline;
    private int next;

    private static final class Message {
        final int with;
        final int round;
        /** What the transport knows it by; null until it is started. */
        Object started;
        /** Whether its round has come, and waits for its end. */
        private boolean counts;
        private boolean over;
        /** What it has failed with. Not told before its round has come: those before it end first. */
        private Throwable problem;

        Message(int with, int round, boolean counts) {
            this.with = with;
            this.round = round;
            this.counts = counts;
        }

        /**
         * Notes its end; returns whether its round waits for that. Not if it has ended before: a start that fails may
         * have an end nevertheless.
         */
        synchronized boolean end(Throwable why) {
            boolean first = !over;
            over = true;
            problem = first ? why : problem;
            return first && counts;
        }

        /** Its round has come; returns whether that has to wait for it. */
        synchronized boolean count() {
            counts = true;
            return !over;
        }

        synchronized boolean isOver() {
            return over;
        }

        synchronized Throwable problem() {
            return problem;
        }
    }

    /**
     * An operation of a group.
     *
     * @param failed called at once when it fails; returns what is to be done then
     * @param over called once when it is over, with null if it went well
     */
    Running(String name, Transport transport, Schedule schedule, int group, int operation,
            Function<Throwable, List<Runnable>> failed, Consumer<Throwable> over) {
        this.name = name;
        this.transport = transport;
        this.schedule = schedule;
        this.rounds = schedule.rounds();
        this.group = group;
        this.operation = operation;
        this.failed = failed;
        this.over = over;
        this.future = transport.future(name);
    }

    String name() {
        return name;
    }

    /** The ranks whose messages it waits for. */
    int[] waitsFor() {
        synchronized (messages) {
            return messages.stream().filter(message -> !message.isOver()).mapToInt(message -> message.with).toArray();
        }
    }

    /** Its number in the group. */
    int operation() {
        return operation;
    }

    CompletableFuture<Void> start(Duration longest) {
        deadline = Clock.after(longest);
        proceed();
        // cancelled, or ended by somebody else
        future.whenComplete((nothing, problem) -> {
            if (problem != null) {
                fail(problem);
            } else if (!isFinished()) {
                fail(new CancellationException(name + ": completed by the program"));
            }
        });
        return future;
    }

    private boolean isFinished() {
        synchronized (messages) {
            return finished;
        }
    }

    private void proceed() {
        while (next < rounds.size() && failure == null) {
            List<Schedule.Step> round = rounds.get(next);
            pending.set(1);
            try {
                post(round);
            } catch (RuntimeException | Error e) {
                unknown = true;
                fail(e);
            }
            if (pending.decrementAndGet() > 0) {
                return;
            }
            afterRound(round);
        }
        if (!waitsForEarly()) {
            finish();
        }
    }

    /** Whether early receives have still to end, as after a failure, which cancels them. The last end goes on. */
    private boolean waitsForEarly() {
        pending.set(1);
        ahead.values().forEach(this::count);
        ahead.clear();
        return pending.decrementAndGet() > 0;
    }

    private void post(List<Schedule.Step> round) {
        synchronized (messages) {
            messages.removeIf(message -> message.round < next);
        }
        // receives first, so that what the others have sent already goes where it belongs
        for (Schedule.Step step : round) {
            if (step instanceof Schedule.Receive receive) {
                Message early = ahead.remove(receive);
                if (early != null) {
                    count(early);
                } else {
                    receive(receive, new Message(receive.from(), next, true));
                }
            }
        }
        for (Schedule.Step step : round) {
            if (step instanceof Schedule.Send(var data, var to, var number)) {
                keep(new Message(to, next, true), message -> transport.send(data, to,
                        Tags.of(group, operation, number, transport.rank()), deadline,
                        (bytes, problem) -> ended(message, explained("to", to, problem))));
            }
        }
        // with most, no receive gains by it: then there is no need to look through them
        if (transport.gainsByEarlyReceives(Long.MAX_VALUE)) {
            receiveAhead();
        }
    }

    private void receiveAhead() {
        for (var early : Ahead.of(rounds, next)) {
            Schedule.Receive step = early.receive();
            if (!ahead.containsKey(step)) {
                // each takes a place: none goes ahead of one that does not
                if (!transport.gainsByEarlyReceives(step.room().byteSize())) {
                    return;
                }
                Message message = new Message(step.from(), early.round(), false);
                ahead.put(step, message);
                receive(step, message);
            }
        }
    }

    private void receive(Schedule.Receive step, Message message) {
        MemorySegment room = step.room();
        long expected = room.byteSize();
        keep(message, one -> transport.receive(room, step.from(), Tags.of(group, operation, step.number(), step.from()),
                deadline, (bytes, problem) -> received(one, expected, bytes, problem)));
    }

    /** Makes the round wait for a message that was started before it. */
    private void count(Message early) {
        pending.incrementAndGet();
        if (!early.count()) {
            pending.decrementAndGet();
            if (early.problem() != null) {
                fail(early.problem());
            }
        }
    }

    /** Starts a message. */
    private void keep(Message message, Function<Message, Object> start) {
        if (failure != null) {
            message.end(failure);
            return;
        }
        if (message.counts) {
            pending.incrementAndGet();
        }
        boolean late = true;
        try {
            message.started = start.apply(message);
            synchronized (messages) {
                messages.add(message);
                late = failure != null;
            }
        } catch (RuntimeException | Error e) {
            unknown = true;
            // if the network has it nevertheless, its end will be told
            if (message.started == null && message.end(e)) {
                pending.decrementAndGet();
            }
            fail(e);
        }
        if (late && message.started != null) {
            cancel(message);
        }
    }

    private void cancel(Message message) {
        try {
            transport.cancel(message.started);
        } catch (RuntimeException | Error e) {
            // it ends at its deadline
            alsoFailed(e);
        }
    }

    private void alsoFailed(Throwable problem) {
        if (problem != failure) {
            failure.addSuppressed(problem);
        }
    }

    private void received(Message message, long expected, long bytes, Throwable problem) {
        int from = message.with;
        Throwable why = explained("from", from, problem);
        if (problem == null && bytes != expected) {
            why = new IllegalArgumentException(name + ": rank " + from + " sent " + bytes + " bytes where " + expected
                    + " were expected; all members must give the same operation buffers of the same size, or sizes "
                    + "that agree");
        }
        ended(message, why);
    }

    private Throwable explained(String direction, int rank, Throwable problem) {
        if (!(problem instanceof FabricException e)) {
            return problem;
        }
        String why = switch (e.errno()) {
            case Errno.ETIMEDOUT -> "rank " + rank + (direction.equals("to") ? " did not take a message" : " sent "
                    + "nothing") + " in time: it or another member has died, is late, or did not start the same "
                    + "operation with the same sizes, or its group has another name, or the members in another order"
                    + transport.whyLate();
            case Errno.ETRUNC -> "rank " + rank + " sent more bytes than were expected, as all members must give the "
                    + "same operation buffers of the same size, or sizes that agree";
            default -> "message " + direction + " rank " + rank + ": " + e.getMessage();
        };
        FabricException explained = FabricException.of(name, e.errno(), why);
        explained.initCause(e);
        return explained;
    }

    /** A message has ended. All goes on from here: nobody else would, or would hear of what fails here. */
    private void ended(Message message, Throwable problem) {
        if (!message.end(problem)) {
            return;
        }
        if (problem != null) {
            fail(problem);
        }
        if (pending.decrementAndGet() == 0) {
            if (next < rounds.size()) {
                afterRound(rounds.get(next));
            }
            proceed();
        }
    }

    private void afterRound(List<Schedule.Step> round) {
        next++;
        if (failure != null) {
            return;
        }
        try {
            for (Schedule.Step step : round) {
                if (step instanceof Schedule.Combine(var from, var with, var into)) {
                    schedule.combiner().combine(from, with, into);
                } else if (step instanceof Schedule.Copy(var from, var into)) {
                    into.copyFrom(from);
                }
            }
        } catch (IllegalStateException freed) {
            fail(new IllegalStateException(name + ": the memory of a buffer was freed, or the node closed, before the "
                    + "operation was over", freed));
        } catch (RuntimeException | Error e) {
            // whatever it is, nobody else will end the operation
            fail(e);
        }
    }

    /** Ends all messages under way; the future is completed when they have ended. */
    void fail(Throwable problem) {
        List<Runnable> all = new ArrayList<>();
        synchronized (messages) {
            if (finished || failure != null) {
                return;
            }
            failure = problem;
            messages.forEach(message -> all.add(() -> cancel(message)));
        }
        // at once: it may be another thread that tells of the ends of its messages
        all.addAll(failed.apply(problem));
        // its own messages first: a callback of what ends with it may wait for it
        transport.runAll(all);
    }

    /** The failure when a member is gone: a living one that is waited for may itself wait for the dead one. */
    static FabricException goneWith(String name, int rank, FabricException why) {
        FabricException failure = FabricException.of(name, why.errno(), "rank " + rank + " is gone: "
                + why.getMessage());
        failure.initCause(why);
        return failure;
    }

    private void finish() {
        List<Message> last;
        synchronized (messages) {
            finished = true;
            last = List.copyOf(messages);
        }
        Throwable problem = failure;
        try {
            over.accept(problem);
            if (problem == null) {
                schedule.release();
                transport.free(future);
            } else if (unknown) {
                transport.atEnd(() -> transport.free(future));
            } else {
                releaseAfter(last);
            }
        } catch (RuntimeException | Error e) {
            transport.atEnd(() -> transport.free(future));
            if (problem == null) {
                problem = e;
                transport.runAll(failed.apply(e));
            } else {
                alsoFailed(e);
            }
        }
        transport.complete(future, null, problem);
    }

    /** The provider may still write to what was given up. */
    private void releaseAfter(List<Message> last) {
        AtomicInteger used = new AtomicInteger(last.size() + 1);
        Runnable free = () -> {
            if (used.decrementAndGet() == 0) {
                schedule.release();
                transport.free(future);
            }
        };
        last.forEach(message -> transport.whenReleased(message.started, free));
        free.run();
    }
}
