// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.FabricError;
import io.jfabric.async.CallException;
import io.jfabric.internal.call.wire.CallFrames;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.LongFrames;
import java.lang.foreign.MemorySegment;

/** What a service says about calls: finds the call, and does what that means for it. */
final class CallerReplies {
    private final Window window;
    private final long largestAnswer;
    private final CallFailures failures;
    private final OutgoingEnds ends;
    private final RequestPayloads requests;
    private final AnswerPayloads answers;
    private final AnswerPlaces places;
    private final Withdrawals withdrawals;

    CallerReplies(CallerImpl caller, Window window, OutgoingEnds ends, RequestPayloads requests, AnswerPayloads answers,
            AnswerPlaces places, Withdrawals withdrawals) {
        this.window = window;
        this.largestAnswer = caller.options().largestAnswer();
        this.failures = caller.failures();
        this.ends = ends;
        this.requests = requests;
        this.answers = answers;
        this.places = places;
        this.withdrawals = withdrawals;
    }

    /** The call that is over, to be finished; null if none is. */
    Outgoing<?> arrived(MemorySegment buffer, long length) {
        long id = Frame.id(buffer);
        Outgoing<?> call = window.find(id);
        if (call != null) {
            return reply(call, Window.slot(id), buffer, length);
        }
        // the call is over: a service that asks what becomes of it is not to wait in vain
        switch (Frame.type(buffer)) {
            case Frame.ANSWER_LARGE -> withdrawals.answer(id, LongFrames.answerNumber(buffer));
            case Frame.GO -> withdrawals.request(id);
            default -> { }
        }
        return null;
    }

    private Outgoing<?> reply(Outgoing<?> call, int slot, MemorySegment buffer, long length) {
        switch (Frame.type(buffer)) {
            case Frame.ANSWER -> {
                if (!Frame.isWhole(buffer, length)) {
                    return null;
                }
                answers.wasShort();
                return shortAnswer(call, slot, buffer, length - Frame.HEADER);
            }
            case Frame.FAILURE -> {
                return !Frame.isWhole(buffer, length) ? null
                        : ends.fail(call, slot, new CallException(failures.what(), Frame.text(buffer)));
            }
            case Frame.BUSY -> {
                return ends.fail(call, slot, failures.busy(CallFrames.isClosing(buffer)));
            }
            case Frame.LATE -> {
                return ends.fail(call, slot, failures.unhandled(FabricError.ETIMEDOUT, "the deadline passed "
                        + "before the service could begin the call"));
            }
            case Frame.TOO_LONG -> {
                return ends.fail(call, slot, failures.tooLong(call.requestLength(), call.session.largest()));
            }
            case Frame.GO -> requests.go(call, slot, LongFrames.requestTag(buffer));
            case Frame.ANSWER_LARGE -> {
                return longAnswer(call, slot, buffer);
            }
            default -> { }
        }
        return null;
    }

    private Outgoing<?> shortAnswer(Outgoing<?> call, int slot, MemorySegment buffer, long length) {
        if (length > largestAnswer) {
            return ends.fail(call, slot, failures.tooLong(length));
        }
        Announced announced = call.announced;
        try {
            if (announced != null && announced.answered(buffer, Frame.HEADER, length)) {
                return null;
            }
        } catch (OutOfMemoryError none) {
            return ends.fail(call, slot, none);
        }
        return call.claim() && call.deliver(buffer, Frame.HEADER, length) ? ends.over(call, slot)
                : ends.dropped(call, slot);
    }

    /** The service has an answer for which there is no room yet. */
    private Outgoing<?> longAnswer(Outgoing<?> call, int slot, MemorySegment buffer) {
        long length = Frame.length(buffer);
        long number = LongFrames.answerNumber(buffer);
        Announced announced = call.announced;
        if (announced == null && call.claim()) {
            return answers.receive(call, slot, length, number, LongFrames.patience(buffer));
        }
        places.tellDropped(call, slot, number);
        if (announced == null) {
            return ends.dropped(call, slot);
        }
        // an answer that fits is sent to the room, unless its deadline has passed
        return ends.fail(call, slot, length > announced.room.byteSize() ? MemoryCall.tooLong(length, announced.room)
                : failures.of(FabricError.ETIMEDOUT, "its answer came after its deadline"));
    }
}
