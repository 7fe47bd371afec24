// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Optional;

/** What is noted of a call. Nothing of the library's is called for that: it might be what crashes. */
final class Texts {
    private static final int MOST = 8;

    private Texts() {
    }

    static CharSequence call(Turn turn, Target target, Entry on, Object[] arguments, Pool pool) {
        StringBuilder text = new StringBuilder(160);
        text.append('c').append(turn.calls).append(' ').append(">".repeat(turn.depth)).append(target.name())
                .append(" on ").append(on == null ? "-" : on.id < 0 ? on.object.getClass().getSimpleName() : on)
                .append(" (");
        for (int i = 0; i < arguments.length; i++) {
            text.append(i == 0 ? "" : ", ");
            value(text, arguments[i], pool);
        }
        return text.append(')');
    }

    private static void value(StringBuilder text, Object value, Pool pool) {
        switch (value) {
            case null -> text.append("null");
            case Number n -> text.append(n);
            case Boolean b -> text.append(b);
            case Enum<?> e -> text.append(e.name());
            case String s -> text.append('"').append(s.length() < 60 ? s : s.substring(0, 60) + "...").append('"');
            case Class<?> c -> text.append(c.getSimpleName());
            case MemorySegment s -> text.append("memory[").append(s.byteSize()).append(s.isReadOnly() ? " ro" : "")
                    .append(s.isNative() ? " 0x" + Long.toHexString(s.address()) : " heap")
                    .append(s.scope().isAlive() ? "" : " dead").append(']');
            case Collection<?> many when pool.find(many) == null -> many(text, many.toArray(), pool);
            case Optional<?> maybe -> value(text.append('?'), maybe.orElse(null), pool);
            default -> other(text, value, pool);
        }
    }

    private static void other(StringBuilder text, Object value, Pool pool) {
        Entry entry = pool.find(value);
        if (entry != null) {
            text.append(entry);
        } else if (value.getClass().isArray()) {
            Object[] elements = new Object[Math.min(Array.getLength(value), MOST + 1)];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = Array.get(value, i);
            }
            text.append(Array.getLength(value)).append(':');
            many(text, elements, pool);
        } else {
            text.append(value.getClass().getName().startsWith("java.") ? value.toString()
                    : value.getClass().getSimpleName());
        }
    }

    private static void many(StringBuilder text, Object[] elements, Pool pool) {
        text.append('{');
        for (int i = 0; i < elements.length && i < MOST; i++) {
            text.append(i == 0 ? "" : ", ");
            value(text, elements[i], pool);
        }
        text.append(elements.length > MOST ? ", ...}" : "}");
    }
}
