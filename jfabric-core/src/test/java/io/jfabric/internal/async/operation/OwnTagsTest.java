// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Exceptions and recordings say whose a message was. */
class OwnTagsTest {
    private static final long OF_A_PAYLOAD_SENT_AT_ONCE = 1L << 61 | 1L << 60 | 7L << 40 | 5;

    @Test
    void whoseAMessageIsStandsBesideItsTag() {
        assertThat(OwnTags.text(OwnTags.CALLS)).endsWith(", of calls");
        assertThat(OwnTags.text(OwnTags.CALLS | 3L << 48 | 17)).endsWith(", of calls");
        assertThat(OwnTags.text(OF_A_PAYLOAD_SENT_AT_ONCE)).endsWith(", of calls");
        assertThat(OwnTags.text(OwnTags.ALIVE)).endsWith(", of keep-alive");
        assertThat(OwnTags.text(OwnTags.WORDS)).endsWith(", of groups");
        assertThat(OwnTags.text(1L << 62 | OwnTags.ALIVE)).endsWith(", of groups");
        assertThat(OwnTags.text(17)).isEqualTo("17");
        assertThat(OwnTags.text(1L << 60)).isEqualTo("0x1000000000000000");
    }
}
