// SPDX-License-Identifier: Apache-2.0
/**
 * Operations that start by themselves once a counter reaches a value (fi_trigger(3)): the provider chains them, and no
 * thread has to look.
 *
 * <p>There are two forms, which take the same {@link io.jfabric.Request}. A {@link io.jfabric.trigger.Trigger} is for
 * one operation; a {@link io.jfabric.trigger.Deferral} queues work at the domain, including changes of counters, and
 * can count what is done. Ask for {@link io.jfabric.info.Capability#TRIGGER}; few providers have either.
 * {@snippet :
 * Counter arrived = domain.openCounter();
 * Counter answered = domain.openCounter();
 * endpoint.bind(arrived, BindFlag.RECV);
 * // with the first message that arrives, an answer is sent
 * Request<?> answer = endpoint.messages().sendRequest().buffers(buffer).peer(peer);
 * Deferral.at(arrived, 1).completionCounter(answered).queue(answer);
 * answered.await(1, Duration.ofSeconds(5));
 * }
 */
@NullMarked
package io.jfabric.trigger;

import org.jspecify.annotations.NullMarked;
