// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;


import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The kit's two nodes, with what the tests of this package do with them. */
final class Nodes implements AutoCloseable {
    final Node a;
    final Node b;
    final Peer toB;
    final Peer toA;
    private final NodePair pair;

    private Nodes(NodePair pair) {
        this.pair = pair;
        a = pair.a;
        b = pair.b;
        toB = pair.toB;
        toA = pair.toA;
    }

    static Nodes open(Providers.Choice choice) {
        return open(choice, choice.type() == EndpointType.RDM ? hints -> hints.capabilities(Capability.MSG,
                Capability.TAGGED, Capability.RMA, Capability.SOURCE) : hints -> { });
    }

    static Nodes open(Providers.Choice choice, Consumer<Hints> more) {
        return open(choice, more, NodeOptions.DEFAULT);
    }

    static Nodes open(Providers.Choice choice, Consumer<Hints> more, NodeOptions options) {
        return new Nodes(NodePair.open(choice, more, options));
    }

    /** That many sends to one peer, more than it takes at once as a rule. */
    static List<CompletableFuture<Void>> sends(Node from, MemorySegment message, Peer to, int number) {
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            sends.add(from.send(message, to, 1));
        }
        return sends;
    }

    @Override
    public void close() {
        pair.close();
    }

    /** Waits for bytes that come by themselves, for as long as they may take; whoever calls looks whether they have. */
    static void eventually(BooleanSupplier there) throws InterruptedException {
        for (int i = 0; i < 10_000 && !there.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
    }

    /** Whoever calls makes no progress meanwhile, as it would by get. */
    static <T> CompletableFuture<T> doneByItself(CompletableFuture<T> future) throws InterruptedException {
        for (int i = 0; i < 10_000 && !future.isDone(); i++) {
            Thread.sleep(1);
        }
        return future;
    }

    /** Makes the progress of both until all have ended, however they did. */
    void drive(CompletableFuture<?>... futures) {
        drive("all futures are done", () -> Stream.of(futures).allMatch(CompletableFuture::isDone));
    }

    /** Makes the progress of both until it holds. */
    void drive(String what, BooleanSupplier condition) {
        Waits.spin(what, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            a.progress();
            b.progress();
            return false;
        });
    }
}
