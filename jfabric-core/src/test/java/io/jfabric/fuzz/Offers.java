// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.Fabric;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the library offers, asked for in another JVM: the supervisor does not load it. */
public final class Offers {
    /** By the JVM's flags and the choices. */
    private static final Map<List<String>, List<String>> ASKED = new HashMap<>();

    private Offers() {
    }

    /** Prints the version, then what there is. */
    public static void main(String... args) {
        System.out.println("version " + Fabric.version());
        for (String arg : args) {
            String[] choice = arg.split(" ");
            if (Scene.isOffered(choice[0], choice[1])) {
                System.out.println("offered " + arg);
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static boolean has(Options.Choice choice, Options options) throws IOException {
        return ask(options).contains("offered " + choice);
    }

    static String version(Options options) throws IOException {
        return ask(options).stream().filter(l -> l.startsWith("version ")).findFirst().orElse("version ?")
                .substring("version ".length());
    }

    private static List<String> ask(Options options) throws IOException {
        List<String> question = new ArrayList<>(options.jvm);
        options.choices().forEach(c -> question.add(c.toString()));
        List<String> known = ASKED.get(question);
        if (known == null) {
            List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin",
                    "java").toString(), "--enable-native-access=ALL-UNNAMED"));
            command.addAll(options.jvm);
            command.addAll(List.of("-cp", ClassPath.get(), Offers.class.getName()));
            options.choices().forEach(c -> command.add(c.toString()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            known = process.inputReader(StandardCharsets.UTF_8).lines().toList();
            ASKED.put(question, known);
        }
        return known;
    }
}
