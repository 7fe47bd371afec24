// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.EscapeHatchImpl;
import io.jfabric.internal.life.Turn;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Limits;
import io.jfabric.option.Direction;
import java.util.Objects;

/** The flags of an endpoint's operations that have none of their own. */
final class DefaultFlags {
    private final EndpointImpl endpoint;
    private final EndpointState state;

    DefaultFlags(EndpointImpl endpoint, EndpointState state) {
        this.endpoint = endpoint;
        this.state = state;
    }

    Flags<OperationFlag> read(Direction direction) {
        long bit = bit(direction);
        return Flags.ofBits(OperationFlag.class,
                EscapeHatchImpl.flags(endpoint, "FI_GETOPSFLAG", Libfabric.FI_GETOPSFLAG(), bit) & ~bit);
    }

    void set(Direction direction, Flags<OperationFlag> flags) {
        long bit = bit(direction);
        Known.require(flags, "operation flags");
        Limits.checkDefaults(state.info(), "FI_SETOPSFLAG", flags);
        check(direction, flags.bits());
        long given = given(direction, flags.bits());
        // so what a thread inside has looked at stays true until it is out again
        Turn.locked(endpoint, () -> endpoint.alone(() -> {
            EscapeHatchImpl.flags(endpoint, "FI_SETOPSFLAG", Libfabric.FI_SETOPSFLAG(), given | bit);
            note(direction, given);
        }));
    }

    /** Throws if receives cannot have them without a look at each. */
    void check(Direction direction, long bits) {
        if (direction == Direction.RECEIVE) {
            state.multiReceives().checkDefault(bits);
        }
    }

    /** The flags as the provider gets them. */
    long given(Direction direction, long bits) {
        return direction == Direction.TRANSMIT ? state.limits().given(bits) : bits;
    }

    /** Notes that the provider has them. */
    void note(Direction direction, long bits) {
        if (direction == Direction.TRANSMIT) {
            state.transmitFlags(bits);
        } else {
            state.receiveFlags(bits);
        }
    }

    static long bit(Direction direction) {
        return switch (Objects.requireNonNull(direction, "direction")) {
            case TRANSMIT -> Libfabric.FI_TRANSMIT();
            case RECEIVE -> Libfabric.FI_RECV();
        };
    }
}
