// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fences and exchanges. One is complete when all who are present wait in it. Who waits in it when a rank is lost, is
 * told; a later one is of those who are left.
 */
final class Fences {
    private static final int MOST_NAMED = 20;
    private final Registry registry;
    private final Map<Integer, Arrival> waiting = new TreeMap<>();

    /** Somebody who waits. */
    private record Arrival(Member who, int request, boolean exchange, byte[] value) {
        String name() {
            return exchange ? "exchange" : "fence";
        }
    }

    Fences(Registry registry) {
        this.registry = registry;
    }

    void arrive(Member who, int request, long deadline, boolean exchange, byte[] value) {
        synchronized (registry) {
            Arrival arrival = new Arrival(who, request, exchange, value);
            Arrival other = waiting.values().stream().findFirst().orElse(arrival);
            if (waiting.containsKey(who.rank)) {
                Registry.fail(who, request, "fence: this rank is in one already, in another thread", null);
            } else if (other.exchange != exchange) {
                failAll(who.who() + " is in " + arrival.name() + ", " + other.who.who() + " in " + other.name()
                        + ": all ranks must call the same in the same order", null);
                Registry.fail(who, request, arrival.name() + ": " + other.who.who() + " is in " + other.name()
                        + ": all ranks must call the same in the same order", null);
            } else {
                waiting.put(who.rank, arrival);
                complete();
                registry.before(deadline, () -> late(arrival, deadline));
            }
        }
    }

    private void late(Arrival arrival, long deadline) {
        if (waiting.remove(arrival.who.rank, arrival)) {
            Registry.fail(arrival.who, arrival.request, arrival.name() + ": not there within "
                    + Registry.seconds(deadline) + ": " + names(missing().filter(m -> m != arrival.who).toList()),
                    null);
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
        if (waiting.isEmpty() || missing().findAny().isPresent()) {
            return;
        }
        List<Member> left = registry.assembly().members().stream().filter(m -> m.left).toList();
        if (!left.isEmpty()) {
            failAll(names(left) + " left the job before", null);
            return;
        }
        byte[] values = values();
        for (Arrival arrival : waiting.values()) {
            arrival.who.line.send(Frame.of(Frame.RESULT, out -> {
                out.writeInt(arrival.request);
                Frame.writeBytes(out, values);
            }));
        }
        waiting.clear();
    }

    /** Of each rank, none of those that are lost; nothing at all for a fence. */
    private byte[] values() {
        if (!waiting.values().iterator().next().exchange) {
            return new byte[0];
        }
        return Frame.bytes(out -> {
            for (Member member : registry.assembly().members()) {
                Arrival arrival = waiting.get(member.rank);
                Frame.writeBytes(out, arrival == null ? new byte[0] : arrival.value);
            }
        });
    }

    /** Somebody is lost or has left. */
    void gone(Member member) {
        waiting.remove(member.rank);
        failAll(Registry.gone(member), member.lost);
    }

    private void failAll(String text, LostRank lost) {
        List<Arrival> all = new ArrayList<>(waiting.values());
        waiting.clear();
        all.forEach(arrival -> Registry.fail(arrival.who, arrival.request, arrival.name() + ": " + text, lost));
    }
}
