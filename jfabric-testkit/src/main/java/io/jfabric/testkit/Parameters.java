// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Opens what a {@link FabricTest} asks for; JUnit closes what is in the store when the test is over. */
record Parameters(Providers.Choice choice, Consumer<Hints> more) implements ParameterResolver {
    private static final Set<Class<?>> KNOWN = Set.of(Providers.Choice.class, Pair.class, Connected.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return KNOWN.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == Providers.Choice.class) {
            return choice;
        }
        boolean connected = type == Connected.class;
        if (connected != (choice.type() == EndpointType.MSG)) {
            throw new ParameterResolutionException("a " + type.getSimpleName() + " cannot be of type " + choice.type()
                    + (connected ? ": say type = EndpointType.MSG" : ": take a Connected"));
        }
        requireClosing(ParameterResolver.class.getClassLoader());
        AutoCloseable opened = connected ? new Connected(choice, more) : Pair.open(choice, more);
        // what a @BeforeEach took is in the same store: each is closed
        context.getStore(Namespace.create(Parameters.class)).put(opened, opened);
        return opened;
    }

    /** JUnit closes what is merely AutoCloseable since the release that brought this class. */
    static void requireClosing(ClassLoader junit) {
        try {
            Class.forName("org.junit.jupiter.api.ClassTemplate", false, junit);
        } catch (ClassNotFoundException older) {
            throw new ParameterResolutionException("@FabricTest needs JUnit 5.13 or newer: an older one closes nothing "
                    + "of what a test takes", older);
        }
    }
}
