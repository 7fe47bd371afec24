// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where a rank's time goes. */
public final class Phases {
    private final List<String> names = new ArrayList<>();
    private final List<Long> nanos = new ArrayList<>();
    private long last = System.nanoTime();

    /** What was done since the last call. */
    public void done(String name) {
        long now = System.nanoTime();
        names.add(name);
        nanos.add(now - last);
        last = now;
    }

    /** For the other ranks. */
    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(nanos.size() * Long.BYTES);
        nanos.forEach(bytes::putLong);
        return bytes.array();
    }

    /** What another rank has sent, in seconds. */
    public static double[] seconds(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        double[] seconds = new double[bytes.length / Long.BYTES];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = in.getLong() / 1e9;
        }
        return seconds;
    }

    /** In the order in which they were done. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** For people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(String.format(Locale.ROOT, "%s%s %.2f s", i == 0 ? "" : ", ", names.get(i),
                    nanos.get(i) / 1e9));
        }
        return text.toString();
    }
}
