// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.info;

import io.jfabric.Fabric;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Parameter;
import java.io.PrintStream;
import java.util.Locale;

/** The four texts of {@code fi_info}, to the byte. */
final class Report {
    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    /** One entry for each provider. */
    void providers(FabricInfoList infos) {
        for (FabricInfo info : infos) {
            line(info.provider() + ":");
            line("    version: " + info.fabric().providerVersion());
        }
    }

    /** What tells infos apart. */
    void shortInfo(FabricInfoList infos) {
        for (FabricInfo info : infos) {
            // libfabric's own words for type and protocol, since a new release may have some that jfabric lacks
            String endpoint = info.endpoint().toString();
            line("provider: " + orNull(info.provider()));
            line("    fabric: " + orNull(info.fabric().name().orElse(null)));
            line("    domain: " + orNull(info.domain().name().orElse(null)));
            line("    version: " + info.fabric().providerVersion());
            line("    type: " + field(endpoint, "type"));
            line("    protocol: " + field(endpoint, "protocol"));
        }
    }

    /** Everything about the infos whose text contains a word; about all if it is null. */
    void longInfo(FabricInfoList infos, String word) {
        for (FabricInfo info : infos) {
            String text = info.toString();
            if (contains(text, word)) {
                line("---");
                out.print(text);
            }
        }
    }

    /** The parameters whose name contains a word; all if it is null. */
    void parameters(String word) {
        for (Parameter parameter : Fabric.parameters()) {
            if (!contains(parameter.name(), word)) {
                continue;
            }
            line("# " + parameter.name() + ": " + typeOf(parameter));
            line("# " + orNull(parameter.help()));
            parameter.value().ifPresent(value -> {
                // C prints a NUL where it does not quote
                char quote = value.indexOf(' ') >= 0 ? '"' : '\0';
                line(parameter.name() + "=" + quote + value + quote);
            });
            line("");
        }
    }

    private static String typeOf(Parameter parameter) {
        return switch (parameter.type()) {
            case STRING -> "String";
            case INT -> "Integer";
            case SIZE_T -> "size_t";
            case BOOL -> "Boolean (0/1, on/off, true/false, yes/no)";
            case UNRECOGNIZED -> "Unknown";
        };
    }

    private static String field(String text, String name) {
        int start = text.indexOf(" " + name + ": ") + name.length() + 3;
        return text.substring(start, text.indexOf('\n', start));
    }

    private static boolean contains(String text, String word) {
        return word == null || text.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
    }

    /** What C's printf makes of a null pointer. */
    private static String orNull(String text) {
        return text == null ? "(null)" : text;
    }

    private void line(String text) {
        out.print(text + "\n");
    }
}
