// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The objects that were given out by the library, living and dead, by each of their public types. */
final class Pool {
    /** Of one class; pillars come on top. */
    private static final int KEPT = 24;

    private final Api api;
    private final Map<Class<?>, List<Entry>> byType = new HashMap<>();
    private final Map<Class<?>, List<Entry>> byClass = new HashMap<>();
    private final Map<Object, Entry> known = new IdentityHashMap<>();
    private int nextId;

    Pool(Api api) {
        this.api = api;
    }

    /** Adds an object unless it is there; gives what has to go for it, or null. */
    synchronized Entry add(Object object, int scene, boolean pillar, Dice dice) {
        List<Class<?>> types = api.typesOf(object);
        if (types.isEmpty() || object instanceof Enum || known.containsKey(object)) {
            return null;
        }
        Entry entry = new Entry(object, nextId++, scene, pillar);
        List<Entry> same = byClass.computeIfAbsent(object.getClass(), c -> new ArrayList<>());
        Entry victim = null;
        if (!pillar && same.stream().filter(e -> !e.pillar).count() >= KEPT) {
            List<Entry> guests = same.stream().filter(e -> !e.pillar).toList();
            victim = guests.stream().filter(e -> e.closed).findFirst().orElse(dice.of(guests));
            remove(victim);
        }
        known.put(object, entry);
        same.add(entry);
        types.forEach(type -> byType.computeIfAbsent(type, t -> new ArrayList<>()).add(entry));
        return victim;
    }

    synchronized void remove(Entry entry) {
        known.remove(entry.object);
        byClass.get(entry.object.getClass()).remove(entry);
        api.typesOf(entry.object).forEach(type -> byType.get(type).remove(entry));
    }

    synchronized boolean has(Class<?> type) {
        List<Entry> entries = byType.get(type);
        return entries != null && !entries.isEmpty();
    }

    /** An object of that type, mostly of that scene and alive; null if there is none. */
    synchronized Entry pick(Class<?> type, int scene, Dice dice) {
        List<Entry> entries = byType.get(type);
        if (entries == null || entries.isEmpty()) {
            return null;
        }
        Entry best = null;
        for (int i = 0; i < 6; i++) {
            Entry entry = dice.of(entries);
            if (best == null || score(entry, scene) > score(best, scene)) {
                best = entry;
            }
            if (dice.percent(20)) {
                break;
            }
        }
        return best;
    }

    private static int score(Entry entry, int scene) {
        return (entry.closed ? 0 : 4) + (entry.scene == scene ? 2 : 0) + (entry.pillar ? 1 : 0);
    }

    synchronized Entry find(Object object) {
        return known.get(object);
    }

    /** All of a scene, or all there is for a negative number; the latest first. They are no longer in the pool. */
    synchronized List<Entry> drop(int scene) {
        List<Entry> gone = known.values().stream().filter(e -> scene < 0 || e.scene == scene)
                .sorted((a, b) -> b.id - a.id).toList();
        gone.forEach(this::remove);
        return gone;
    }
}
