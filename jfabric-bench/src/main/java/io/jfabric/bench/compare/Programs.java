// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts the programs of one language. */
final class Programs {
    private final String language;
    private final List<String> before;
    private final List<String> after;
    private final boolean hasBarrier;
    private final int cpus = Runtime.getRuntime().availableProcessors();

    private Programs(String language, List<String> before, List<String> after, boolean hasBarrier) {
        this.language = language;
        this.before = before;
        this.after = after;
        this.hasBarrier = hasBarrier;
    }

    /** C works in a second thread, as Java does; or, single, has none. */
    static Programs c(String program, boolean single) {
        return new Programs(single ? "C of one thread" : "C", List.of(program), single ? List.of("-1") : List.of(),
                false);
    }

    /** In this JVM's executable, with its class path and the flags in the system property {@code bench.flags}. */
    static Programs java() {
        List<String> before = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
        before.addAll(List.of(System.getProperty("bench.flags", "").split(" +")));
        before.removeIf(String::isEmpty);
        return new Programs("Java", before, List.of(), true);
    }

    /** A case: started, but not on its way; a client has a server, on the CPU before its own. */
    Contestant begin(Spec spec, List<String> options) throws IOException {
        Contestant contestant = new Contestant(language + ", " + spec);
        if (spec.kind().equals("client")) {
            contestant.server(start("server", cpus > 1 ? cpus - 2 : -1, options, List.of(), spec));
        }
        return contestant;
    }

    /** What {@link #begin} has begun: on its way to where it may warm up. */
    void goOn(Contestant contestant, Spec spec, List<String> options) throws IOException {
        List<String> more = new ArrayList<>(List.of("-w"));
        if (spec.kind().equals("client")) {
            more.addAll(List.of("-P", "127.0.0.1:" + contestant.port()));
        }
        // threads of their own are not pinned
        int cpu = spec.name().equals("threads") || cpus == 1 ? -1 : cpus - 1;
        contestant.process(start(spec.kind(), cpu, options, more, spec));
    }

    private Process start(String kind, int cpu, List<String> options, List<String> more, Spec spec)
            throws IOException {
        List<String> line = new ArrayList<>(before);
        if (hasBarrier) {
            // behind the user's flags, so that the table tells the truth
            line.add(spec.barrier() ? "-XX:+UseSystemMemoryBarrier" : "-XX:-UseSystemMemoryBarrier");
            line.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
            // two endpoints of one domain, of which net warns: receives are posted before what they are for
            line.add("-Dorg.slf4j.simpleLogger.log.io.jfabric.Endpoint=error");
            line.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.jfabric.bench.vsc.Bench"));
        }
        line.addAll(List.of(kind, "-C", Integer.toString(cpu), "-s", spec.setting().toString()));
        line.addAll(options);
        line.addAll(more);
        line.addAll(after);
        line.add(spec.text());
        return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
