// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.CompletionQueue;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/**
 * Two endpoints draw tickets from a counter that lies in the memory of a third: each gets a number of its own, and
 * nobody takes a lock. Ask for {@code Capability.ATOMIC}: some providers have it only then.
 *
 * <p>Usage: AtomicCounter [PROVIDER], such as shm (the default) or tcp
 */
public final class AtomicCounter {
    private static final int TICKETS = 3;

    private final CompletionQueue queue;
    private int completed;

    private AtomicCounter(CompletionQueue queue) {
        this.queue = queue;
    }

    /** Takes the name of a provider. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create()
                .provider(args.length > 0 ? args[0] : "shm")
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.MSG, Capability.ATOMIC)
                .oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            try (Fabric fabric = Fabric.open(info);
                    Domain domain = fabric.openDomain(info);
                    FabricArena arena = domain.openArena();
                    AddressVector peers = domain.openAddressVector();
                    CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.CONTEXT);
                    Endpoint owner = open(domain, info, queue, peers);
                    Endpoint first = open(domain, info, queue, peers);
                    Endpoint second = open(domain, info, queue, peers);
                    MemoryRegion registered = owner.register(arena.allocate(ValueLayout.JAVA_LONG),
                            MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)) {
                MemorySegment counter = registered.memory();
                RemoteRegion region = registered.remote();
                long peer = peers.insert(owner.address());
                System.out.printf("one operation sums up to %d elements%n",
                        first.atomics().maxCount(AtomicForm.FETCH, Datatype.INT64, AtomicOp.SUM));
                AtomicCounter tickets = new AtomicCounter(queue);
                for (int i = 0; i < TICKETS; i++) {
                    // in turns here, so it is known who gets which
                    long one = tickets.draw(first, arena, peer, region);
                    long another = tickets.draw(second, arena, peer, region);
                    System.out.printf("first draws %d%nsecond draws %d%n", one, another);
                    Expect.same("first", 2L * i, one);
                    Expect.same("second", 2L * i + 1, another);
                }
                Expect.same("the counter", 2L * TICKETS, counter.get(ValueLayout.JAVA_LONG, 0));
                System.out.printf("%d tickets drawn%n", counter.get(ValueLayout.JAVA_LONG, 0));
            }
        }
    }

    private static Endpoint open(Domain domain, FabricInfo info, CompletionQueue queue, AddressVector peers) {
        return domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable();
    }

    private long draw(Endpoint endpoint, FabricArena arena, long peer, RemoteRegion counter) {
        MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
        MemorySegment ticket = arena.allocate(ValueLayout.JAVA_LONG);
        completed = 0;
        until(() -> endpoint.atomics()
                .fetchAndApply(one, ticket, peer, counter, 0, Datatype.INT64, AtomicOp.SUM, 0));
        until(() -> completed == 1);
        return ticket.get(ValueLayout.JAVA_LONG, 0);
    }

    private void until(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            queue.poll(completion -> completed++, 8);
        }
    }
}
