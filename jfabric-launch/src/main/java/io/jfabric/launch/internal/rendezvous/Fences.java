// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fences and exchanges. Each rank's are counted, and one is complete when all who are present wait in the same. One
 * that has failed for a rank, as one was lost, too late or waits no longer, fails for all, whenever they come to it:
 * otherwise some would be one behind, and what they give would be taken for something else. The next one is of those
 * who are left.
 */
final class Fences {
    private static final int MOST_NAMED = 20;
    /** With 4 more for each rank, less than a frame may have. */
    private static final long MOST_BYTES = Frame.SERVER_LIMIT / 2;
    private static final byte[] NONE = {};
    private final Registry registry;
    private final Map<Integer, Arrival> waiting = new TreeMap<>();
    /** By their number, those that not all have come to; why they have failed. */
    private final Map<Integer, Failure> failed = new HashMap<>();

    /** What ranks are told. */
    private record Failure(String text, LostRank lost) {
    }

    /** Somebody who waits. */
    private record Arrival(Member who, int request, boolean exchange, byte[] value, Future<?> timer) {
        String name() {
            return Fences.name(exchange);
        }
    }

    Fences(Registry registry) {
        this.registry = registry;
    }

    int waiting() {
        synchronized (registry) {
            return waiting.size();
        }
    }

    private static String name(boolean exchange) {
        return exchange ? "exchange" : "fence";
    }

    void arrive(Member who, int request, long deadline, boolean exchange, byte[] value) {
        synchronized (registry) {
            if (waiting.containsKey(who.rank)) {
                failAll(who.who() + " has called " + name(exchange) + " before this had ended", null);
            }
            who.fences++;
            Failure failure = failed.get(who.fences);
            if (failure != null) {
                Registry.fail(who, request, name(exchange) + ": " + failure.text, failure.lost);
                return;
            }
            Arrival other = waiting.isEmpty() ? null : waiting.values().iterator().next();
            waiting.put(who.rank, new Arrival(who, request, exchange, value,
                    registry.before(deadline, () -> fail(who, request, () -> "not there within "
                            + Registry.seconds(deadline) + ": " + names(missing().toList())))));
            List<Member> missed = registry.missed();
            if (!missed.isEmpty()) {
                fail(missed);
            } else if (other != null && other.exchange != exchange) {
                failAll(who.who() + " is in " + name(exchange) + ", " + other.who.who() + " in " + other.name()
                        + ": all ranks must call the same in the same order", null);
            } else {
                complete();
            }
        }
    }

    /** Nothing happens where all have come already: {@code who} has the answer, or is about to. */
    void giveUp(Member who, int request) {
        fail(who, request, () -> who.who() + " waits no longer: its thread was interrupted, or had no answer in time");
    }

    private void fail(Member who, int request, Supplier<String> text) {
        Arrival arrival = waiting.get(who.rank);
        if (arrival != null && arrival.request == request) {
            failAll(text.get(), null);
        }
    }

    private Stream<Member> missing() {
        return registry.assembly().members().stream().filter(m -> m.present() && !waiting.containsKey(m.rank));
    }

    static String names(Collection<Member> members) {
        return members.stream().limit(MOST_NAMED).map(Member::who).collect(Collectors.joining(", "))
                + (members.size() > MOST_NAMED ? " and " + (members.size() - MOST_NAMED) + " more" : "");
    }

    private void complete() {
        if (waiting.size() < registry.present()) {
            return;
        }
        if (waiting.values().stream().mapToLong(arrival -> arrival.value.length).sum() > MOST_BYTES) {
            failAll("all values together are longer than " + MOST_BYTES + " bytes; send them by the fabric", null);
            return;
        }
        byte[] body = result();
        for (Arrival arrival : waiting.values()) {
            arrival.timer.cancel(false);
            arrival.who.line.send(Frame.shared(Frame.RESULT, arrival.request, body));
        }
        waiting.clear();
        failed.clear();
    }

    /** A value of each rank, none of those that are lost; nothing for a fence. The same for all, as it can be long. */
    private byte[] result() {
        List<Member> members = waiting.values().iterator().next().exchange ? registry.assembly().members() : List.of();
        int length = waiting.values().stream().mapToInt(arrival -> arrival.value.length).sum();
        length = members.isEmpty() ? 0 : length + members.size() * Integer.BYTES;
        ByteBuffer body = ByteBuffer.allocate(Integer.BYTES + length).putInt(length);
        for (Member member : members) {
            Arrival arrival = waiting.get(member.rank);
            byte[] value = arrival == null ? NONE : arrival.value;
            body.putInt(value.length).put(value);
        }
        return body.array();
    }

    void lost(Member member) {
        forget(member);
        failAll(Registry.gone(member), member.lost);
    }

    void left(Member member) {
        forget(member);
        if (!waiting.isEmpty()) {
            fail(registry.missed());
        }
    }

    private void forget(Member member) {
        Arrival arrival = waiting.remove(member.rank);
        if (arrival != null) {
            arrival.timer.cancel(false);
        }
    }

    private void fail(List<Member> missed) {
        Member first = missed.getFirst();
        failAll(missed.size() == 1 ? Registry.gone(first)
                : names(missed) + ": they have left the job, but others wait for them", first.lost);
    }

    private void failAll(String text, LostRank lost) {
        List<Arrival> all = new ArrayList<>(waiting.values());
        waiting.clear();
        for (Arrival arrival : all) {
            failed.put(arrival.who.fences, new Failure(text, lost));
            arrival.timer.cancel(false);
            Registry.fail(arrival.who, arrival.request, arrival.name() + ": " + text, lost);
        }
    }
}
