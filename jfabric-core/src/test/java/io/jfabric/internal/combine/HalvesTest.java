// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums that 16 bits do not hold. */
class HalvesTest {
    /** Below the middle of two numbers, above it, in it to the even one, either way; then infinity and NaN. */
    @ParameterizedTest
    @CsvSource({"3f80, 3b00, 3f80", "3f80, 3bc0, 3f81", "3f80, 3b80, 3f80", "3f81, 3b80, 3f82", "bf81, bb80, bf82",
        "7f7f, 7f7f, 7f80", "7f80, ff80, 7fc0"})
    void brainFloatsAreRoundedToTheNearest(String a, String b, String sum) {
        short[] result = new short[1];
        new Combiner(Datatype.BFLOAT16, AtomicOp.SUM).combine(of(a), of(b), MemorySegment.ofArray(result));
        assertThat(Integer.toHexString(Short.toUnsignedInt(result[0]))).isEqualTo(sum);
    }

    private static MemorySegment of(String bits) {
        return MemorySegment.ofArray(new short[] {(short) Integer.parseInt(bits, 16)});
    }
}
