// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.Fabric;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.opentest4j.TestAbortedException;

/** Runs each {@link FabricTest} on the providers that fit. */
final class FabricExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(FabricTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        if (!Fabric.isAvailable()) {
            return Stream.of(new Skipped("libfabric is not available: " + Fabric.unavailabilityCause()
                    .map(Throwable::getMessage).orElse("")));
        }
        FabricTest test = context.getRequiredTestMethod().getAnnotation(FabricTest.class);
        Consumer<Hints> more = test.capabilities().length == 0 ? hints -> { } : hints -> addCapabilities(hints, test);
        if (test.providers().length > 0) {
            // one that is not there, or misspelt, is seen in the report
            return Stream.of(test.providers()).map(name -> new Providers.Choice(name, test.type()))
                    .map(choice -> choice.isOffered(more) ? new Invocation(choice, more, test.members())
                            : new Skipped(choice + ": no provider of this machine fits " + test));
        }
        List<Providers.Choice> choices = usual(test.type()).filter(choice -> choice.isOffered(more)).toList();
        if (choices.isEmpty()) {
            return Stream.of(new Skipped("no provider of this machine fits " + test));
        }
        return choices.stream().map(choice -> new Invocation(choice, more, test.members()));
    }

    /** To what programs mostly ask for: all that is not asked for is taken away as soon as anything is. */
    private static void addCapabilities(Hints hints, FabricTest test) {
        try (Hints usual = test.type() == EndpointType.MSG ? Hints.msg()
                : test.type() == EndpointType.DGRAM ? Hints.dgram() : Hints.rdm()) {
            hints.capabilities(usual.capabilities()).addCapabilities(test.capabilities());
        }
    }

    private static Stream<Providers.Choice> usual(EndpointType type) {
        return type == EndpointType.MSG ? Providers.msg()
                : type == EndpointType.DGRAM ? Providers.dgram() : Providers.rdm();
    }

    /** In the place of all, as build tools do not report a test that has no run. */
    private record Skipped(String why) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return why;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of((ExecutionCondition) context -> ConditionEvaluationResult.disabled(why), new Nothing(why));
        }
    }

    /** For the constructor of a test class, which JUnit calls before it asks whether the test is to run. */
    private record Nothing(String why) implements ParameterResolver, InvocationInterceptor {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return Parameters.KNOWN.contains(parameter.getParameter().getType());
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return null;
        }

        @Override
        public <T> T interceptTestClassConstructor(Invocation<T> invocation,
                ReflectiveInvocationContext<Constructor<T>> constructor, ExtensionContext context) throws Throwable {
            if (Stream.of(constructor.getExecutable().getParameterTypes()).anyMatch(Parameters.KNOWN::contains)) {
                throw new TestAbortedException(why);
            }
            return invocation.proceed();
        }
    }

    /** The test on one provider. */
    private record Invocation(Providers.Choice choice, Consumer<Hints> more, int members)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return choice.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new Parameters(choice, more, members), new NamesProvider(choice));
        }
    }
}
