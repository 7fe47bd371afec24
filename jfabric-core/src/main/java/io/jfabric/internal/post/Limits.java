// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;

/**
 * How much one operation of an endpoint can take. Some providers do not check that, but write past the end of their own
 * buffers. Read once from the endpoint's own info; unsigned, as some have no limit.
 */
public final class Limits {
    private static final long NONE = -1;
    private static final long DELIVERED = Libfabric.FI_DELIVERY_COMPLETE();
    private static final long INJECT = Libfabric.FI_INJECT();
    private static final long INJECT_COMPLETE = Libfabric.FI_INJECT_COMPLETE();

    private final FabricInfoImpl info;
    private final long injectSize;
    private final long messageSize;
    private final long transmitBuffers;
    private final long receiveBuffers;
    private final long remoteRanges;
    private final boolean carriesData;
    /** The most that an operation with the default flags can send. */
    private long sendSize;
    /** An operation with the default flags that sends less, unsigned, needs no closer look. */
    private long sendBound;
    /** Whether the delivery of empty messages is never reported. */
    private final boolean noEmpty;
    private final boolean noEmptyReads;
    private final boolean injectLoses;
    private final boolean injectedAtomicsAreSilent;
    private final boolean deliveredAtomicsFreeTwice;
    private final long unkept;
    private final boolean dataNeedRoom;
    private final long longestInPieces;
    /** Flags of messages that are kept from the provider. */
    private final long withheld;
    /** The least that an operation with the default flags must send: 0 or 1. */
    private long least;

    public Limits(FabricInfoImpl info) {
        this.info = info;
        Quirks quirks = info.quirks();
        noEmpty = quirks.hasAny(Quirk.EMPTY_NEVER_DELIVERED, Quirk.EMPTY_NOT_AWAITED);
        noEmptyReads = quirks.has(Quirk.EMPTY_READS);
        injectLoses = quirks.has(Quirk.INJECT_FLAG_LOSES);
        injectedAtomicsAreSilent = quirks.has(Quirk.INJECTED_ATOMICS_ARE_SILENT);
        deliveredAtomicsFreeTwice = quirks.has(Quirk.DELIVERED_ATOMICS_FREE_TWICE);
        unkept = Unkept.of(info);
        dataNeedRoom = quirks.has(Quirk.DATA_OVERFLOWS_QUEUE);
        // what the CPU cannot read stays where it is
        longestInPieces = info.capabilities().contains(Capability.HMEM) ? Long.MAX_VALUE : quirks.longestInPieces();
        withheld = quirks.has(Quirk.REST_IS_READ_AS_HEADER) ? INJECT_COMPLETE : 0;
        injectSize = info.tx().injectSize();
        long largest = info.endpoint().maxMessageSize();
        messageSize = largest == 0 ? NONE : largest;
        transmitBuffers = atLeastOne(info.tx().iovLimit());
        receiveBuffers = atLeastOne(info.rx().iovLimit());
        remoteRanges = atLeastOne(info.tx().rmaIovLimit());
        carriesData = info.domain().limits().cqDataSize() != 0;
        sendSize = messageSize;
        sendBound = bound();
    }

    // with 0 all are checked; a length is never negative
    private long bound() {
        return least != 0 ? 0 : sendSize == NONE ? NONE : sendSize + 1;
    }

    private static long atLeastOne(long limit) {
        return limit == 0 ? 1 : limit;
    }

    /** The flags of operations that have none of their own. */
    public void defaultFlags(long flags) {
        sendSize = (flags & INJECT) != 0 ? injectSize : messageSize;
        least = noEmpty && (flags & DELIVERED) != 0 ? 1 : 0;
        sendBound = bound();
    }

    /** For an operation with the default flags. */
    public void checkSend(String operation, long length) {
        if (Long.compareUnsigned(length, sendBound) >= 0) {
            look(operation, length);
        }
    }

