// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Something public that can be called: a method or a constructor. {@code index} is its place in {@link Api}. */
record Target(int index, String name, Executable executable, Class<?> receiver, Type[] parameters, Class<?> result,
        Type genericResult, boolean isClose, boolean isGeneric) {
    /** What has threads of its own, and the peers they talk to. */
    private static final String THREADS = "io.jfabric.async";

    static Target of(int index, Class<?> type, Executable e) {
        Type[] parameters = e.getGenericParameterTypes();
        if (parameters.length != e.getParameterCount()) {
            parameters = e.getParameterTypes();
        }
        boolean generic = !Arrays.equals(parameters, e.getParameterTypes());
        if (e instanceof Method m) {
            Class<?> receiver = Modifier.isStatic(m.getModifiers()) ? null : type;
            boolean close = m.getName().equals("close") && parameters.length == 0;
            return new Target(index, nameOf(type, e), e, receiver, parameters, m.getReturnType(),
                    m.getGenericReturnType(), close, generic);
        }
        return new Target(index, nameOf(type, e), e, null, parameters, e.getDeclaringClass(), e.getDeclaringClass(),
                false, generic);
    }

    /** Whether a call may take milliseconds, and what it opens costs time as long as it lives. */
    boolean isSlow() {
        return isSlow(executable.getDeclaringClass());
    }

    static boolean isSlow(Class<?> type) {
        return type.getPackageName().equals(THREADS);
    }

    /** As people write it: Endpoint.bind(CompletionQueue, BindFlag[]). */
    static String nameOf(Class<?> type, Executable e) {
        String parameters = Arrays.stream(e.getParameterTypes()).map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
        return shortName(type) + '.' + (e instanceof Method ? e.getName() : "new") + parameters;
    }

    static String shortName(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return outer == null ? type.getSimpleName() : shortName(outer) + '.' + type.getSimpleName();
    }

    Object invoke(Object on, Object[] arguments) throws Throwable {
        try {
            return executable instanceof Method m ? m.invoke(on, arguments)
                    : ((Constructor<?>) executable).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (IllegalArgumentException | IllegalAccessException | InstantiationException e) {
            throw new FuzzerError("cannot call " + name + " with " + Arrays.toString(arguments), e);
        }
    }

    /** The fuzzer's own mistake, not the library's. */
    static final class FuzzerError extends Error {
        private static final long serialVersionUID = 1;

        FuzzerError(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
