// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Arguments by the type of the parameter: often good, often slightly wrong. */
final class Values {
    private static final long[] EXTREME = {-1, -2, -4096, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 7,
        (1L << 31) - 1, 1L << 31, 1L << 32, 0xFFFFFFFFL, 65535, 65536, 65537, 1L << 20, 1L << 40, 1L << 48, 1L << 59,
        1L << 62};
    private static final String[] STRINGS = {"127.0.0.1", "::1", "localhost", "", "0", "4711", "65536", "-1",
        "fi_shm://4711:0", "fi_sockaddr_in://127.0.0.1:4711", "shm", "tcp", "FI_TCP_IFACE", "lo", "%s%n%d", "\u0000",
        "a b", "\u20ac\ud83d\ude00", "x".repeat(300), "x".repeat(70000)};

    /** Of a hundred arguments, so many are null. */
    private static final int NULLS = Integer.getInteger("fuzz.nulls", 2);

    final Memories memories;
    private final Caller caller;
    private final Api api;
    private final List<Object> seen = new ArrayList<>();

    Values(Caller caller, Api api, Memories memories) {
        this.caller = caller;
        this.api = api;
        this.memories = memories;
    }

    /** Remembers what the library gave: numbers, bytes and texts that mean something to it. */
    void remember(Object value, Dice dice) {
        synchronized (seen) {
            if (seen.size() < 256) {
                seen.add(value);
            } else {
                seen.set(dice.below(256), value);
            }
        }
    }

    private <T> T recall(Class<T> type, Dice dice) {
        synchronized (seen) {
            for (int i = 0; i < 8 && !seen.isEmpty(); i++) {
                Object value = dice.of(seen);
                if (type.isInstance(value)) {
                    return type.cast(value);
                }
            }
        }
        return null;
    }

    Object of(Type type, Turn turn) {
        return switch (type) {
            case Class<?> c -> ofClass(c, turn);
            case ParameterizedType p -> parameterized(p, turn);
            case GenericArrayType a -> array(a.getGenericComponentType(), turn);
            case TypeVariable<?> v -> variable(v, turn);
            case WildcardType w -> of(w.getUpperBounds()[0], turn);
            default -> null;
        };
    }

    private Object ofClass(Class<?> type, Turn turn) {
        Dice dice = turn.dice;
        if (type.isPrimitive()) {
            return primitive(type, turn);
        }
        if (type.isArray()) {
            return array(type.componentType(), turn);
        }
        if (dice.percent(NULLS)) {
            return null;
        }
        if (type.isEnum()) {
            return dice.of(Arrays.asList(type.getEnumConstants()));
        }
        if (type == MemorySegment.class) {
            return segment(turn);
        }
        if (api.isExported(type)) {
            Object object = caller.object(type, turn);
            return object != null || !Handlers.canImplement(type) ? object : caller.handlers.implement(type, turn);
        }
        return ofJdk(type, turn);
    }

    private Object segment(Turn turn) {
        if (turn.dice.percent(15) && !memories.mustStay()) {
            Entry arena = caller.pool.pick(Arena.class, turn.scene, turn.dice);
            if (arena != null) {
                try {
                    return ((Arena) arena.object).allocate(memories.length(8L << turn.dice.below(12)), 8);
                } catch (RuntimeException closedOrFull) {
                    return turn.dice.of(MemorySegment.NULL, null);
                }
            }
        }
        return memories.pick(turn.dice);
    }

    private Object ofJdk(Class<?> type, Turn turn) {
        Dice dice = turn.dice;
        return switch (type.getName()) {
            case "java.lang.String" -> string(dice);
            case "java.time.Duration" -> duration(dice);
            case "java.lang.Long" -> number(turn);
            case "java.lang.Integer" -> (int) number(turn);
            case "java.lang.Boolean" -> dice.percent(50);
            case "java.lang.Object" -> dice.percent(50) ? string(dice) : caller.anything(turn);
            case "java.lang.Throwable", "java.lang.Exception" -> new IllegalStateException("fuzz");
            case "java.lang.foreign.Arena", "java.lang.foreign.SegmentAllocator" -> Arena.ofAuto();
            case "java.net.InetSocketAddress" -> new InetSocketAddress(InetAddress.getLoopbackAddress(),
                dice.below(65536));
            case "java.lang.Class" -> dice.of(api.types);
            case "java.util.List", "java.util.Collection", "java.lang.Iterable" -> List.of();
            case "java.util.Set" -> Set.of();
            case "java.util.Optional" -> Optional.empty();
            default -> Handlers.canImplement(type) ? caller.handlers.implement(type, turn) : null;
        };
    }

