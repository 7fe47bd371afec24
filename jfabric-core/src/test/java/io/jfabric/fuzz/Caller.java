// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** Chooses a target and its arguments, notes the call, makes it, judges how it ended, keeps what came out. */
final class Caller {
    /** How many calls deep something missing is made by calling what returns it. */
    private static final int DEEPEST = 3;
    /** Candidates among which the one wins that was called least. */
    private static final int RIVALS = 32;
    /** Of a hundred choices, so many are of what was called least, and up to this of that or of the data path. */
    private static final int RAREST = 45;
    private static final int RAREST_OR_HOT = 70;
    /** How much less often methods are called that start threads and wait for them. */
    private static final int SLOW = 4;
    private static final int MEMORABLE = 1 << 16;
    /** Of a hundred choices, so many are of what --more says. */
    private static final int MORE = 25;

    final Api api;
    final Pool pool;
    final Ring ring;
    final Values values;
    final Handlers handlers;
    final List<Scene> scenes = new CopyOnWriteArrayList<>();
    private final Oracle oracle;
    private final Options.Choice world;
    private final List<Target> wanted;
    private final List<Target> hot = new ArrayList<>();
    private final List<Target> more = new ArrayList<>();
    /** What futures gave, in whatever thread. */
    private final Queue<Object> landed = new ConcurrentLinkedQueue<>();
    private final Map<Class<?>, List<Target>> makers = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<Target>> members = new ConcurrentHashMap<>();
    private final int[] chosen;
    private final ThreadLocal<Turn> turns = new ThreadLocal<>();

    Caller(Api api, Ring ring, Memories memories, Oracle oracle, Options.Choice world) {
        this.api = api;
        this.ring = ring;
        this.oracle = oracle;
        this.world = world;
        chosen = new int[api.targets.size()];
        pool = new Pool(api);
        values = new Values(this, api, memories);
        handlers = new Handlers(this, api);
        wanted = Also.wanted(api);
        wanted.stream().filter(Scene::isDataPath).forEach(hot::add);
        Optional.ofNullable(System.getProperty(Options.MORE)).map(Pattern::compile).ifPresent(names ->
                wanted.stream().filter(t -> names.matcher(t.name()).find()).forEach(more::add));
    }

    void attach(Turn turn) {
        turns.set(turn);
    }

    /** Of this thread; null in a thread of the library's. */
    Turn turn() {
        return turns.get();
    }

    /** One call of anything. */
    void call(Turn turn) {
        for (Object object = landed.poll(); object != null; object = landed.poll()) {
            feed(object, turn);
        }
        Target target = choose(turn);
        if (target != null) {
            make(target, receiver(target, turn), turn);
        }
    }

    /** One call of a method of this very object. */
    void callOn(Object object, Turn turn) {
        List<Target> methods = members.computeIfAbsent(object.getClass(), c -> api.targets.stream()
                .filter(t -> t.receiver() != null && t.receiver().isAssignableFrom(c)).toList());
        if (!methods.isEmpty()) {
            Target target = turn.dice.of(methods);
            if (!target.isClose() || turn.dice.oneIn(10)) {
                make(target, new Entry(object, -1, turn.scene, false), turn);
            }
        }
    }

    private Target choose(Turn turn) {
        Dice dice = turn.dice;
        if (!more.isEmpty() && dice.percent(MORE)) {
            return rarest(more, more.size(), turn);
        }
        int way = dice.below(100);
        if (way < RAREST) {
            return rarest(wanted, RIVALS, turn);
        }
        List<Target> among = way < RAREST_OR_HOT && !hot.isEmpty() ? hot : wanted;
        for (int i = 0; i < 20; i++) {
            Target target = dice.of(among);
            boolean wanted = target.isSlow() ? dice.oneIn(SLOW) : !target.isClose() || dice.oneIn(10);
            if (wanted && isPossible(target)) {
                return target;
            }
        }
        return null;
    }

    private Target rarest(List<Target> among, int rivals, Turn turn) {
        Target best = null;
        for (int i = 0; i < rivals; i++) {
            Target target = turn.dice.of(among);
            if ((best == null || rank(target) < rank(best)) && isPossible(target)) {
                best = target;
            }
        }
        if (best != null) {
            chosen[best.index()]++;
        }
        return best;
    }

    /** Calls count, and choices too: what cannot be called, for there is nothing to call it on, must not win always. */
    private long rank(Target target) {
        return (ring.calls(target.index()) + chosen[target.index()]) * (target.isSlow() ? SLOW : 1);
    }

    private boolean isPossible(Target target) {
        return target.receiver() == null || target.receiver().isEnum() || pool.has(target.receiver())
                || !makers(target.receiver()).isEmpty() || !Constants.of(target.receiver()).isEmpty();
    }

    private Entry receiver(Target target, Turn turn) {
        Class<?> type = target.receiver();
        if (type == null) {
            return null;
        }
        if (type.isEnum()) {
            return new Entry(turn.dice.of(type.getEnumConstants()), -1, turn.scene, false);
        }
        Entry entry = pool.pick(type, turn.scene, turn.dice);
        if (entry == null) {
            produce(type, turn);
            entry = pool.pick(type, turn.scene, turn.dice);
        }
        return entry;
    }

    /** An argument of an exported type: mostly one that is there, else a new one; null if there is none. */
    Object object(Class<?> type, Turn turn) {
        Entry entry = pool.pick(type, turn.scene, turn.dice);
        if (entry == null || turn.dice.oneIn(Target.isSlow(type) ? 15 * SLOW : 15)) {
            produce(type, turn);
            entry = pool.pick(type, turn.scene, turn.dice);
        }
        return entry == null ? null : entry.object;
    }

