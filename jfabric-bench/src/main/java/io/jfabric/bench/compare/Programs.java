// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts the programs of one language. */
final class Programs {
    private final List<String> command;
    private final int cpus = Runtime.getRuntime().availableProcessors();

    Programs(List<String> command) {
        this.command = command;
    }

    /** A case, warmed up and waiting for its first turn. */
    Contestant start(Spec spec, List<String> provider) throws IOException {
        String last = Integer.toString(cpus > 1 ? cpus - 1 : -1);
        if (!spec.kind().equals("client")) {
            // threads of their own are not pinned
            boolean threads = spec.text().startsWith("threads:");
            return new Contestant(null, start(spec.kind(), threads ? "-1" : last, provider, List.of("-w"), spec), spec)
                    .awaitReady();
        }
        // a server on the last but one CPU, a client on the last
        Process server = start("server", Integer.toString(cpus > 1 ? cpus - 2 : -1), provider, List.of(), spec);
        String port = server.inputReader().readLine();
        if (port == null || !port.startsWith("port ")) {
            server.destroyForcibly();
            throw new IOException("the server did not start");
        }
        List<String> peer = List.of("-w", "-P", "127.0.0.1:" + port.substring("port ".length()));
        return new Contestant(server, start("client", last, provider, peer, spec), spec).awaitReady();
    }

    private Process start(String kind, String cpu, List<String> provider, List<String> more, Spec spec)
            throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(kind, "-C", cpu));
        line.addAll(provider);
        line.addAll(more);
        line.add(spec.text());
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(spec.environment());
        return builder.start();
    }
}
