// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Version;

/** The type of an operand of atomic and collective operations ({@code enum fi_datatype}). */
public enum Datatype implements FabricConstant {
    /** Signed, 1 byte. */
    INT8(Libfabric.FI_INT8(), 0, FIRST),
    /** Unsigned, 1 byte. */
    UINT8(Libfabric.FI_UINT8(), 0, FIRST),
    /** Signed, 2 bytes: {@code short}. */
    INT16(Libfabric.FI_INT16(), 1, FIRST),
    /** Unsigned, 2 bytes. */
    UINT16(Libfabric.FI_UINT16(), 1, FIRST),
    /** Signed, 4 bytes: {@code int}. */
    INT32(Libfabric.FI_INT32(), 2, FIRST),
    /** Unsigned, 4 bytes. */
    UINT32(Libfabric.FI_UINT32(), 2, FIRST),
    /** Signed, 8 bytes: {@code long}. */
    INT64(Libfabric.FI_INT64(), 3, FIRST),
    /** Unsigned, 8 bytes. */
    UINT64(Libfabric.FI_UINT64(), 3, FIRST),
    /** IEEE single precision: {@code float}. */
    FLOAT(Libfabric.FI_FLOAT(), 2, FIRST),
    /** IEEE double precision: {@code double}. */
    DOUBLE(Libfabric.FI_DOUBLE(), 3, FIRST),
    /** Two FLOAT. */
    FLOAT_COMPLEX(Libfabric.FI_FLOAT_COMPLEX(), 3, FIRST),
    /** Two DOUBLE. */
    DOUBLE_COMPLEX(Libfabric.FI_DOUBLE_COMPLEX(), 4, FIRST),
    /** C's {@code long double}, 16 bytes. */
    LONG_DOUBLE(Libfabric.FI_LONG_DOUBLE(), 4, FIRST),
    /** Two LONG_DOUBLE. */
    LONG_DOUBLE_COMPLEX(Libfabric.FI_LONG_DOUBLE_COMPLEX(), 5, FIRST),
    /** Signed, 16 bytes. */
    INT128(Libfabric.FI_INT128(), 4, FIRST),
    /** Unsigned, 16 bytes. */
    UINT128(Libfabric.FI_UINT128(), 4, FIRST),
    /** IEEE half precision. */
    FLOAT16(Libfabric.FI_FLOAT16(), 1, new Version(2, 0)),
    /** The upper half of a FLOAT. */
    BFLOAT16(Libfabric.FI_BFLOAT16(), 1, new Version(2, 0)),
    /** 1 byte with 4 bits of exponent and 3 of fraction. */
    FLOAT8_E4M3(Libfabric.FI_FLOAT8_E4M3(), 0, new Version(2, 0)),
    /** 1 byte with 5 bits of exponent and 2 of fraction. */
    FLOAT8_E5M2(Libfabric.FI_FLOAT8_E5M2(), 0, new Version(2, 0)),
    /** No type; collectives only. */
    VOID(Libfabric.FI_VOID(), -1, FIRST);

    private final long code;
    private final int shift;
    private final Version since;

    Datatype(long code, int shift, Version since) {
        this.code = code;
        this.shift = shift;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }

    /**
     * The size of one element.
     *
     * @return in bytes; 0 for {@link #VOID}
     */
    public long byteSize() {
        return shift < 0 ? 0 : 1L << shift;
    }

    /**
     * What addresses of operands must be multiples of.
     *
     * @return in bytes; 1 for {@link #VOID}
     */
    public long byteAlignment() {
        boolean complex = this == FLOAT_COMPLEX || this == DOUBLE_COMPLEX || this == LONG_DOUBLE_COMPLEX;
        return shift < 0 ? 1 : 1L << (complex ? shift - 1 : shift);
    }
}
