// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Of providers whose addresses are pointers (verbs, ucx) as of those that count them up: what is not in is not in. */
class KnownAddressesTest {
    private static final long ONE = 0x7f00_1234_5678L;
    private static final long OTHER = 0x7f00_1234_9abcL;
    private static final long HIGH = -4096;

    private final KnownAddresses known = new KnownAddresses(false, false);

    @Test
    void pointersAreKnownOneByOne() {
        known.add(ONE);
        known.add(HIGH);
        assertThat(known.has(ONE)).isTrue();
        assertThat(known.has(HIGH)).isTrue();
        for (long wild : new long[] {0, 5, 0x1234, OTHER, Long.MAX_VALUE, Long.MIN_VALUE, Address.NOT_AVAILABLE}) {
            assertThat(known.has(wild)).as(Long.toHexString(wild)).isFalse();
        }
        // what is below a pointer need not be one
        assertThat(known.limit()).isZero();
    }

    @Test
    void aPointerIsRemovedAsOftenAsItWasInserted() {
        known.add(ONE);
        known.add(OTHER);
        known.add(OTHER);
        assertThat(known.remove(ONE)).isTrue();
        assertThat(known.has(ONE)).isFalse();
        assertThat(known.remove(OTHER)).isFalse();
        assertThat(known.has(OTHER)).isTrue();
        assertThat(known.remove(OTHER)).isTrue();
        assertThat(known.has(OTHER)).isFalse();
        known.add(ONE);
        assertThat(known.has(ONE)).isTrue();
    }

    /** Each address with a place behind it that is none: tables of 16 chunks grow with the 17th place, and the 33rd. */
    @Test
    void placesOfNobodyCountForTheTable() {
        for (int i = 0; i < 40; i++) {
            boolean grows = i * 2 % 16 == 0 && i > 0;
            assertThat(known.mayGrow(2)).as("before insertion %d", i).isEqualTo(grows);
            known.add(i * 2L);
            known.taken(i * 2L + 1);
            assertThat(known.has(i * 2L)).isTrue();
            assertThat(known.has(i * 2L + 1)).isFalse();
            assertThat(known.end()).isEqualTo(i * 2L + 2);
        }
        assertThat(known.aboveLimit()).isNotNull();
        assertThat(known.aboveLimit().test(78)).isTrue();
        assertThat(known.aboveLimit().test(79)).isFalse();
        known.add(80);
        assertThat(known.end()).isEqualTo(81);
    }

    @Test
    void whatWasThereBeforeAPointerStays() {
        known.add(0);
        known.add(2);
        known.remove(0);
        known.add(ONE);
        assertThat(known.has(0)).isFalse();
        assertThat(known.has(1)).isFalse();
        assertThat(known.has(2)).isTrue();
        assertThat(known.has(ONE)).isTrue();
    }

    @Test
    void countedAddressesHaveALimit() {
        known.add(0);
        known.add(1);
        assertThat(known.limit()).isEqualTo(2);
        known.remove(1);
        assertThat(known.limit()).isEqualTo(1);
        assertThat(known.has(1)).isFalse();
        assertThat(known.end()).isEqualTo(2);
    }

    /** Other processes insert, too. */
    @Test
    void ofASharedVectorOnlyTheProviderKnows() {
        KnownAddresses shared = new KnownAddresses(true, false);
        assertThat(shared.has(77)).isTrue();
        shared.forget(77);
        assertThat(shared.has(77)).isTrue();
        assertThat(shared.limit()).isEqualTo(-1);
    }

    /** Also of many, with those that come and go. */
    @Test
    void eachPointerIsTold() {
        Random random = new Random(7);
        Set<Long> in = new HashSet<>();
        known.add(HIGH);
        LongPredicate told = known.aboveLimit();
        for (int i = 0; i < 5_000; i++) {
            long address = ONE + 16L * random.nextInt(2_000);
            if (in.add(address)) {
                known.add(address);
            } else {
                in.remove(address);
                known.remove(address);
            }
        }
        for (long address = ONE; address < ONE + 16L * 2_000; address += 8) {
            assertThat(told.test(address)).isEqualTo(in.contains(address));
        }
        assertThat(told.test(HIGH)).isTrue();
        assertThat(told.test(Address.NOT_AVAILABLE)).isFalse();
    }

    /** The limit tells of those below it, the other of all, but only as long as one is missing. */
    @Test
    void eachNumberIsTold() {
        Random random = new Random(7);
        Set<Long> in = new HashSet<>();
        LongPredicate told = known.aboveLimit();
        for (int i = 0; i < 3_000; i++) {
            long address = random.nextInt(1 + i / 8);
            if (in.add(address)) {
                known.add(address);
            } else {
                in.remove(address);
                known.remove(address);
            }
            long missing = 0;
            while (in.contains(missing)) {
                missing++;
            }
            assertThat(known.limit()).isEqualTo(missing);
            assertThat(told.test(address)).isEqualTo(in.contains(address) && missing < known.end());
        }
        for (long address = -70; address < known.end() + 70; address++) {
            assertThat(known.has(address)).isEqualTo(in.contains(address));
            assertThat(told.test(address)).isEqualTo(in.contains(address));
        }
        for (long address = 0; address < known.end(); address++) {
            if (!known.has(address)) {
                known.add(address);
            }
        }
        assertThat(known.limit()).isEqualTo(known.end());
        assertThat(told.test(0)).isFalse();
    }

    /** Of what is removed later, the one that was asked before pointers came would not know. */
    @Test
    void pointersEndWhatToldOfNumbers() {
        known.add(0);
        known.add(1);
        known.remove(0);
        LongPredicate told = known.aboveLimit();
        assertThat(told.test(1)).isTrue();
        known.add(ONE);
        assertThat(told.test(1)).isFalse();
        assertThat(known.aboveLimit().test(1)).isTrue();
        known.remove(1);
        assertThat(told.test(1)).isFalse();
        assertThat(known.has(1)).isFalse();
    }
}