    private Object primitive(Class<?> type, Turn turn) {
        Dice dice = turn.dice;
        return switch (type.getName()) {
            case "boolean" -> dice.percent(50);
            case "long" -> number(turn);
            case "int" -> dice.percent(60) ? dice.below(9) : (int) number(turn);
            case "short" -> (short) number(turn);
            case "byte" -> (byte) number(turn);
            case "char" -> (char) number(turn);
            case "float" -> dice.of(0f, 1f, -1f, Float.NaN, Float.POSITIVE_INFINITY);
            default -> dice.of(0d, 1d, -1d, Double.NaN, Double.POSITIVE_INFINITY);
        };
    }

    private long number(Turn turn) {
        Dice dice = turn.dice;
        int kind = dice.below(100);
        if (kind < 35) {
            return dice.below(4);
        }
        if (kind < 55) {
            return caller.peer(turn);
        }
        if (kind < 70) {
            return 1L << dice.below(14);
        }
        if (kind < 84) {
            Long known = recall(Long.class, dice);
            return known != null ? known + (dice.oneIn(5) ? dice.of(-1, 1, 8) : 0) : dice.below(100);
        }
        if (kind < 90) {
            return dice.below(10_000);
        }
        return kind < 98 ? EXTREME[dice.below(EXTREME.length)] : dice.nextLong();
    }

    private String string(Dice dice) {
        String known = dice.percent(30) ? recall(String.class, dice) : null;
        return known != null ? known : dice.of(STRINGS);
    }

    private static Duration duration(Dice dice) {
        return switch (dice.below(40)) {
            case 0 -> Duration.ofMillis(-1);
            case 1 -> Duration.ofSeconds(Long.MIN_VALUE);
            case 2 -> Duration.ofMillis(30);
            case 3, 4, 5 -> Duration.ofNanos(1);
            case 6, 7, 8 -> Duration.ofMillis(1 + dice.below(3));
            case 9, 10, 11 -> Duration.ofNanos(dice.below(1_000_000));
            default -> Duration.ZERO;
        };
    }

    private byte[] bytes(Dice dice) {
        byte[] known = dice.percent(65) ? recall(byte[].class, dice) : null;
        if (known != null) {
            byte[] copy = known.clone();
            if (copy.length > 0 && dice.percent(25)) {
                copy[dice.below(copy.length)] ^= (byte) (1 << dice.below(8));
            }
            return dice.percent(10) ? Arrays.copyOf(copy, dice.below(copy.length + 9)) : copy;
        }
        byte[] made = new byte[dice.of(0, 1, 4, 8, 15, 16, 28, 48, 63, 64, 256, 5000)];
        for (int i = 0; i < made.length; i++) {
            made[i] = (byte) dice.nextLong();
        }
        return made;
    }

    private Object array(Type component, Turn turn) {
        if (component == byte.class) {
            return turn.dice.percent(3) ? null : bytes(turn.dice);
        }
        if (turn.dice.percent(NULLS)) {
            return null;
        }
        int length = length(turn.dice, !(component instanceof Class<?> c) || !c.isPrimitive());
        Object array = Array.newInstance(raw(component), length);
        Object same = null;
        for (int i = 0; i < length; i++) {
            same = i < 8 ? of(component, turn) : same;
            if (same == null && raw(component).isPrimitive()) {
                continue;
            }
            Array.set(array, i, same);
        }
        return array;
    }

    private static int length(Dice dice, boolean references) {
        int kind = dice.below(100);
        if (kind < 97) {
            return kind < 35 ? 0 : kind < 70 ? 1 : 2 + dice.below(4);
        }
        return references ? dice.of(17, 64, 300) : dice.of(17, 64, 5000);
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> c -> c;
            case ParameterizedType p -> (Class<?>) p.getRawType();
            case TypeVariable<?> v -> raw(v.getBounds()[0]);
            case WildcardType w -> raw(w.getUpperBounds()[0]);
            default -> Object.class;
        };
    }

    private Object variable(TypeVariable<?> variable, Turn turn) {
        for (Type bound : variable.getBounds()) {
            if (raw(bound) == Enum.class) {
                return turn.dice.of(Arrays.asList(turn.dice.of(api.enums).getEnumConstants()));
            }
        }
        return of(variable.getBounds()[0], turn);
    }

    private Object parameterized(ParameterizedType type, Turn turn) {
        Dice dice = turn.dice;
        if (dice.percent(NULLS)) {
            return null;
        }
        Class<?> raw = (Class<?>) type.getRawType();
        Type element = type.getActualTypeArguments()[0];
        if (raw == Class.class) {
            return element instanceof Class<?> c ? c : dice.of(api.enums);
        }
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) {
            Collection<Object> elements = raw == Set.class ? new LinkedHashSet<>() : new ArrayList<>();
            int length = length(dice, true);
            for (int i = 0; i < length; i++) {
                elements.add(of(element, turn));
            }
            return elements;
        }
        if (raw == Optional.class) {
            return Optional.ofNullable(dice.percent(30) ? null : of(element, turn));
        }
        if (Scene.isFlags(raw) && element instanceof Class<?> c && c.isEnum()) {
            return Scene.flags(c, dice);
        }
        return ofClass(raw, turn);
    }
}
