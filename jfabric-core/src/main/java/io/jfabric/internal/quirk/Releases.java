// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

/**
 * A range of libfabric's releases.
 *
 * @param first the first release in it, as {@code FI_VERSION} packs it; 0 for the oldest
 * @param end the first release behind it; {@link Integer#MAX_VALUE} for none yet
 */
public record Releases(int first, int end) {
    /** Every release that jfabric supports. */
    public static final Releases ALL = new Releases(0, Integer.MAX_VALUE);

    /** All from one release on. */
    public static Releases since(String release) {
        return new Releases(code(release), Integer.MAX_VALUE);
    }

    /** All before the release that mends it. */
    public static Releases before(String release) {
        return new Releases(0, code(release));
    }

    /** All from one release on, before another one. */
    public static Releases between(String first, String end) {
        return new Releases(code(first), code(end));
    }

    private static int code(String release) {
        int dot = release.indexOf('.');
        return Integer.parseInt(release.substring(0, dot)) << 16 | Integer.parseInt(release.substring(dot + 1));
    }

    /** Whether a release is in the range. */
    public boolean include(int release) {
        return release >= first && release < end;
    }

    /** As shown to people: {@code before 2.0}, {@code since 1.19}, {@code all}. */
    @Override
    public String toString() {
        String from = first == 0 ? "" : "since " + text(first);
        String to = end == Integer.MAX_VALUE ? "" : "before " + text(end);
        return from.isEmpty() && to.isEmpty() ? "all" : (from + " " + to).strip();
    }

    private static String text(int code) {
        return (code >>> 16) + "." + (code & 0xFFFF);
    }
}
