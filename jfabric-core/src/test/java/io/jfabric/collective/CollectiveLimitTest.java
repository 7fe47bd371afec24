// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quirk LONG_COLLECTIVES: what tcp;ofi_rxm would do wrong is refused, and all that is not refused is right. */
class CollectiveLimitTest {
    private static final Pattern LIMIT = Pattern.compile("at most (\\d+) elements");
    private static final long TOO_MANY = 1 << 17;
    private static final int ROOT = 0;
    private static final long ANY_TAG = 77;

    /** An operation with so many elements. */
    private interface Start {
        boolean start(Member member, long elements);
    }

    /** The provider took the context of such a receive for a step of the collective operation, and crashed. */
    @Test
    void aReceiveOfAnyTagTakesNothingOfACollective() {
        Providers.RXM.assumeOffered();
        List<Member> members = List.of(new Member(Providers.RXM), new Member(Providers.RXM));
        try (Arena arena = Arena.ofConfined()) {
            Member.meetAll(members);
            MemorySegment in = arena.allocate(4096);
            members.forEach(m -> assertThat(m.endpoint.tagged().receive(in, Address.ANY, 3, -1, ANY_TAG)).isTrue());
            Member.joinAll(members);
            members.forEach(m -> assertThat(m.has(ANY_TAG)).isFalse());
            members.get(0).endpoint.tagged().send(in, 1, 5, 2);
            Member.until(members, "a message", () -> members.get(1).has(ANY_TAG));
        } finally {
            members.forEach(m -> m.fabric.close());
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(ints = {2, 4, 7})
    void theLongestThatIsNotRefusedIsRight(int size) {
        Providers.RXM.assumeOffered();
        List<Member> members = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < size; i++) {
                members.add(new Member(Providers.RXM));
            }
            Member.meetAll(members);
            Member.joinAll(members);
            MemorySegment from = arena.allocate(size * TOO_MANY * 8);
            MemorySegment[] into = new MemorySegment[size];
            for (int i = 0; i < size; i++) {
                into[i] = arena.allocate(size * TOO_MANY * 8);
            }
            for (long i = 0; i < size * TOO_MANY; i++) {
                from.setAtIndex(JAVA_LONG, i, i);
            }
            long most = longest(members, (m, n) -> collectives(m).allReduce(m.group, from.asSlice(0, 8 * n),
                    into[m.group.rank()], Datatype.INT64, AtomicOp.SUM, n));
            assertThat(most).isBetween(1900L, 2048L);
            for (MemorySegment result : into) {
                for (long i = 0; i < most; i++) {
                    assertThat(result.getAtIndex(JAVA_LONG, i)).isEqualTo(size * i);
                }
            }
            most = longest(members, (m, n) -> collectives(m).allGather(m.group, from.asSlice(0, 8 * n),
                    into[m.group.rank()], Datatype.INT64, n));
            for (MemorySegment result : into) {
                for (long i = 0; i < most * size; i++) {
                    assertThat(result.getAtIndex(JAVA_LONG, i)).isEqualTo(i % most);
                }
            }
            most = longest(members, (m, n) -> collectives(m).scatter(m.group, from.asSlice(0, 8 * n * size),
                    into[m.group.rank()].asSlice(0, 8 * n), ROOT, Datatype.INT64, n));
            for (int i = 0; i < size; i++) {
                assertThat(into[i].asSlice(0, 8 * most).mismatch(from.asSlice(8 * most * i, 8 * most))).isEqualTo(-1);
            }
            most = longest(members, (m, n) -> collectives(m).broadcast(m.group, m.group.rank() == ROOT
                    ? from.asSlice(0, 8 * n) : into[m.group.rank()].fill((byte) 0).asSlice(0, 8 * n), ROOT,
                    Datatype.INT64, n));
            for (int i = 1; i < size; i++) {
                assertThat(into[i].asSlice(0, 8 * most).mismatch(from.asSlice(0, 8 * most))).isEqualTo(-1);
            }
        } finally {
            members.forEach(Member::close);
        }
    }

    private static Collectives collectives(Member member) {
        return Collectives.of(member.endpoint);
    }

    /** Asks for the limit by exceeding it, then runs just as much. */
    private static long longest(List<Member> members, Start what) {
        long[] most = {0};
        assertThatThrownBy(() -> what.start(members.getFirst(), TOO_MANY))
                .isInstanceOfSatisfying(FabricException.class, e -> {
                    assertThat(e.error()).isEqualTo(FabricError.EMSGSIZE);
                    Matcher limit = LIMIT.matcher(e.getMessage());
                    assertThat(limit.find()).as(e.getMessage()).isTrue();
                    most[0] = Long.parseLong(limit.group(1));
                });
        assertThatThrownBy(() -> what.start(members.getFirst(), most[0] + members.size()))
                .isInstanceOf(FabricException.class);
        members.forEach(m -> Member.until(members, "start", () -> what.start(m, most[0])));
        members.forEach(m -> Member.until(members, "end", () -> m.has(most[0])));
        return most[0];
    }
}
