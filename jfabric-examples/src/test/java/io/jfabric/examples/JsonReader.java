// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of our own tools, strictly: objects, arrays, strings, null. Anything else fails the test. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(String text) {
        JsonReader reader = new JsonReader(text.strip());
        Object value = reader.value();
        if (reader.at != reader.text.length()) {
            throw reader.wrong("the end");
        }
        return value;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> {
                expect("null");
                yield null;
            }
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        expect("{");
        while (peek() != '}') {
            if (!map.isEmpty()) {
                expect(",");
                peek();
            }
            String key = string();
            peek();
            expect(":");
            map.put(key, value());
        }
        expect("}");
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        expect("[");
        while (peek() != ']') {
            if (!list.isEmpty()) {
                expect(",");
            }
            list.add(value());
        }
        expect("]");
        return list;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        expect("\"");
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw wrong("no control character");
            }
            if (c != '\\') {
                string.append(c);
            } else if (text.charAt(at) == 'u') {
                string.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 5;
            } else {
                string.append(text.charAt(at++));
            }
        }
        at++;
        return string.toString();
    }

    /** The next character that is not white. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void expect(String word) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
    }

    private AssertionError wrong(String expected) {
        return new AssertionError("expected " + expected + " at " + at + " of: " + text);
    }
}
