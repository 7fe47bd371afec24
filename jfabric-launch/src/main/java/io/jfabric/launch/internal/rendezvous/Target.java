// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.JobException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the environment says about the rendezvous. The rank is -1 where the server shall choose. */
public record Target(String host, int port, int size, int rank, String secret, boolean servedByRank0) {
    /** Host and port of the server. */
    public static final String RENDEZVOUS = "JFABRIC_RENDEZVOUS";
    public static final String SIZE = "JFABRIC_SIZE";
    public static final String RANK = "JFABRIC_RANK";
    public static final String SECRET = "JFABRIC_SECRET";
    /** A file with the secret, such as a Kubernetes secret that is mounted. */
    public static final String SECRET_FILE = "JFABRIC_SECRET_FILE";
    /** "rank0" (if not set, or empty) or "apart": who serves. */
    public static final String SERVER = "JFABRIC_RENDEZVOUS_SERVER";
    public static final String APART = "apart";
    private static final String RANK0 = "rank0";
    /** The host in brackets, or without, and the port. */
    private static final Pattern WHERE = Pattern.compile("(?:\\[([^\\[\\]\\s]+)\\]|([^\\[\\]\\s]+)):([^\\s:]*)");
    /** The rank in an indexed Job of Kubernetes. */
    public static final String INDEX = "JOB_COMPLETION_INDEX";
    private static final int LAST_PORT = 65_535;
    private static final Logger LOG = LoggerFactory.getLogger(Target.class);

    static Target of(Map<String, String> environment) {
        Matcher where = WHERE.matcher(environment.getOrDefault(RENDEZVOUS, ""));
        if (!where.matches()) {
            throw new JobException(RENDEZVOUS + ": \"" + environment.getOrDefault(RENDEZVOUS, "")
                    + "\" is not host:port, without blanks");
        }
        int port = number(RENDEZVOUS, where.group(3), 1, LAST_PORT);
        if (!environment.containsKey(SIZE)) {
            throw new JobException(SIZE + " is not set: how many processes has the job?");
        }
        int size = number(SIZE, environment.get(SIZE), 1, Server.MOST_RANKS);
        String name = environment.containsKey(RANK) ? RANK : INDEX;
        String rank = environment.get(name);
        String server = environment.getOrDefault(SERVER, "");
        if (!List.of("", RANK0, APART).contains(server)) {
            throw new JobException(SERVER + ": \"" + server + "\" is neither " + RANK0 + " nor " + APART);
        }
        return new Target(where.group(1) != null ? where.group(1) : where.group(2), port, size,
                rank == null || rank.isEmpty() ? -1 : number(name, rank, 0, size - 1), secret(environment),
                !server.equals(APART));
    }

    private static int number(String name, String text, int least, int most) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // the same answer as for one out of range
        }
        throw new JobException(name + ": \"" + text + "\" is not a number between " + least + " and " + most);
    }

    private static String secret(Map<String, String> environment) {
        String file = environment.get(SECRET_FILE);
        if (file == null) {
            return environment.getOrDefault(SECRET, "");
        }
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException | InvalidPathException e) {
            throw new JobException(SECRET_FILE + "=" + file + " cannot be read: " + e, e);
        }
    }

    /** Rank 0 serves, unless somebody else does at this address: null. */
    Server serve() {
        if (rank != 0 || !servedByRank0) {
            return null;
        }
        try {
            if (secret.isEmpty()) {
                LOG.warn("rendezvous: serving at port {} without a secret: set {}", port, SECRET);
            }
            return Server.startInProgram(new InetSocketAddress(port), size, secret, this.toString());
        } catch (BindException e) {
            throw new JobException("join: rank 0 cannot serve the rendezvous at port " + port + ": " + e.getMessage()
                    + "; if a server apart does, set " + SERVER + "=" + APART, e);
        } catch (IOException e) {
            throw new JobException("join: rank 0 cannot serve the rendezvous at port " + port + ": " + e, e);
        }
    }

    /** As {@link #RENDEZVOUS} has it. */
    public static String text(String host, int port) {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    /** For people. */
    @Override
    public String toString() {
        return text(host, port);
    }
}
