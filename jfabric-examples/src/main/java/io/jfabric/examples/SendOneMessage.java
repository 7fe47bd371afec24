// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;

/**
 * Sends one message from an endpoint to another in the same process. Look at the order in which things are opened, at
 * the loops around {@code send} and {@code receive}, which say false where the provider is busy, and at how a
 * completion is matched with its operation.
 *
 * <p>Usage: SendOneMessage [PROVIDER], such as shm (the default) or tcp
 */
public final class SendOneMessage {
    /** Any numbers will do; they come back in the completions. */
    private static final long SENT = 1;
    private static final long RECEIVED = 2;

    private boolean sent;
    private long received = -1;

    private SendOneMessage() {
    }

    /** Takes the name of a provider. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create()
                .provider(args.length > 0 ? args[0] : "shm")
                .endpointType(EndpointType.RDM)
                .capabilities(Capability.MSG)
                .oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            System.out.println("using " + info.summary());
            new SendOneMessage().run(info);
        }
    }

    private void run(FabricInfo info) {
        // an endpoint that only sends, and says so: it takes no messages that are the other's
        FabricInfo sends = info.duplicate().capabilities(Capability.MSG, Capability.SEND);
        // the arena is opened before the endpoints, and so closed after them: until then a provider may use the buffers
        try (sends;
                Fabric fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                FabricArena arena = domain.openArena();
                AddressVector peers = domain.openAddressVector();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                Endpoint sender = domain.openEndpoint(sends).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                Endpoint receiver = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable()) {
            long destination = peers.insert(receiver.address());

            MemorySegment in = arena.allocate(64);
            while (!receiver.messages().receive(in, Address.ANY, RECEIVED)) {
                queue.poll(this::completed, 1);
            }
            MemorySegment out = arena.allocateFrom("Hello, fabric");
            while (!sender.messages().send(out, destination, SENT)) {
                queue.poll(this::completed, 1);
            }
            // polling also moves the message along, with providers that have no thread of their own
            while (!sent || received < 0) {
                queue.poll(this::completed, 8);
            }
            Expect.same("the message", out.byteSize(), received);
            Expect.same("the message", out.getString(0), in.getString(0));
            System.out.println("received " + received + " bytes: " + in.getString(0));
        }
    }

    private void completed(Completion completion) {
        if (completion.context() == SENT) {
            sent = true;
        } else if (completion.context() == RECEIVED) {
            received = completion.length();
        }
    }
}
