// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Two threads send while a third one inserts many addresses: see {@link InsertedUnderSendersTest}. */
final class InsertedUnderSenders {
    private static final int PORTS = 40_000;
    /** What a vector of rxd takes. */
    private static final int FEW = 990;
    private static final long LIMIT_NANOS = 4_000_000_000L;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong sent = new AtomicLong();

    private InsertedUnderSenders() {
    }

    /** @param args the provider, and how many insertions go by before events are read, or 0 to insert at once */
    public static void main(String[] args) throws Exception {
        Threads.deathEndsTheJvm();
        Providers.Choice choice = Providers.connectionless()
                .filter(known -> known.toString().equals(args[0])).findFirst().orElseThrow();
        try (FabricInfoList infos = choice.find(hints -> { }); FabricInfo info = infos.first().duplicate();
                Fabric fabric = Fabric.open(info)) {
            new InsertedUnderSenders().run(fabric, info, Integer.parseInt(args[1]));
            System.out.flush();
            // it is not about closing
            Runtime.getRuntime().halt(0);
        }
    }

    @SuppressWarnings("deprecation")
    private void run(Fabric fabric, FabricInfo info, int unread) throws InterruptedException {
        Domain domain = fabric.openDomain(info);
        EventQueue events = unread == 0 ? null : fabric.openEventQueue();
        // its table grows with each 16 addresses
        AddressVectorAttributes small = AddressVectorAttributes.DEFAULT.withCount(1);
        AddressVector addresses = domain.openAddressVector(events == null ? small : small.withAsynchronous(true));
        if (events != null) {
            addresses.bind(events);
        }
        CompletionQueue sends = domain.openCompletionQueue(CompletionFormat.CONTEXT);
        CompletionQueue receives = domain.openCompletionQueue(CompletionFormat.CONTEXT);
        Endpoint sender = domain.openEndpoint(info).bind(sends, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses)
                .enable();
        Endpoint receiver = domain.openEndpoint(info).bind(receives, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(domain.openAddressVector()).enable();
        Inserter inserter = new Inserter(addresses, events, unread);
        inserter.insert(receiver.address().bytes());
        inserter.read();
        long peer = inserter.value.get(ValueLayout.JAVA_LONG, 0);
        Thread[] threads = {Thread.ofPlatform().start(() -> send(sender.messages(), peer)),
            Thread.ofPlatform().start(() -> send(sender.messages(), peer)),
            Thread.ofPlatform().start(() -> receive(receiver, receives, sends))};
        int inserted = insert(inserter, receiver.address(), info.provider().contains("rxd") ? FEW : PORTS);
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (sent.get() == 0) {
            throw new AssertionError("nothing was sent");
        }
        System.out.println("SURVIVED: " + inserted + " insertions, " + sent + " sent");
    }

    private void send(Messages messages, long peer) {
        MemorySegment message = Arena.ofAuto().allocate(8);
        while (!over.get()) {
            if (messages.inject(message, peer)) {
                sent.incrementAndGet();
            }
        }
    }

    private void receive(Endpoint endpoint, CompletionQueue receives, CompletionQueue sends) {
        MemorySegment into = Arena.ofAuto().allocate(8);
        long posted = 0;
        while (!over.get()) {
            if (posted < 100 && endpoint.messages().receive(into, Address.ANY, 1)) {
                posted++;
            }
            posted -= receives.poll(completion -> { }, 16);
            sends.poll(completion -> { }, 16);
        }
    }

    /** Inserts at once, or leaves events unread. */
    private record Inserter(AddressVector addresses, EventQueue events, int unread, MemorySegment address,
            MemorySegment value) {
        Inserter(AddressVector addresses, EventQueue events, int unread) {
            this(addresses, events, unread, Arena.ofAuto().allocate(64, 8), Arena.ofAuto().allocate(8, 8));
        }

        void insert(byte[] bytes) {
            if (events == null) {
                value.set(ValueLayout.JAVA_LONG, 0, addresses.insert(bytes));
            } else {
                addresses.insertAsync(address.copyFrom(MemorySegment.ofArray(bytes)), 1, value, 1);
            }
        }

        /** Waits for an event, and reads all that are there. */
        void read() {
            if (events != null) {
                events.await(Duration.ofSeconds(10)).orElseThrow();
                while (events.poll().isPresent()) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Ports at which nobody is; nothing is sent there. */
    private static int insert(Inserter inserter, Address like, int ports) {
        byte[] bytes = like.bytes();
        long end = System.nanoTime() + LIMIT_NANOS;
        int inserted = 0;
        for (int i = 1; i < ports && System.nanoTime() < end; i++) {
            bytes[2] = (byte) (i >> 8);
            bytes[3] = (byte) i;
            bytes[bytes.length > 16 ? 23 : 7] = 77;
            inserter.insert(bytes);
            inserted++;
            if (inserter.events != null && inserted % inserter.unread == 0) {
                inserter.read();
            }
        }
        return inserted;
    }
}
