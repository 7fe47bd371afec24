// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.call.service.IncomingCall;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Answers calls, many at once. Runs where {@link ServiceOptions#executor()} says: if that has several threads, the
 * handler must be thread-safe.
 */
@FunctionalInterface
public interface CallHandler {
    /**
     * Answers a call, now or later. An exception fails the call, unless it was answered already, and is logged: see
     * {@link Service}.
     *
     * @param call the call
     * @throws Exception anything: the caller learns its class and message
     */
    void handle(Call call) throws Exception;

    /**
     * A handler that turns the bytes of the request into those of the answer.
     *
     * @param answer computes the answer
     * @return the handler
     */
    static CallHandler of(Function<byte[], byte[]> answer) {
        Objects.requireNonNull(answer, "CallHandler.of: the function is null");
        return call -> call.answer(answer.apply(call.bytes()));
    }

    /**
     * A handler whose answer comes later. A failure counts as an exception of the handler.
     *
     * @param answer computes the answer asynchronously
     * @return the handler
     */
    static CallHandler later(Function<byte[], ? extends CompletionStage<byte[]>> answer) {
        Objects.requireNonNull(answer, "CallHandler.later: the function is null");
        return call -> {
            CompletionStage<byte[]> stage = Objects.requireNonNull(answer.apply(call.bytes()),
                    "CallHandler.later: the function gave null");
            stage.whenComplete((bytes, failure) -> {
                if (failure == null && bytes != null) {
                    call.answer(bytes);
                } else {
                    ((IncomingCall) call).failed(failure == null ? new NullPointerException("the answer is null")
                            : failure);
                }
            });
        };
    }
}
