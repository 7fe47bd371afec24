// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** PMI-2: after the first line, messages with their length in six digits before them. */
final class Pmi2 extends Dialect {
    private static final int LENGTH_DIGITS = 6;
    private static final int LONGEST_TEXT = 1000;
    private static final String ANSWER = "-response";
    private static final String FENCED = "kvs-fence" + ANSWER;
    private final Map<String, String> environment;
    private String job = "";

    Pmi2(Fd fd, Map<String, String> environment) {
        super(fd);
        this.environment = environment;
    }

    @Override
    Place init(Deadline deadline) throws IOException {
        Pmi1.send(fd, "cmd=init pmi_version=2 pmi_subversion=0", deadline);
        Reply version = Reply.of(Pmi1.line(fd, deadline), ' ').expect("response_to_init").orThrow();
        if (version.number("pmi_version") != 2) {
            throw new IOException("the launcher speaks another version: \"" + version.text() + "\"");
        }
        String id = environment.getOrDefault("PMI_JOBID", "");
        Reply full = ask("fullinit;pmijobid=" + id + ";pmirank=" + PmiSession.number(environment, "PMI_RANK")
                + ";threaded=FALSE;", "fullinit" + ANSWER, deadline).orThrow();
        job = ask("job-getid;", "job-getid" + ANSWER, deadline).orThrow().values().getOrDefault("jobid", id);
        return new Place(full.number("rank"), full.number("size"),
                PmiSession.local(environment, "MPI_LOCALRANKID", "SLURM_LOCALID"),
                PmiSession.local(environment, "MPI_LOCALNRANKS"), job);
    }

    @Override
    Reply reply(Deadline deadline) throws IOException {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < LENGTH_DIGITS; i++) {
            digits.append((char) fd.read(deadline));
        }
        byte[] answer;
        try {
            answer = new byte[Integer.parseUnsignedInt(digits.toString().strip())];
        } catch (NumberFormatException e) {
            throw new IOException("the launcher has answered \"" + digits + "\" where a length should be", e);
        }
        for (int i = 0; i < answer.length; i++) {
            answer[i] = fd.read(deadline);
        }
        return Reply.of(new String(answer, StandardCharsets.UTF_8), ';');
    }

    @Override
    void send(String command, Deadline deadline) throws IOException {
        byte[] message = ("cmd=" + command).getBytes(StandardCharsets.UTF_8);
        byte[] length = String.format(Locale.ROOT, "%" + LENGTH_DIGITS + "d", message.length)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[length.length + message.length];
        System.arraycopy(length, 0, all, 0, length.length);
        System.arraycopy(message, 0, all, length.length, message.length);
        fd.write(all, deadline);
    }

    @Override
    void put(String key, String value, Deadline deadline) throws IOException {
        ask("kvs-put;key=" + key + ";value=" + value + ";", "kvs-put" + ANSWER, deadline).orThrow();
    }

    @Override
    boolean fence(BooleanSupplier givenUp, Deadline deadline) throws IOException {
        return fence("kvs-fence;", FENCED, givenUp, deadline);
    }

    @Override
    String get(String key, Deadline deadline) throws IOException {
        Reply reply = ask("kvs-get;jobid=" + job + ";srcid=-1;key=" + key + ";", "kvs-get" + ANSWER, deadline);
        boolean found = reply.good() && "TRUE".equalsIgnoreCase(reply.values().getOrDefault("found",
                reply.values().getOrDefault("flag", "TRUE")));
        return found ? reply.values().get("value") : null;
    }

    @Override
    void abort(String message, int exitCode, Deadline deadline) throws IOException {
        // its length has six digits
        String text = message.length() <= LONGEST_TEXT ? message : message.substring(0, LONGEST_TEXT) + "...";
        send("abort;isworld=TRUE;exitcode=" + exitCode + ";msg=" + text.replaceAll("[;\\v]", ",") + ";", deadline);
    }

    @Override
    void finish(Deadline deadline) throws IOException {
        finish("finalize;", "finalize" + ANSWER, FENCED, deadline);
    }
}
