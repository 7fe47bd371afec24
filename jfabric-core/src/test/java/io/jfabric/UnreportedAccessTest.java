// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Access to memory that is not there any more, of which shm reports nothing. Once it does, the table is wrong. */
@Timeout(60)
class UnreportedAccessTest {
    /** More than is sent by way of a queue, which nobody reads any more: 2.5 does that with 4 KiB. */
    private static final int SIZE = 8192;
    private static final String REGION = "region ";

    @BeforeAll
    static void offered() {
        Providers.SHM.assumeOffered();
    }

    @Test
    void aWriteToTheDeadIsNotReported() {
        try (ChildJvm child = ChildJvm.of(Owner.class).start(); Pair pair = Pair.open(Providers.SHM);
             Arena arena = Arena.ofShared()) {
            String[] said = child.awaitLine(line -> line.startsWith(REGION)).split(" ");
            RemoteRegion region = RemoteRegion.of(HexFormat.of().parseHex(said[1]));
            long owner = pair.a.addresses.insert(Address.of(said[2]));
            MemorySegment out = arena.allocate(SIZE);
            pair.post(() -> pair.a.endpoint.rma().write(out, owner, region, 0, 1));
            pair.await(pair.a, 1);

            child.kill();
            boolean posted = false;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (System.nanoTime() < end) {
                posted = posted || pair.a.endpoint.rma().write(out, owner, region, 0, 2);
                pair.progress();
            }
            assertThat(pair.a.done()).noneMatch(done -> done.context() == 2);
        }
    }

    @Test
    void anAtomicOnAClosedRegionIsNoError() {
        try (Pair pair = Pair.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.ATOMIC));
             Arena arena = Arena.ofShared()) {
            MemoryRegion memory = pair.b.endpoint.register(arena.allocate(SIZE, 8), MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE);
            RemoteRegion region = memory.remote();
            memory.close();
            MemorySegment result = arena.allocate(Long.BYTES, 8);
            pair.post(() -> pair.a.endpoint.atomics().fetchAndApply(arena.allocate(Long.BYTES, 8), result, pair.a.peer,
                    region, 0, Datatype.INT64, AtomicOp.SUM, 1));
            pair.progressFor(Duration.ofSeconds(1));
            assertThat(pair.a.done()).noneMatch(done -> done.error() != null);
        }
    }

    /** Has memory that others may write to. */
    static final class Owner {
        private Owner() {
        }

        public static void main(String[] args) throws InterruptedException {
            try (Pair pair = Pair.open(Providers.SHM); Arena arena = Arena.ofShared()) {
                MemoryRegion memory = pair.a.endpoint.register(arena.allocate(SIZE), MemoryAccess.REMOTE_WRITE);
                System.out.println(REGION + HexFormat.of().formatHex(memory.remote().toBytes()) + ' '
                        + pair.a.endpoint.address().toText());
                while (!Thread.interrupted()) {
                    pair.progress();
                    Thread.sleep(1);
                }
            }
        }
    }
}
