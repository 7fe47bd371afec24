// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Maps, lists and texts as JSON. */
final class Json {
    private Json() {
    }

    static String of(Object value) {
        return switch (value) {
            case Map<?, ?> map -> map.entrySet().stream().map(entry -> of(entry.getKey().toString()) + ": "
                    + of(entry.getValue())).collect(Collectors.joining(", ", "{", "}"));
            case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",\n  ", "[", "]"));
            case null -> "null";
            case Boolean bool -> bool.toString();
            default -> quote(value.toString());
        };
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
