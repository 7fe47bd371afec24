// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.pmi;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A launcher's side of PMI-1 and PMI-2, small but real. Values show after the fence. */
public final class PmiServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final int size;
    private final int expected;
    private final boolean mute;
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, String> fenced = new HashMap<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    public PmiServer(int size) throws IOException {
        this(size, size, false);
    }

    /** One that is mute does not answer who puts. */
    public PmiServer(int size, boolean mute) throws IOException {
        this(size, size, mute);
    }

    /** For one rank, whose fences never end. */
    public static PmiServer withoutFences() throws IOException {
        return new PmiServer(1, 2, false);
    }

    private PmiServer(int size, int expected, boolean mute) throws IOException {
        this.mute = mute;
        this.size = size;
        this.expected = expected;
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try {
                    Socket socket = listener.accept();
                    synchronized (this) {
                        sockets.add(socket);
                    }
                    Thread.ofPlatform().daemon().start(() -> serve(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** What it was told at the end. */
    public synchronized List<String> log() {
        return List.copyOf(log);
    }

    /** As one that has been killed. */
    public synchronized void hangUp() throws IOException {
        for (Socket socket : sockets) {
            // what is written by the other side fails at once, as with the sockets of launchers
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            Map<String, String> init = fields(line(in), " ");
            String version = init.get("pmi_version");
            out.write(("cmd=response_to_init pmi_version=" + version + " pmi_subversion=" + init.get("pmi_subversion")
                    + " rc=0\n").getBytes(StandardCharsets.UTF_8));
            while (true) {
                if (version.equals("1")) {
                    first(fields(line(in), " "), out);
                } else {
                    byte[] length = new byte[6];
                    in.readFully(length);
                    int bytes = Integer.parseInt(new String(length, StandardCharsets.UTF_8).strip());
                    second(fields(new String(in.readNBytes(bytes), StandardCharsets.UTF_8), ";"), out);
                }
            }
        } catch (IOException e) {
            // it has gone
        }
    }

    private static String line(DataInputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static Map<String, String> fields(String text, String separator) {
        Map<String, String> fields = new HashMap<>();
        for (String part : text.split(separator)) {
            fields.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
        }
        return fields;
    }

    private synchronized void first(Map<String, String> message, OutputStream out) throws IOException {
        String key = message.get("key");
        String answer = switch (message.get("cmd")) {
            case "get_my_kvsname" -> "cmd=my_kvsname kvsname=kvs_1_0";
            case "put" -> {
                check(message.get("value").length() <= 1024 && key.length() <= 64);
                check(values.put(key, message.get("value")) == null);
                yield mute ? "" : "cmd=put_result rc=0 msg=success";
            }
            case "get" -> fenced.containsKey(key) ? "cmd=get_result rc=0 msg=success value=" + fenced.get(key)
                    : "cmd=get_result rc=-1 msg=key_" + key + "_not_found value=unknown";
            case "barrier_in" -> fence(() -> write(out, "cmd=barrier_out\n"));
            case "finalize" -> end("finalize", "cmd=finalize_ack");
            case "abort" -> end("abort " + message.get("exitcode"), "");
            default -> throw new IOException(message.toString());
        };
        if (!answer.isEmpty()) {
            write(out, answer + "\n");
        }
    }

    private synchronized void second(Map<String, String> message, OutputStream out) throws IOException {
        String key = message.get("key");
        String command = message.get("cmd");
        String answer = switch (command) {
            case "fullinit" -> "rank=" + message.get("pmirank") + ";size=" + size + ";appnum=0;rc=0;";
            case "job-getid" -> "jobid=job7;rc=0;";
            case "kvs-put" -> {
                check(message.get("value").length() <= 1024 && key.length() <= 64);
                values.put(key, message.get("value"));
                yield mute ? "" : "rc=0;";
            }
            case "kvs-get" -> fenced.containsKey(key) ? "flag=TRUE;value=" + fenced.get(key) + ";rc=0;"
                    : "flag=FALSE;rc=0;";
            case "kvs-fence" -> fence(() -> write(out, framed("cmd=kvs-fence-response;rc=0;")));
            case "finalize" -> end("finalize", "rc=0;");
            case "abort" -> end("abort " + message.get("exitcode"), "");
            default -> throw new IOException(message.toString());
        };
        if (!answer.isEmpty()) {
            write(out, framed("cmd=" + command + "-response;" + answer));
        }
    }

    private static String framed(String message) {
        return String.format("%6d%s", message.length(), message);
    }

    private static void check(boolean good) throws IOException {
        if (!good) {
            throw new IOException("a launcher would refuse this");
        }
    }

    private String fence(Runnable answer) {
        waiting.add(answer);
        if (waiting.size() == expected) {
            fenced.putAll(values);
            waiting.forEach(Runnable::run);
            waiting.clear();
        }
        return "";
    }

    private String end(String what, String answer) {
        log.add(what);
        return answer;
    }

    private static void write(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // it has gone
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
