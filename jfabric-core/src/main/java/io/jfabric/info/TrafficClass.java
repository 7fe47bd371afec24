// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.info.Constants;
import java.util.OptionalInt;

/** The service level asked of the network ({@code tclass}). */
public enum TrafficClass implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_TC_UNSPEC()),
    /** Default. */
    BEST_EFFORT(Libfabric.FI_TC_BEST_EFFORT()),
    /** Small, urgent messages. */
    LOW_LATENCY(Libfabric.FI_TC_LOW_LATENCY()),
    /** Reserved bandwidth. */
    DEDICATED_ACCESS(Libfabric.FI_TC_DEDICATED_ACCESS()),
    /** Large transfers. */
    BULK_DATA(Libfabric.FI_TC_BULK_DATA()),
    /** Whatever is left over. */
    SCAVENGER(Libfabric.FI_TC_SCAVENGER()),
    /** Control traffic. */
    NETWORK_CTRL(Libfabric.FI_TC_NETWORK_CTRL()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private static final int MAX_DSCP = 63;

    private final long code;

    TrafficClass(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_TC_" + name();
    }

    /**
     * The value for a differentiated services code point ({@code fi_tc_dscp_set}).
     *
     * @param dscp the code point, 0 to 63
     * @return a value for {@code trafficClassCode}
     */
    public static int codeOfDscp(int dscp) {
        Arguments.range("dscp", dscp, 0, MAX_DSCP);
        return dscp | Libfabric.FI_TC_DSCP();
    }

    /**
     * The differentiated services code point in a value ({@code fi_tc_dscp_get}).
     *
     * @param code a traffic class
     * @return the code point; empty if the class is not one
     */
    public static OptionalInt dscpOfCode(int code) {
        return (code & Libfabric.FI_TC_DSCP()) == 0 ? OptionalInt.empty() : OptionalInt.of(code & 0xff);
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static TrafficClass ofCode(int code) {
        return Constants.find(TrafficClass.class, code, UNRECOGNIZED);
    }
}
