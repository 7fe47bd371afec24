// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventException;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener and a client of one connected provider in one process. Providers
 * with manual progress move on while queues are read, so the waits here read all of them.
 */
public final class Connected implements AutoCloseable {
    private static final Duration DEADLINE = ChildJvm.DEADLINE;

    /** The owner of all below. */
    public final Fabric fabric;
    /** Where both sides' endpoints are. */
    public final Domain domain;
    /** Of the listener, and of the server's endpoints. */
    public final EventQueue serverEvents;
    /** Of the clients' endpoints. */
    public final EventQueue clientEvents;
    /** It listens already. */
    public final PassiveEndpoint listener;
    private final FabricInfoList infos;
    private final List<Side> sides = new ArrayList<>();
    private @Nullable FabricEvent serverEvent;
    private @Nullable FabricEvent clientEvent;
    private @Nullable EventException clientError;

    /** With all that the provider has by itself. */
    public Connected(Providers.Choice choice) {
        this(choice, hints -> { });
    }

    /** {@code more} adds hints. */
    public Connected(Providers.Choice choice, Consumer<Hints> more) {
        infos = choice.find(more);
        fabric = open(infos);
        try {
            domain = fabric.openDomain(info());
            serverEvents = fabric.openEventQueue();
            clientEvents = fabric.openEventQueue();
            listener = fabric.openPassiveEndpoint(info()).bind(serverEvents).listen();
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private static Fabric open(FabricInfoList infos) {
        try {
            return Fabric.open(infos.first());
        } catch (Throwable t) {
            infos.close();
            throw t;
        }
    }

    /** What everything was opened with; the listener's address is in it. */
    public FabricInfo info() {
        return infos.first();
    }

    /** An endpoint with a queue of its own for both directions, not enabled. */
    public Side open(FabricInfo info, EventQueue events) {
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.DATA);
        Endpoint endpoint = domain.openEndpoint(info)
                .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(events);
        Side side = new Side(endpoint, queue, null);
        sides.add(side);
        return side;
    }

    /** A client's endpoint, enabled. */
    public Side client() {
        try (FabricInfo info = info().duplicate()) {
            // any port: the listener has the one in the info
            Side side = open(info.sourceAddress((Address) null), clientEvents);
            side.endpoint.enable();
            return side;
        }
    }

    /** Reads both event queues until the server's has something. Throws what has failed at the client. */
    public FabricEvent serverEvent() {
        return await(() -> {
            FabricEvent event = serverEvent;
            serverEvent = null;
            return event != null ? event : unlessClientFailed();
        });
    }

    /** Reads both event queues until the client's has something. Throws what has failed at the client. */
    public FabricEvent clientEvent() {
        return await(() -> {
            unlessClientFailed();
            FabricEvent event = clientEvent;
            clientEvent = null;
            return event;
        });
    }

    private @Nullable FabricEvent unlessClientFailed() {
        if (clientError != null) {
            throw clientError;
        }
        return null;
    }

    /** Reads both event queues until something has failed at the client. */
    public EventException clientError() {
        return await(() -> {
            EventException error = clientError;
            clientError = null;
            return error;
        });
    }

    /** Moves on until there is a result. */
    public <T> T await(Supplier<@Nullable T> what) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (System.nanoTime() < end) {
            if (serverEvent == null) {
                serverEvent = serverEvents.poll().orElse(null);
            }
            if (clientEvent == null && clientError == null) {
                try {
                    clientEvent = clientEvents.poll().orElse(null);
                } catch (EventException e) {
                    clientError = e;
                }
            }
            sides.stream().filter(side -> side.endpoint.isOpen()).forEach(Side::poll);
            T result = what.get();
            if (result != null) {
                return result;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no event within " + DEADLINE, clientError);
    }

    /** Connects: index 0 is the client, 1 the server. {@code beforeEnable} can bind more to each. */
    public Side[] connect(Consumer<Endpoint> beforeEnable) {
        Side client;
        try (FabricInfo info = info().duplicate()) {
            client = open(info.sourceAddress((Address) null), clientEvents);
        }
        beforeEnable.accept(client.endpoint);
        client.endpoint.enable().connect(listener.address());
        Side server;
        try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) serverEvent()) {
            server = open(asked.info(), serverEvents);
        }
        beforeEnable.accept(server.endpoint);
        server.endpoint.enable().accept();
        await(() -> clientEvent != null && serverEvent != null ? clientEvent : unlessClientFailed());
        clientEvent = null;
        serverEvent = null;
        return new Side[] {client, server};
    }

    @Override
    public void close() {
        fabric.close();
        infos.close();
    }
}
