// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;

/** Implementations of callbacks, which look at what they get, throw, call anything, and do nothing. */
final class Handlers {
    /** How deep callbacks may call. */
    private static final int DEEPEST = 2;

    private final Caller caller;
    private final Api api;

    Handlers(Caller caller, Api api) {
        this.caller = caller;
        this.api = api;
    }

    /** Thrown by a callback; the library may pass it on. */
    static final class FromCallback extends RuntimeException {
        private static final long serialVersionUID = 1;

        FromCallback() {
            super("thrown by a callback", null, false, false);
        }
    }

    /** Only interfaces that anybody may implement, with something to implement. */
    static boolean canImplement(Class<?> type) {
        return type.isInterface() && !type.isSealed() && Arrays.stream(type.getMethods())
                .anyMatch(m -> Modifier.isAbstract(m.getModifiers()));
    }

    Object implement(Class<?> type, Turn turn) {
        int mood = turn.dice.below(100);
        return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> called(proxy, method, arguments, mood));
    }

    private Object called(Object proxy, Method method, Object[] arguments, int mood) {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "callback";
            };
        }
        Turn turn = caller.turn();
        if (turn != null && turn.depth < DEEPEST) {
            turn.depth++;
            try {
                look(arguments, mood, turn);
            } finally {
                turn.depth--;
            }
        }
        if (mood < 6) {
            throw new FromCallback();
        }
        return defaultOf(method.getReturnType());
    }

    private void look(Object[] arguments, int mood, Turn turn) {
        if (arguments != null && mood < 90) {
            for (Object argument : arguments) {
                if (argument != null && !api.typesOf(argument).isEmpty()) {
                    caller.take(argument, turn);
                    caller.callOn(argument, turn);
                }
            }
        }
        if (mood < 25) {
            caller.call(turn);
        }
    }

    private static Object defaultOf(Class<?> type) {
        return switch (type.getName()) {
            case "boolean" -> true;
            case "int" -> 0;
            case "long" -> 0L;
            case "java.util.Optional" -> java.util.Optional.empty();
            default -> null;
        };
    }
}
