// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What lnx does otherwise than others, each in a process of its own: where it goes wrong, it crashes. Skipped where
 * libfabric has none, as 1.17; what is checked of its addresses is tested there by {@code PackedAddressesTest}.
 */
@Timeout(120)
class LnxTest {
    private static final Version USABLE = new Version(2, 2);

    private static void passes(Class<?> main, String links) {
        passes(ChildJvm.of(main).environment("FI_LNX_PROV_LINKS", links).run());
    }

    private static void passes(ChildJvm.Result result) {
        assertThat(result.output()).contains("done");
        assertThat(result.exitCode()).isZero();
    }

    private static void assumeLnx() {
        assumeTrue(Fabric.providers().stream().anyMatch(provider -> provider.name().equals("lnx")), "no lnx");
    }

    static void assumeLnx(boolean usable) {
        assumeLnx();
        assumeTrue(Fabric.version().atLeast(USABLE) == usable, "another release");
    }

    static FabricInfoList find() {
        try (Hints hints = Hints.create().provider("lnx").endpointType(EndpointType.RDM)) {
            return Fabric.getInfo(hints);
        }
    }

    @Test
    void linksOfNothingAreRefused() {
        assumeLnx(true);
        for (String links : new String[] {" ", "+", ":", "shm+:", "shm|+", "shm+ :lo"}) {
            passes(OfNothing.class, links);
        }
    }

    static final class OfNothing {
        private OfNothing() {
        }

        public static void main(String[] args) {
            assertThatThrownBy(LnxTest::find).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_LNX_PROV_LINKS").hasMessageContaining("shm+tcp:lo");
            assertThatThrownBy(() -> Fabric.getInfo(null)).hasMessageContaining("FI_LNX_PROV_LINKS");
            // libfabric takes names in any case, and the second flag alone counts then
            try (Hints hints = Hints.create().provider("LNX")) {
                assertThatThrownBy(() -> Fabric.getInfo(hints)).hasMessageContaining("FI_LNX_PROV_LINKS");
            }
            assertThatThrownBy(() -> Fabric.getInfo(null, null,
                    Set.of(GetInfoFlag.PROV_ATTR_ONLY, GetInfoFlag.NUMERICHOST), null))
                            .hasMessageContaining("FI_LNX_PROV_LINKS");
            try (Hints hints = Hints.create().provider("tcp"); FabricInfoList infos = Fabric.getInfo(hints)) {
                assertThat(infos).isNotEmpty();
            }
            System.out.println("done");
        }
    }

    @Test
    void withoutLinksThereIsNothing() {
        assumeLnx();
        assumeTrue(System.getenv("FI_LNX_PROV_LINKS") == null, "children have links");
        passes(ChildJvm.of(Unlinked.class).run());
    }

    static final class Unlinked {
        private Unlinked() {
        }

        public static void main(String[] args) {
            assertThatThrownBy(LnxTest::find).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_LNX_PROV_LINKS=shm+tcp:lo").hasMessageContaining("before the start");
            System.out.println("done");
        }
    }

    @Test
    void linksStayWhole() {
        assumeLnx(true);
        passes(Whole.class, "shm+tcp:lo");
    }

    static final class Whole {
        private Whole() {
        }

        public static void main(String[] args) {
            // shm has no such addresses
            try (Hints hints = Hints.create().addressFormat(AddressFormat.SOCKADDR_IN)) {
                Fabric.getInfo(hints).close();
            }
            try (FabricInfoList infos = find()) {
                assertThat(infos.first().domain().name()).contains("shm+lo");
            }
            System.out.println("done");
        }
    }

    @Test
    void itsFirstReleasesAreRefused() {
        assumeLnx(false);
        passes(First.class, "shm+tcp");
    }

    static final class First {
        private First() {
        }

        public static void main(String[] args) {
            for (int round = 0; round < 10; round++) {
                FabricInfo info;
                try (FabricInfoList list = find()) {
                    info = list.first().duplicate();
                }
                try (FabricInfo kept = info; Fabric fabric = Fabric.open(kept)) {
                    throw new AssertionError("opened " + fabric);
                } catch (FabricException e) {
                    if (e.error() != FabricError.ENOSYS || !e.getMessage().contains("2.2")) {
                        throw e;
                    }
                }
            }
            System.out.println("done");
        }
    }

