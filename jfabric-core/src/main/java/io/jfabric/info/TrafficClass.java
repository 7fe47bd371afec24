// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

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
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static TrafficClass ofCode(int code) {
        return Constants.find(TrafficClass.class, code, UNRECOGNIZED);
    }
}
