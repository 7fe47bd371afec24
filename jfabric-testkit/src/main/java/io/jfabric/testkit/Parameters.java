// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.async.NodeOptions;
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
record Parameters(Providers.Choice choice, Consumer<Hints> more, int members) implements ParameterResolver {
    static final Set<Class<?>> KNOWN = Set.of(Providers.Choice.class, Pair.class, Connected.class,
            NodePair.class, NodeGroup.class);

    /** Of the constructor too: otherwise it would be open until the class is over. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

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
        requireFitting(type);
        requireClosing(ParameterResolver.class.getClassLoader());
        AutoCloseable opened = open(type);
        // what a @BeforeEach took is in the same store: each is closed
        context.getStore(Namespace.create(Parameters.class)).put(opened, opened);
        return opened;
    }

    private AutoCloseable open(Class<?> type) {
        if (type == NodePair.class) {
            return NodePair.open(choice, more);
        }
        if (type == NodeGroup.class) {
            return NodeGroup.open(choice, members, more, NodeOptions.DEFAULT);
        }
        return type == Connected.class ? new Connected(choice, more) : Pair.open(choice, more);
    }

    private void requireFitting(Class<?> type) {
        boolean msg = choice.type() == EndpointType.MSG;
        String instead = type == Connected.class && !msg ? "say type = EndpointType.MSG"
                : type == Pair.class && msg ? "take a Connected"
                : type == NodeGroup.class && choice.type() != EndpointType.RDM ? "say type = EndpointType.RDM" : null;
        if (instead != null) {
            throw new ParameterResolutionException("a " + type.getSimpleName() + " cannot be of type " + choice.type()
                    + ": " + instead);
        }
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