    @Test
    void messagesAreNotDropped() {
        assumeLnx(true);
        passes(Dropper.class, "shm+tcp:lo");
    }

    static final class Dropper {
        private Dropper() {
        }

        public static void main(String[] args) {
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first());
                    Domain domain = fabric.openDomain(list.first())) {
                TaggedMessages tagged = open(domain, list.first(), domain.openAddressVector()).tagged();
                refuses(() -> tagged.peekAndDiscard(Address.ANY, 1, 0, 2));
                refuses(() -> tagged.discard(Address.ANY, 1, 0, 2));
            }
            System.out.println("done");
        }

        private static void refuses(BooleanSupplier discard) {
            try {
                discard.getAsBoolean();
            } catch (FabricException e) {
                if (e.error() == FabricError.EOPNOTSUPP) {
                    return;
                }
                throw e;
            }
            throw new AssertionError("was not refused");
        }
    }

    @Test
    void whatIsNoAddressIsNotFollowed() {
        assumeLnx(true);
        passes(Inserter.class, "shm+tcp:lo");
    }

    static final class Inserter {
        private static final int TIMES = 3000;
        private static final int LONGEST = 600;

        private Inserter() {
        }

        public static void main(String[] args) {
            Random random = new Random(1);
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first());
                    Domain domain = fabric.openDomain(list.first())) {
                AddressVector addresses = domain.openAddressVector();
                byte[] own = open(domain, list.first(), addresses).address().bytes();
                int taken = 0;
                for (int i = 0; i < TIMES; i++) {
                    byte[] bytes = damaged(own, random);
                    try {
                        addresses.insert(bytes);
                        taken++;
                    } catch (IllegalArgumentException | FabricException e) {
                        // refused
                    }
                }
                // what is behind the parts may be anything
                assertThat(taken).isPositive();
                addresses.insert(own);
            }
            System.out.println("done");
        }

        private static byte[] damaged(byte[] own, Random random) {
            if (random.nextInt(4) == 0) {
                byte[] bytes = new byte[random.nextInt(LONGEST)];
                random.nextBytes(bytes);
                return bytes;
            }
            byte[] bytes = own.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            return bytes;
        }
    }

    @Test
    void aDomainHasOneEndpoint() {
        assumeLnx(true);
        passes(Second.class, "shm+tcp:lo");
    }

    static final class Second {
        private Second() {
        }

        public static void main(String[] args) {
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first());
                    Domain domain = fabric.openDomain(list.first())) {
                AddressVector addresses = domain.openAddressVector();
                assertThatThrownBy(() -> addresses.insert(new byte[64])).hasMessageContaining("fi_av_insert");
                Endpoint endpoint = open(domain, list.first(), addresses);
                byte[] own = endpoint.address().bytes();
                addresses.insert(own);
                assertThatThrownBy(() -> domain.openEndpoint(list.first())).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("open another domain");
                endpoint.close();
                assertThatThrownBy(() -> addresses.insert(own)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("open another vector");
                assertThatThrownBy(() -> domain.openEndpoint(list.first())).isInstanceOf(IllegalStateException.class);
            }
            System.out.println("done");
        }
    }

    @Test
    void aFabricHasOneLink() {
        assumeLnx(true);
        passes(TwoLinks.class, "shm|tcp:lo");
    }

    static final class TwoLinks {
        private TwoLinks() {
        }

        public static void main(String[] args) {
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first());
                    Domain domain = fabric.openDomain(list.first())) {
                FabricInfo other = list.get(1);
                String name = other.domain().name().orElseThrow();
                assertThat(domain.info().domain().name()).isPresent().get().isNotEqualTo(name);
                assertThatThrownBy(() -> fabric.openDomain(other)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fi_domain").hasMessageContaining(name)
                        .hasMessageContaining("open another Fabric");
                assertThatThrownBy(() -> domain.openEndpoint(other)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fi_endpoint").hasMessageContaining(name);
                fabric.openDomain(list.first()).close();
                try (Fabric another = Fabric.open(other)) {
                    another.openDomain(other).close();
                }
            }
            System.out.println("done");
        }
    }

    /** As many as there are interfaces and addresses for tcp, more than once. */
    @Test
    void ofManyPartsIsNoDomain() {
        assumeLnx(true);
        passes(ManyParts.class, "shm+tcp");
    }

    static final class ManyParts {
        private ManyParts() {
        }

        public static void main(String[] args) {
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first())) {
                if (list.first().domain().name().orElseThrow().split("\\+").length < 16) {
                    fabric.openDomain(list.first()).close();
                } else {
                    assertThatThrownBy(() -> fabric.openDomain(list.first())).isInstanceOf(FabricException.class)
                            .hasMessageContaining("fi_domain: FI_E2BIG").hasMessageContaining("shm+tcp:lo");
                }
            }
            System.out.println("done");
        }
    }

    /** The message is in the other's memory yet, as shm has it. */
    @Test
    void whoIsRemovedMayHaveSent() {
        assumeLnx(true);
        try (ChildJvm sends = peer("sends"); ChildJvm receives = peer("receives")) {
            sends.tell(ChildAddress.text(receives));
            receives.tell(ChildAddress.text(sends));
            receives.awaitLine(line -> line.equals("done"));
        }
    }

    private static ChildJvm peer(String role) {
        return ChildJvm.of(Peer.class, role).environment("FI_LNX_PROV_LINKS", "shm+tcp:lo").start();
    }

    static final class Peer {
        private static final int TAG = 5;
        private static final int SIZE = 100_000;

        private Peer() {
        }

        public static void main(String[] args) {
            try (FabricInfoList list = find(); Fabric fabric = Fabric.open(list.first());
                    Domain domain = fabric.openDomain(list.first()); Scanner in = new Scanner(System.in)) {
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
                AddressVector addresses = domain.openAddressVector();
                Endpoint endpoint = open(domain, list.first(), addresses, queue);
                ChildAddress.print(endpoint.address().bytes());
                long peer = addresses.insert(HexFormat.of().parseHex(in.nextLine()));
                Done done = new Done();
                MemorySegment memory = domain.openArena().allocate(SIZE);
                if (args[0].equals("sends")) {
                    memory.fill((byte) TAG);
                    done.await(queue, () -> endpoint.tagged().send(memory, peer, TAG, 1));
                    return;
                }
                do {
                    done.await(queue, () -> endpoint.tagged().peek(Address.ANY, TAG, 0, 1));
                } while (done.failed);
                addresses.remove(peer);
                done.await(queue, () -> endpoint.tagged().receive(memory, Address.ANY, TAG, 0, 1));
                if (done.failed || memory.get(ValueLayout.JAVA_BYTE, SIZE - 1) != TAG) {
                    throw new AssertionError("received something else");
                }
                System.out.println("done");
            }
        }

        private static final class Done implements CompletionHandler {
            private boolean done;
            private boolean failed;

            private void await(CompletionQueue queue, BooleanSupplier post) {
                done = false;
                failed = false;
                while (!post.getAsBoolean()) {
                    queue.poll(this, 1);
                }
                while (!done) {
                    queue.poll(this, 1);
                }
            }

            @Override
            public void onCompletion(Completion completion) {
                done = true;
            }

            @Override
            public void onError(CompletionError error) {
                done = true;
                failed = true;
            }
        }
    }

    private static Endpoint open(Domain domain, FabricInfo info, AddressVector addresses) {
        return open(domain, info, addresses, domain.openCompletionQueue(CompletionFormat.TAGGED));
    }

    static Endpoint open(Domain domain, FabricInfo info, AddressVector addresses, CompletionQueue queue) {
        return domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable();
    }

    /** What it consists of is in use, as the provider forgets what it has opened. */
    @Test
    void closedAfterAnEndpointThatCouldNotBeOpened() {
        assumeLnx(true);
        passes(NotOpened.class, "tcp:lo");
    }

    static final class NotOpened {
        private NotOpened() {
        }

        public static void main(String[] args) {
            try (FabricInfoList infos = find()) {
                FabricInfo info = infos.first();
                Fabric fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                try (FabricInfo edited = info.duplicate()) {
                    edited.rx().totalBufferedRecv(1);
                    assertThatThrownBy(() -> domain.openEndpoint(edited)).isInstanceOf(FabricException.class);
                }
                for (FabricObject object : new FabricObject[] {domain, domain, fabric, fabric}) {
                    try {
                        object.close();
                    } catch (FabricException busy) {
                        System.out.println(busy.getMessage());
                    }
                    assertThat(object.isOpen()).isFalse();
                }
                Fabric.open(info).close();
            }
            System.out.println("done");
        }
    }
}
