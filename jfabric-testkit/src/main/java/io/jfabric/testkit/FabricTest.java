// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once on each provider which this machine offers. Its parameters are opened before it and closed
 * after it: a {@link NodePair} or a {@link NodeGroup} (of type {@link EndpointType#RDM}), of the everyday layer; a
 * {@link Pair} of endpoints (of a type without connections), a {@link Connected} (of type {@link EndpointType#MSG}); a
 * {@link Providers.Choice} (nothing is opened). Where it fails, the stack trace names the provider and the release of
 * libfabric. It is skipped where no provider fits, or libfabric is missing. Needs
 * JUnit 5.13 or newer, which closes what an extension has opened; with an older one it fails.
 *
 * <pre>{@code
 * @FabricTest(capabilities = Capability.ATOMIC)
 * void addsInThePeersMemory(NodePair nodes) {
 *     ...
 * }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(FabricExtension.class)
public @interface FabricTest {
    /**
     * The providers' names, as {@code fi_info} lists them. One that does not fit is reported as skipped.
     *
     * @return none for every software provider
     */
    String[] providers() default {};

    /**
     * The type of the endpoints.
     *
     * @return reliable datagrams unless it says something else
     */
    EndpointType type() default EndpointType.RDM;

    /**
     * What the endpoints must be able to do, besides what {@link io.jfabric.info.Hints#rdm()},
     * {@link io.jfabric.info.Hints#msg()} or {@link io.jfabric.info.Hints#dgram()} asks for, by their type. For
     * endpoints that can do nothing else, take a {@link Providers.Choice} and open a {@link Pair} with hints.
     *
     * @return none for what the provider has by itself
     */
    Capability[] capabilities() default {};

    /**
     * How many nodes a {@link NodeGroup} has.
     *
     * @return from 1
     */
    int members() default 3;
}
