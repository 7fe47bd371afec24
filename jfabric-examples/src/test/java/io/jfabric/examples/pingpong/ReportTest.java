// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    @Test
    void printsWhatLibfabricsOwnDoes() {
        report.line(0, 0, 0, 0);
        report.line(1536, 1000, 1000, 62_000);
        report.line(6 << 20, 5, 6, 987_654);
        report.line(0, 2_000_000, 1_999_000, 1_500_000);
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec",
                "1.5k    1k      =1k      2.9m        0.06s     49.55      31.00       0.03",
                "6m      5       -1       60m         0.99s     63.70   98765.40       0.00",
                "0       2m      +1k      0           1.50s      0.00       0.38       2.67");
    }

    @Test
    void abbreviatesSizes() {
        assertThat(Report.bytes(1023)).isEqualTo("1023");
        assertThat(Report.bytes(1024)).isEqualTo("1k");
        assertThat(Report.bytes(10 * 1024 + 512)).isEqualTo("10k");
        assertThat(Report.bytes(9 * 1024 + 512)).isEqualTo("9.5k");
        assertThat(Report.bytes(3L << 29)).isEqualTo("1.5g");
    }
}
