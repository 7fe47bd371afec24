// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Uninterrupted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Who is in the job, and what they have told. All of it under one lock, with nothing in it that waits. */
final class Registry {
    /** So many characters fit into a frame's text, whatever they are. */
    private static final int LONGEST_TEXT = 20_000;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final Assembly assembly;
    private final Fences fences = new Fences(this);
    private final List<Get> gets = new ArrayList<>();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().name("jfabric-rendezvous-timer").factory());
    /** Of those who have come: who has left, and nobody misses; who is neither lost nor has left. */
    private int left;
    private int present;

    /** Who waits for a value. */
    private record Get(Member who, int request, int rank, String key, Future<?> timer) {
    }

    Registry(int size, String name) {
        assembly = new Assembly(this, size, name);
        // what came in time is forgotten at once, however long the deadline is
        timer.setRemoveOnCancelPolicy(true);
    }

    int present() {
        return present;
    }

    Fences fences() {
        return fences;
    }

    Assembly assembly() {
        return assembly;
    }

    /** Does something later, under the lock; a little before the other side gives up by itself. */
    Future<?> before(long deadline, Runnable late) {
        long early = Math.min(1000, deadline / 4);
        return timer.schedule(() -> {
            synchronized (this) {
                late.run();
            }
        }, Math.max(1, deadline - early), TimeUnit.MILLISECONDS);
    }

    /** Null if it was refused. */
    synchronized Member join(Hello hello, Line line) {
        Member member = assembly.join(hello, line);
        if (member != null) {
            present++;
        }
        return member;
    }

    synchronized int here() {
        return assembly.here();
    }

    synchronized boolean complete() {
        return assembly.complete();
    }

    synchronized void stranger(Line line) {
        assembly.stranger(line);
    }

    synchronized void commit(Member member, Map<String, byte[]> values) {
        member.values.putAll(values);
        gets.removeIf(get -> get.rank == member.rank && answer(get));
    }

    synchronized void get(Member who, int request, long deadline, int rank, String key) {
        if (rank < 0 || rank >= assembly.members().size()) {
            fail(who, request, "get: there is no rank " + rank, null);
            return;
        }
        if (answer(new Get(who, request, rank, key, CompletableFuture.completedFuture(null)))) {
            return;
        }
        gets.add(new Get(who, request, rank, key, before(deadline, () -> {
            if (gets.removeIf(get -> get.who == who && get.request == request)) {
                fail(who, request, "get: " + assembly.members().get(rank).who() + " has not committed \"" + key
                        + "\" within " + seconds(deadline), null);
            }
        })));
    }

    synchronized void giveUp(Member who, int request) {
        if (gets.removeIf(get -> get.who == who && get.request == request && get.timer.cancel(false))) {
            fail(who, request, "get: given up", null);
        }
        fences.giveUp(who, request);
    }

    private boolean answer(Get get) {
        Member owner = assembly.members().get(get.rank);
        byte[] value = owner.values.get(get.key);
        if (value != null) {
            get.timer.cancel(false);
            get.who.line.send(Frame.of(Frame.RESULT, out -> {
                out.writeInt(get.request);
                Frame.writeBytes(out, value);
            }));
            return true;
        }
        if (!owner.present()) {
            get.timer.cancel(false);
            fail(get.who, get.request, "get: \"" + get.key + "\" was never committed by " + gone(owner), owner.lost);
            return true;
        }
        return false;
    }

    /** How somebody is gone. */
    static String gone(Member member) {
        return member.lost != null ? member.lost.toString() : member.who() + ", which has left the job";
    }

    synchronized void lose(Member member, String reason) {
        if (!member.present()) {
            return;
        }
        LostRank lost = member.lose(reason);
        present--;
        if (assembly.complete()) {
            tell(lost);
            forget(member);
            fences.lost(member);
        } else {
            assembly.lost(member);
        }
        notifyAll();
    }

    private void tell(LostRank lost) {
        assembly.members().stream().filter(Member::present).forEach(other -> other.line.send(Frame.of(Frame.LOST,
                out -> LostText.write(out, lost))));
    }

    synchronized void leave(Member member) {
        if (member.failed != null) {
            lose(member, member.failed);
        } else {
            member.left = true;
            left++;
            present--;
            if (assembly.complete()) {
                forget(member);
                fences.left(member);
            } else {
                assembly.lost(member);
            }
        }
        member.line.send(Frame.empty(Frame.BYE));
        notifyAll();
    }

    private void forget(Member member) {
        gets.removeIf(get -> get.who == member && get.timer.cancel(false)
                || get.rank == member.rank && answer(get));
    }

    /** Some wait for all: whoever has left is lost to them. It may have failed, and closed what it had opened. */
    List<Member> missed() {
        List<Member> missed = left == 0 ? List.of() : assembly.members().stream().filter(m -> m.left).toList();
        missed.forEach(member -> miss(member, "it has left the job, but others wait for it"));
        return missed;
    }

    private void miss(Member member, String reason) {
        member.left = false;
        left--;
        tell(member.lose(reason));
    }

    synchronized void abort(Member member, int exitCode, String message) {
        for (Member other : others(member).toList()) {
            other.line.send(Frame.of(Frame.ABORT, out -> {
                out.writeInt(exitCode);
                out.writeUTF(shorten(member.who() + " has aborted the job: " + message));
            }));
        }
    }

    /** A launcher has seen the end of a process that perhaps never came here. */
    synchronized void ended(int rank, String host, String reason) {
        if (!assembly.complete()) {
            assembly.ended(new LostRank(rank, host, reason));
        }
    }

    /** The end was a failure: no rank that has left, or is about to, as far as was read here, has done so in peace. */
    synchronized void failed(int rank, String host, String reason) {
        ended(rank, host, reason);
        if (assembly.complete()) {
            Member member = assembly.members().get(rank);
            member.failed = reason;
            if (member.left) {
                miss(member, reason);
            }
        }
    }

    private Stream<Member> others(Member member) {
        return assembly.members().stream().filter(other -> other != null && other != member && other.present());
    }

    /** A failed request. */
    static void fail(Member who, int request, String text, LostRank lost) {
        who.line.send(Frame.of(Frame.FAILURE, out -> {
            out.writeInt(request);
            out.writeUTF(shorten(text));
            LostText.write(out, lost);
        }));
    }

    static String shorten(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    static String seconds(long millis) {
        return millis < 1000 ? millis + " ms" : Math.ceilDiv(millis, 1000) + " s";
    }

    void awaitEnd(long millis) {
        Deadline deadline = Deadline.in(Duration.ofMillis(millis));
        Uninterrupted.await(() -> awaitEnd(deadline));
    }

    private synchronized void awaitEnd(Deadline deadline) throws InterruptedException {
        while (!deadline.passed() && assembly.all().anyMatch(Member::present)) {
            wait(Math.max(1, deadline.millis()));
        }
    }

    /**
     * Ends the line of each, except of one rank, after what was sent to it, and waits for a moment until that is
     * written: threads that write end with the process.
     */
    void finish(int except) {
        List<Line> lines;
        synchronized (this) {
            lines = assembly.all().filter(m -> m.present() && m.rank != except).map(m -> m.line).toList();
            lines.forEach(Line::finish);
        }
        Deadline deadline = Deadline.in(LAST_WORDS);
        lines.forEach(line -> Uninterrupted.await(() -> line.awaitWritten(deadline)));
    }

    /** Who is still there is told, and hangs up. */
    synchronized void close() {
        if (assembly.complete()) {
            assembly.all().filter(Member::present).map(member -> member.line).forEach(line -> {
                line.send(Frame.empty(Frame.ENDS));
                line.finish();
            });
            awaitEnd(LAST_WORDS.toMillis());
        }
        timer.shutdownNow();
        assembly.all().forEach(member -> member.line.close());
    }
}
