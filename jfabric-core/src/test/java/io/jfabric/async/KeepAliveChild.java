// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Fabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.FreePort;
import io.jfabric.testkit.Loopback;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;

/**
 * A peer that answers: PROVIDER INTERVAL-MILLIS [PORT [HOST]], of shm a name for PORT. Told "watch ADDRESS" it does,
 * and says "heard N" at the first answer to the Nth, and "ended: " and why; told "keep watching ADDRESS" also once more
 * after that. Told "send ADDRESS" it sends a message without a tag, and says "sent". Ends with its stdin, or when told
 * "end".
 */
final class KeepAliveChild {
    private static int heard;

    private KeepAliveChild() {
    }

    static Node open(String provider, String port) {
        return open(provider, port, port == null ? Loopback.own() : "127.0.0.1");
    }

    static Node open(String provider, String port, String host) {
        return open(provider, port, host, NodeOptions.DEFAULT);
    }

    static Node open(String provider, String port, String host, NodeOptions options) {
        try (Hints hints = Hints.create().provider(provider).endpointType(EndpointType.RDM)
                .capabilities(Capability.MSG, Capability.TAGGED)) {
            boolean shm = provider.equals("shm");
            if (shm && port == null) {
                return Node.open(hints, options);
            }
            try (FabricInfoList infos = Fabric.getInfo(shm ? port : host, shm ? null : port,
                    Set.of(GetInfoFlag.SOURCE), hints)) {
                return Node.open(infos.first(), options);
            }
        }
    }

    /** Where one can be opened, and opened again: of tcp a port, of shm a name. */
    static String place(String provider) {
        if (!provider.equals("tcp")) {
            return "jfabric-again-" + ProcessHandle.current().pid();
        }
        return Integer.toString(FreePort.choose());
    }

    public static void main(String[] args) throws IOException {
        String port = args.length > 2 ? args[2] : null;
        try (Node node = args.length > 3 ? open(args[0], port, args[3]) : open(args[0], port);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(Long.parseLong(args[1])), 4);
                Service service = Service.open(node, 1, CallHandler.of(bytes -> bytes))) {
            System.out.println("open: " + service + ", " + alive);
            ChildAddress.print(node.address().bytes());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
                byte[] whom = HexFormat.of().parseHex(line.substring(line.lastIndexOf(' ') + 1));
                if (line.contains("watch")) {
                    watch(alive, whom, line.startsWith("keep watching "));
                } else if (line.startsWith("send ")) {
                    node.send(node.allocate(8), node.peer(whom));
                    System.out.println("sent");
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void watch(KeepAlive alive, byte[] whom, boolean again) throws InterruptedException {
        Peer peer = alive.node().peer(whom);
        alive.watch(peer).exceptionally(why -> {
            System.out.println("ended: " + why);
            if (again) {
                alive.watch(alive.node().peer(whom)).exceptionally(later -> {
                    System.out.println("ended: " + later);
                    return null;
                });
            }
            return null;
        });
        while (alive.sinceLastAnswer(peer).isEmpty()) {
            Thread.sleep(1);
        }
        System.out.println("heard " + ++heard);
    }
}