    Object anything(Turn turn) {
        return object(turn.dice.of(api.types), turn);
    }

    /** A fi_addr_t that is likely to mean something in the scene. */
    long peer(Turn turn) {
        for (Scene scene : scenes) {
            if (scene.id == turn.scene && !scene.peers.isEmpty()) {
                return turn.dice.of(scene.peers);
            }
        }
        return turn.dice.below(2);
    }

    private List<Target> makers(Class<?> type) {
        return makers.computeIfAbsent(type, t -> api.targets.stream().filter(target -> makes(target, t)).toList());
    }

    private static boolean makes(Target target, Class<?> type) {
        if (type.isAssignableFrom(target.result())) {
            return target.receiver() != type;
        }
        Class<?> result = target.result();
        if (result == Optional.class || result == CompletableFuture.class
                || Collection.class.isAssignableFrom(result)) {
            Type generic = target.genericResult();
            return generic.getTypeName().contains('<' + type.getName() + '>');
        }
        return false;
    }

    private void produce(Class<?> type, Turn turn) {
        List<Target> ways = makers(type);
        List<Object> constants = Constants.of(type);
        if (!constants.isEmpty() && (ways.isEmpty() || turn.dice.oneIn(8))) {
            take(turn.dice.of(constants), turn);
            return;
        }
        if (ways.isEmpty() || turn.depth >= DEEPEST) {
            return;
        }
        turn.depth++;
        try {
            for (int i = 0; i < 4; i++) {
                Target way = turn.dice.of(ways);
                if (way.receiver() == null || way.receiver().isEnum() || pool.has(way.receiver())
                        || turn.dice.oneIn(4)) {
                    make(way, receiver(way, turn), turn);
                    return;
                }
            }
        } finally {
            turn.depth--;
        }
    }

    private void make(Target target, Entry on, Turn turn) {
        if (target.receiver() != null && on == null) {
            return;
        }
        Object[] arguments = new Object[target.parameters().length];
        turn.depth++;
        try {
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = values.of(target.parameters()[i], turn);
            }
        } finally {
            turn.depth--;
        }
        if (Known.forbids(world, target, on == null ? null : on.object, arguments)) {
            return;
        }
        long outer = ring.begin(turn.thread, target.index(), Texts.call(turn, target, on, arguments, pool));
        turn.calls++;
        boolean demanding = target.executable().getName().equals("rawContexts");
        if (demanding) {
            values.memories.demand();
        }
        long start = System.nanoTime();
        boolean normally = false;
        Object result = null;
        Throwable thrown = null;
        try {
            result = target.invoke(on == null ? null : on.object, arguments);
            normally = true;
        } catch (Target.FuzzerError mine) {
            throw mine;
        } catch (Throwable t) {
            oracle.judge(target, t);
            thrown = t;
        } finally {
            ring.end(turn.thread, target.index(), normally, outer);
            oracle.timed(target, System.nanoTime() - start);
            if (demanding && !normally) {
                values.memories.demandNot();
            }
        }
        if (on != null && target.isClose()) {
            on.closed = true;
        }
        if (thrown != null && turn.dice.oneIn(10)) {
            take(thrown, turn);
        }
        if (normally && result != null) {
            feed(result, turn);
        }
    }

    private void feed(Object result, Turn turn) {
        switch (result) {
            case Long number -> values.remember(number, turn.dice);
            case byte[] bytes -> values.remember(
                    bytes.length <= MEMORABLE ? bytes : Arrays.copyOf(bytes, MEMORABLE), turn.dice);
            case String text -> values.remember(text.length() < 500 ? text : text.substring(0, 500), turn.dice);
            case long[] numbers when numbers.length > 0 -> values.remember(turn.dice.of(box(numbers)), turn.dice);
            case MemorySegment segment -> values.memories.remember(segment, turn.dice);
            case CompletableFuture<?> future -> future.thenAccept(o -> {
                if (o != null) {
                    landed.add(o);
                }
            });
            case Optional<?> optional -> optional.ifPresent(o -> feed(o, turn));
            case Collection<?> many -> {
                some(many).forEach(o -> feed(o, turn));
                take(many, turn);
            }
            case Enum<?> ignored -> { }
            default -> take(result, turn);
        }
    }

    private static List<?> some(Collection<?> many) {
        try {
            return many.stream().filter(o -> o != null).limit(4).toList();
        } catch (IllegalStateException closed) {
            return List.of();
        }
    }

    private static Long[] box(long[] numbers) {
        return Arrays.stream(numbers).limit(16).boxed().toArray(Long[]::new);
    }

    /** Keeps an object; what is in the way is closed. */
    void take(Object object, Turn turn) {
        Entry victim = pool.add(object, turn.scene, false, turn.dice);
        if (victim != null && !victim.closed) {
            close(victim, turn);
        }
    }

    /** Closes an object by a noted call, if it can be closed. */
    void close(Entry entry, Turn turn) {
        if (!(entry.object instanceof AutoCloseable)) {
            return;
        }
        for (Target target : api.targets) {
            if (target.isClose() && target.receiver() != null && target.receiver().isInstance(entry.object)) {
                make(target, entry, turn);
                entry.closed = true;
                return;
            }
        }
        long outer = 0;
        try {
            outer = ring.begin(turn.thread, -1, "close() of the JDK's on " + entry);
            ((AutoCloseable) entry.object).close();
        } catch (Exception e) {
            oracle.judge("close() of " + entry.object.getClass().getName(), false, e);
        } finally {
            ring.end(turn.thread, -1, true, outer);
        }
    }
}
