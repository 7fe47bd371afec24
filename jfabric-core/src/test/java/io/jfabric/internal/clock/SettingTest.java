// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingTest {
    private static final String PROPERTY = "jfabric.test.setting";

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void givesWhatIsSet() {
        assertThat(Setting.number(PROPERTY, 5)).isEqualTo(5);
        for (long value : new long[] {0, 1, Long.MAX_VALUE}) {
            System.setProperty(PROPERTY, " " + value + " ");
            assertThat(Setting.number(PROPERTY, 5)).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10s", "1.5", "-1", "9223372036854775808", "0x10"})
    void ignoresWhatIsNoNumber(String value) {
        System.setProperty(PROPERTY, value);
        assertThat(Setting.number(PROPERTY, 5)).isEqualTo(5);
    }

    @Test
    void isOffUnlessItIsSet() {
        assertThat(Setting.isOn(PROPERTY)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "TRUE, true", "'', true", "' ', true", "false, false", "False, false", "yes, false",
        "1, false"})
    void isOnIfItIsTrueOrHasNoValue(String value, boolean on) {
        System.setProperty(PROPERTY, value);
        assertThat(Setting.isOn(PROPERTY)).isEqualTo(on);
    }

    @ParameterizedTest
    @CsvSource({"stack, stack", "' nostack ', nostack", "Stack, ''", "'', ''", "stacks, ''"})
    void ignoresWordsThatItDoesNotKnow(String value, String word) {
        System.setProperty(PROPERTY, value);
        assertThat(Setting.word(PROPERTY, "stack", "nostack")).isEqualTo(word);
    }
}
