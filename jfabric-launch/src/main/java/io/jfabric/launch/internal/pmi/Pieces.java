// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A value in the pieces of text that PMI can hold; the first says how many there are. */
final class Pieces {
    /** Of at most 1,024 characters that a value may have in all launchers. */
    private static final int PIECE = 900;

    private Pieces() {
    }

    static List<String> of(byte[] value) {
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(value);
        int count = Math.max(1, (text.length() + PIECE - 1) / PIECE);
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String piece = text.substring(i * PIECE, Math.min(text.length(), (i + 1) * PIECE));
            pieces.add((i == 0 ? count + ":" : "") + piece);
        }
        return pieces;
    }

    /**
     * How many there are.
     *
     * @throws IllegalArgumentException if it is no such piece
     */
    static int count(String first) {
        int colon = first.indexOf(':');
        int count = 0;
        try {
            count = Integer.parseInt(first.substring(0, Math.max(0, colon)));
        } catch (NumberFormatException e) {
            // as 0
        }
        if (count < 1) {
            throw new IllegalArgumentException("\"" + first + "\" does not begin with a number of pieces");
        }
        return count;
    }

    /**
     * The value.
     *
     * @throws IllegalArgumentException if they are not that of one
     */
    static byte[] together(List<String> pieces) {
        String text = String.join("", pieces);
        return Base64.getUrlDecoder().decode(text.substring(text.indexOf(':') + 1));
    }
}
