// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Place;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** PMI-1: lines. Rank and size are in the environment. */
final class Pmi1 extends Dialect {
    private static final int LONGEST_LINE = 64 << 10;
    private static final String FENCED = "barrier_out";
    private final Map<String, String> environment;
    private String space;

    Pmi1(Fd fd, Map<String, String> environment) {
        super(fd);
        this.environment = environment;
    }

    @Override
    Place init(Deadline deadline) throws IOException {
        ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init", deadline).orThrow();
        space = ask("cmd=get_my_kvsname", "my_kvsname", deadline).orThrow().values().get("kvsname");
        if (space == null) {
            throw new IOException("the launcher has given no kvsname");
        }
        return new Place(PmiSession.number(environment, "PMI_RANK"), PmiSession.number(environment, "PMI_SIZE"),
                PmiSession.local(environment, "MPI_LOCALRANKID", "SLURM_LOCALID"),
                PmiSession.local(environment, "MPI_LOCALNRANKS"), space);
    }

    @Override
    void send(String question, Deadline deadline) throws IOException {
        send(fd, question, deadline);
    }

    @Override
    Reply reply(Deadline deadline) throws IOException {
        return Reply.of(line(fd, deadline), ' ');
    }

    static void send(Fd fd, String line, Deadline deadline) throws IOException {
        fd.write((line + "\n").getBytes(StandardCharsets.UTF_8), deadline);
    }

    static String line(Fd fd, Deadline deadline) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (byte next = fd.read(deadline); next != '\n'; next = fd.read(deadline)) {
            if (line.size() == LONGEST_LINE) {
                throw new IOException("the launcher sends a line that does not end");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    void put(String key, String value, Deadline deadline) throws IOException {
        ask("cmd=put kvsname=" + space + " key=" + key + " value=" + value, "put_result", deadline).orThrow();
    }

    @Override
    boolean fence(BooleanSupplier givenUp, Deadline deadline) throws IOException {
        return fence("cmd=barrier_in", FENCED, givenUp, deadline);
    }

    @Override
    String get(String key, Deadline deadline) throws IOException {
        Reply reply = ask("cmd=get kvsname=" + space + " key=" + key, "get_result", deadline);
        return reply.good() ? reply.values().get("value") : null;
    }

    @Override
    void abort(String message, int exitCode, Deadline deadline) throws IOException {
        send(fd, "cmd=abort exitcode=" + exitCode, deadline);
    }

    @Override
    void finish(Deadline deadline) throws IOException {
        finish("cmd=finalize", "finalize_ack", FENCED, deadline);
    }
}