    private void look(String operation, long length) {
        // where a message must not be empty, an empty one is longer than all others
        if (Long.compareUnsigned(length - least, sendSize - least) > 0) {
            throw length == 0 ? undeliverable(operation) : sendSize == messageSize ? tooLong(operation, length)
                    : Refusal.tooLong(info, operation, length);
        }
    }

    /** For an operation that injects nothing, whatever the default flags. */
    public void checkRead(String operation, long length) {
        if (length == 0 && noEmptyReads) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " never completes a "
                    + "read of 0 bytes");
        }
        if (Long.compareUnsigned(length, messageSize) > 0) {
            throw tooLong(operation, length);
        }
    }

    /** For an operation with flags of its own. */
    public void checkSend(String operation, long length, long flags) {
        if (length == 0 && noEmpty && (flags & DELIVERED) != 0) {
            throw undeliverable(operation);
        }
        if (Long.compareUnsigned(length, messageSize) > 0) {
            throw tooLong(operation, length);
        }
        if ((flags & INJECT) != 0) {
            checkInject(operation, length);
        }
    }

    /** The flags of a message as the provider gets them: it may have to do more than was asked for. */
    public long given(long flags) {
        return flags & ~withheld;
    }

    /** The same for any operation that has flags of its own. */
    public long given(OperationKind operation, long flags) {
        return operation.sends() ? given(flags)
                : operation == OperationKind.ATOMIC && injectedAtomicsAreSilent ? flags & ~INJECT : flags;
    }

    /** Removes such default flags from an info that something is to be opened from. */
    public static void withhold(Quirks quirks, FabricInfoImpl info) {
        Flags<OperationFlag> flags = info.tx().operationFlags();
        if (quirks.has(Quirk.REST_IS_READ_AS_HEADER) && flags.contains(OperationFlag.INJECT_COMPLETE)) {
            info.tx().operationFlags(flags.without(OperationFlag.INJECT_COMPLETE));
        }
    }

    /** Whether a message must be sent as one buffer; {@code told} whether its completion will be seen. */
    public boolean mustJoin(String operation, int buffers, long length, boolean told) {
        if (buffers <= 1 || length <= longestInPieces) {
            return false;
        }
        if (!told) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " may never end a "
                    + "message of " + length + " bytes in " + buffers + " buffers, and no completion would tell until "
                    + "when a copy is needed: send it as one buffer, or ask for the completion (FI_COMPLETION)");
        }
        return true;
    }

    /** Checks a request: the provider would take the flag for data, and not send them. */
    public void checkData(String operation) {
        if (!carriesData) {
            throw FabricException.of(operation, Errno.ENOSYS, "provider " + info.provider() + " was not opened with "
                    + "immediate data: ask for it with domain().limits().cqDataSize in the hints, or put it into the "
                    + "message");
        }
    }

    public void checkInject(String operation, long length) {
        if (Long.compareUnsigned(length, injectSize) > 0) {
            throw Refusal.tooLong(info, operation, length);
        }
    }

    /** Checks a request: the path that the provider takes with the flag reports nothing, or something else. */
    public void checkInjectFlag(String operation, long flags, boolean reports) {
        if (injectLoses && reports && (flags & INJECT) != 0) {
            throw injectLoses(info, operation);
        }
    }

    /** Checks a request; default flags were checked when they were set. */
    public void checkOwnFlags(String operation, long flags) {
        if ((flags & unkept) != 0) {
            throw Unkept.refusal(info, operation, flags & unkept);
        }
    }

    /** Checks a request. */
    public void checkFlags(OperationKind operation, String name, long flags) {
        if (deliveredAtomicsFreeTwice && operation == OperationKind.ATOMIC && (flags & DELIVERED) != 0) {
            // one that fetches shows by itself when it is done
            throw atomicsFreeTwice(info, name, "fetch what was there, which says as much");
        }
    }

    /** Checks a request that starts later: whether there is room is known only when the provider starts it. */
    public void checkDataLater(OperationKind operation, String name) {
        if (dataNeedRoom && operation == OperationKind.WRITE) {
            throw FabricException.of(name, Errno.EOPNOTSUPP, "provider " + info.provider() + " may write over other "
                    + "operations when a counter starts a write with data: leave out data(), or send the data in a "
                    + "message");
        }
    }

    /** Checks flags that are to be the default of operations. */
    public static void checkDefaults(FabricInfoImpl info, String operation, Flags<OperationFlag> flags) {
        OperationKind.checkDefaults(flags);
        if (flags.contains(OperationFlag.INJECT)) {
            checkInjectByDefault(info, operation, info.quirks());
        }
        if (flags.contains(OperationFlag.DELIVERY_COMPLETE) && info.capabilities().contains(Capability.ATOMIC)
                && info.quirks().has(Quirk.DELIVERED_ATOMICS_FREE_TWICE)) {
            throw atomicsFreeTwice(info, operation, "open the endpoint without Capability.ATOMIC, or give the flag to "
                    + "requests");
        }
        long unkept = flags.bits() & Unkept.ofDefaults(info);
        if (unkept != 0) {
            throw Unkept.refusal(info, operation, unkept);
        }
    }

    private static void checkInjectByDefault(FabricInfoImpl info, String operation, Quirks quirks) {
        if (quirks.has(Quirk.INJECT_FLAG_LOSES)) {
            throw injectLoses(info, operation);
        }
        if (quirks.has(Quirk.INJECTED_ATOMICS_ARE_SILENT) && info.capabilities().contains(Capability.ATOMIC)) {
            throw FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " completes no "
                    + "atomic operation where INJECT is a default flag: open the endpoint without Capability.ATOMIC, "
                    + "or give the flag to requests");
        }
    }

    private static FabricException atomicsFreeTwice(FabricInfoImpl info, String operation, String remedy) {
        return FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " of this libfabric "
                + "spoils later messages to a peer for which it was to tell when an atomic operation is delivered "
                + "(FI_DELIVERY_COMPLETE): " + remedy);
    }

    private static FabricException injectLoses(FabricInfoImpl info, String operation) {
        return FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " loses the context and "
                + "the data of operations with the flag INJECT: call inject, or leave the flag out");
    }

    private FabricException undeliverable(String operation) {
        return FabricException.of(operation, Errno.EOPNOTSUPP, "provider " + info.provider() + " of this libfabric "
                + "does not tell when a message of 0 bytes is delivered (FI_DELIVERY_COMPLETE); send one byte, or "
                + "without it");
    }

    private FabricException tooLong(String operation, long length) {
        return FabricException.of(operation, Errno.EMSGSIZE, length + " bytes, provider " + info.provider() + ", "
                + info.endpoint().type().nativeName() + "; the largest message is "
                + Long.toUnsignedString(messageSize) + " bytes");
    }

    /** Checks a number of local buffers; {@code own} are those that jfabric adds for the provider. */
    public void checkLocal(String operation, boolean sends, long count, long own) {
        long limit = sends ? transmitBuffers : receiveBuffers;
        if (count > 1 && Long.compareUnsigned(count + own, limit) > 0) {
            throw new IllegalArgumentException(operation + ": " + count + " buffers are too many, at most "
                    + Long.toUnsignedString(limit - own) + " can be used at once (" + (sends ? "tx" : "rx")
                    + "().iovLimit()" + (own > 0 ? ", less " + own + " that jfabric adds)" : ")"));
        }
    }

    public void checkRemote(String operation, long count) {
        if (Long.compareUnsigned(count, remoteRanges) > 0) {
            throw new IllegalArgumentException(operation + ": " + count + " remote ranges are too many, at most "
                    + Long.toUnsignedString(remoteRanges) + " can be used at once (tx().rmaIovLimit())");
        }
    }
}
