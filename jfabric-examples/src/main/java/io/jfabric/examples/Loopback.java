// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Checks a provider with two endpoints in one process: sends messages of growing size, from memory that is registered
 * and memory that is not, and compares what arrived. Look at what it does not do: whether the provider wants
 * registered memory or message prefixes makes no difference here.
 *
 * <p>Usage: Loopback [PROVIDER [RDM|DGRAM [ADDRESS]]], shm and RDM where not given
 */
public final class Loopback {
    private static final long LARGEST = 1 << 20;
    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private long sent;
    private long received;
    private long length;
    private final CompletionHandler onSent = completion -> sent++;
    private final CompletionHandler onReceived = completion -> {
        received++;
        length = completion.length();
    };
    private final CompletionQueue senderQueue;
    private final CompletionQueue receiverQueue;
    private final Endpoint sender;
    private final Endpoint receiver;
    private final long peer;

    private Loopback(Domain domain, FabricInfo info) {
        AddressVector addresses = domain.openAddressVector();
        senderQueue = domain.openCompletionQueue(CompletionFormat.MSG);
        receiverQueue = domain.openCompletionQueue(CompletionFormat.MSG);
        // which takes no messages that are the other's
        try (FabricInfo sends = info.duplicate().capabilities(Capability.MSG, Capability.SEND)) {
            sender = domain.openEndpoint(sends).bind(senderQueue, TRANSMIT, RECV).bind(addresses).enable();
        }
        receiver = domain.openEndpoint(info).bind(receiverQueue, TRANSMIT, RECV).bind(addresses).enable();
        peer = addresses.insert(receiver.address());
    }

    /** Runs the check; exit status 1 if something arrived wrong or not at all. */
    public static void main(String[] args) {
        String provider = args.length > 0 ? args[0] : "shm";
        EndpointType type = args.length > 1 ? EndpointType.valueOf(args[1]) : EndpointType.RDM;
        String address = args.length > 2 ? args[2] : null;
        try (Hints hints = Hints.create().provider(provider).endpointType(type).capabilities(Capability.MSG);
                FabricInfoList infos = Fabric.getInfo(address, null,
                        address == null ? Set.of() : Set.of(GetInfoFlag.SOURCE), hints)) {
            FabricInfo info = infos.first();
            System.out.println(info.summary());
            System.out.println("demands " + info.domain().mrMode() + " and " + info.mode());
            try (Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info)) {
                Loopback check = new Loopback(domain, info);
                long largest = Math.min(info.endpoint().maxMessageSize(), LARGEST);
                for (long size = 1; size < largest; size *= 4) {
                    check.message(domain, size);
                }
                check.message(domain, largest);
                System.out.println("messages of 1 to " + largest + " bytes arrived");
            }
        }
    }

    private void message(Domain domain, long size) {
        message(domain, size, false);
        message(domain, size, true);
    }

    private void message(Domain domain, long size, boolean registered) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(size, 8);
            fill(out, registered ? 2 : 1);
            MemorySegment in = arena.allocate(size, 8);
            MemoryRegion source = registered ? domain.register(out, MemoryAccess.SEND) : null;
            MemoryRegion target = registered ? domain.register(in, MemoryAccess.RECV) : null;
            sent = 0;
            received = 0;
            until("receive is taken", () -> receiver.messages().receive(in, Address.ANY, 1));
            until("send is taken", () -> sender.messages().send(out, peer, 2));
            until("message of " + size + " bytes has arrived", () -> sent == 1 && received == 1);
            if (length != size || in.mismatch(out) != -1) {
                throw new IllegalStateException("message of " + size + " bytes arrived as " + length + " others");
            }
            if (registered) {
                source.close();
                target.close();
            }
        }
    }

    /** Different bytes everywhere, at a period that is no power of two. */
    private static void fill(MemorySegment segment, int seed) {
        byte[] pattern = new byte[251];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = (byte) (i * 7 + seed);
        }
        for (long at = 0; at < segment.byteSize(); at += pattern.length) {
            MemorySegment.copy(MemorySegment.ofArray(pattern), 0, segment, at,
                    Math.min(pattern.length, segment.byteSize() - at));
        }
    }

    private void until(String what, BooleanSupplier done) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!done.getAsBoolean()) {
            senderQueue.poll(onSent, 1);
            receiverQueue.poll(onReceived, 1);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not within 20 s: " + what);
            }
        }
    }
}
