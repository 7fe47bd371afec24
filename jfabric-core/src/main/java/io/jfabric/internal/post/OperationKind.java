// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.AtomicForm;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.info.Known;
import java.util.List;

/**
 * The operations that requests describe, and the flags that libfabric documents for each. Providers do not check: a
 * flag that means nothing to an operation means something else to some of them.
 */
public enum OperationKind {
    SEND("fi_send", Lists.MESSAGE | OperationFlag.MULTICAST.code()),
    RECEIVE("fi_recv", Lists.RECEIVE),
    TAGGED_SEND("fi_tsend", Lists.MESSAGE),
    TAGGED_RECEIVE("fi_trecv", Lists.TAGGED_RECEIVE),
    WRITE("fi_write", Lists.WRITE),
    READ("fi_read", Lists.READ),
    ATOMIC("fi_atomic", Lists.ATOMIC),
    FETCH_ATOMIC("fi_fetch_atomic", Lists.READ),
    COMPARE_ATOMIC("fi_compare_atomic", Lists.READ);

    private static final long KNOWN = all();
    private static final int PROVIDERS_OWN = 57;

    private final String vectorName;
    private final String messageName;
    private final long flags;

    OperationKind(String name, long flags) {
        this.vectorName = name + "v";
        this.messageName = name + "msg";
        this.flags = flags;
    }

    /** Sets of flags. */
    private static final class Lists {
        static final long READ = bits(OperationFlag.COMPLETION, OperationFlag.MORE, OperationFlag.FENCE,
                OperationFlag.INJECT_COMPLETE, OperationFlag.TRANSMIT_COMPLETE, OperationFlag.DELIVERY_COMPLETE);
        static final long ATOMIC = READ | bits(OperationFlag.INJECT, OperationFlag.COMMIT_COMPLETE);
        static final long SENT = READ | bits(OperationFlag.INJECT, OperationFlag.REMOTE_CQ_DATA);
        static final long MESSAGE = SENT | OperationFlag.MATCH_COMPLETE.code();
        static final long WRITE = SENT | OperationFlag.COMMIT_COMPLETE.code();
        static final long TAGGED_RECEIVE = bits(OperationFlag.COMPLETION, OperationFlag.MORE);
        static final long RECEIVE = TAGGED_RECEIVE | OperationFlag.MULTI_RECV.code();

        private static long bits(OperationFlag first, OperationFlag... others) {
            return Flags.of(first, others).bits();
        }
    }

    private static long all() {
        long bits = 0;
        for (OperationFlag flag : OperationFlag.values()) {
            bits |= flag.code();
        }
        return bits;
    }

    public static OperationKind of(AtomicForm form) {
        return switch (Arguments.given(form, "fi_atomic", "the form")) {
            case BASE -> ATOMIC;
            case FETCH -> FETCH_ATOMIC;
            case COMPARE -> COMPARE_ATOMIC;
            case TAGGED -> throw new IllegalArgumentException("TAGGED: only Domain.queryAtomic knows it");
        };
    }

    /** The name of the function that takes several buffers. */
    public String vectorName() {
        return vectorName;
    }

    /** The name of the function that takes everything there is to say. */
    public String messageName() {
        return messageName;
    }

    public boolean receives() {
        return this == RECEIVE || this == TAGGED_RECEIVE;
    }

    /** Whether it is a message that goes out. */
    public boolean sends() {
        return this == SEND || this == TAGGED_SEND;
    }

    /** Whether the provider writes to the local buffers. */
    public boolean fills() {
        return receives() || this == READ;
    }

    public boolean carriesData() {
        return (flags & OperationFlag.REMOTE_CQ_DATA.code()) != 0;
    }

    /** Checks flags that the user asks for by name; returns their bits. */
    public long check(Flags<OperationFlag> asked) {
        long bits = Known.require(asked, "operation flags").bits();
        long peeks = OperationFlag.PEEK.code() | OperationFlag.CLAIM.code() | OperationFlag.DISCARD.code();
        if (this == TAGGED_RECEIVE && (bits & peeks) != 0) {
            throw new IllegalArgumentException("fi_trecvmsg: for " + asked + " use peek, peekAndClaim, claim or "
                    + "discard");
        }
        if ((bits & OperationFlag.TRIGGER.code()) != 0) {
            throw new IllegalArgumentException(messageName + ": for FI_TRIGGER use Trigger.post");
        }
        if ((bits & ~flags) != 0) {
            throw new IllegalArgumentException(messageName + ": "
                    + Flags.ofBits(OperationFlag.class, bits & ~flags) + " means nothing to this operation");
        }
        return bits;
    }

    /** The endpoint's default flags that mean something to this operation; a provider's own bits are left alone. */
    public long meaningful(long defaults) {
        return defaults & (flags | ~KNOWN);
    }

    /** Checks flags that are to be the default of operations. */
    public static void checkDefaults(Flags<OperationFlag> flags) {
        if (flags.contains(OperationFlag.TRIGGER)) {
            // some providers would take every operation's context for a trigger
            throw new IllegalArgumentException("FI_TRIGGER cannot be a default flag; use Trigger.post");
        }
        if (flags.contains(OperationFlag.REMOTE_CQ_DATA)) {
            // some would look for the data of operations that have none, and find the next operation
            throw new IllegalArgumentException("FI_REMOTE_CQ_DATA cannot be a default flag; use sendData, writeData "
                    + "and those beside them");
        }
        for (OperationFlag look : List.of(OperationFlag.PEEK, OperationFlag.CLAIM, OperationFlag.DISCARD)) {
            if (flags.contains(look)) {
                // receives would take no message, and some providers crash if no completion queue can tell
                throw new IllegalArgumentException(look + " cannot be a default flag; use TaggedMessages.peek and "
                        + "those beside it");
            }
        }
        if (flags.unknown() >>> PROVIDERS_OWN != 0) {
            throw new IllegalArgumentException(flags + ": bits from " + PROVIDERS_OWN + " on are the providers' own");
        }
    }
}
