// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

/**
 * A range of libfabric's releases.
 *
 * @param first the first that belongs to it, as {@code FI_VERSION} packs it; 0 for the oldest
 * @param end the first that does not belong to it any more; {@link Integer#MAX_VALUE} for none yet
 */
public record Releases(int first, int end) {
    /** Every release that jfabric supports. */
    public static final Releases ALL = new Releases(0, Integer.MAX_VALUE);

    /** From one release on. */
    public static Releases since(String release) {
        return new Releases(code(release), Integer.MAX_VALUE);
    }

    /** All before a release that mends it. */
    public static Releases before(String release) {
        return new Releases(0, code(release));
    }

    /** From one release on, before another one. */
    public static Releases between(String first, String end) {
        return new Releases(code(first), code(end));
    }

    private static int code(String release) {
        int dot = release.indexOf('.');
        return Integer.parseInt(release.substring(0, dot)) << 16 | Integer.parseInt(release.substring(dot + 1));
    }

    /** Whether a release belongs to it. */
    public boolean include(int release) {
        return release >= first && release < end;
    }

    /** For people: {@code before 2.0}, {@code since 1.19}, {@code all}. */
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
