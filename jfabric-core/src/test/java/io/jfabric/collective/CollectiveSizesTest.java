// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Datatype;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broadcasts of few elements, from every root: quirk UNEVEN_BROADCASTS. */
@Tag("long")
class CollectiveSizesTest {
    private static final int MOST = 20;

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void broadcastsReachAllMembers(int size) {
        Providers.RXM.assumeOffered();
        List<Member> members = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < size; i++) {
                members.add(new Member(Providers.RXM));
            }
            Member.meetAll(members);
            Member.joinAll(members);
            List<MemorySegment> rooms = members.stream().map(m -> arena.allocate(MOST * 4L, 16)).toList();
            List<String> wrong = new ArrayList<>();
            for (int count = 1; count <= MOST; count++) {
                for (int root = 0; root < size; root++) {
                    List<MemorySegment> buffers = slices(rooms, count * 4L);
                    buffers.get(root).fill((byte) (count * size + root));
                    broadcast(members, buffers, root);
                    for (int i = 0; i < size; i++) {
                        if (buffers.get(i).mismatch(buffers.get(root)) >= 0) {
                            wrong.add(count + " elements from " + root + " at " + i);
                        }
                    }
                }
            }
            assertThat(wrong).isEmpty();
        } finally {
            members.forEach(Member::close);
        }
    }

    private static List<MemorySegment> slices(List<MemorySegment> rooms, long bytes) {
        return rooms.stream().map(room -> room.fill((byte) 0).asSlice(0, bytes)).toList();
    }

    private static void broadcast(List<Member> members, List<MemorySegment> buffers, int root) {
        long context = buffers.getFirst().byteSize();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            MemorySegment buffer = buffers.get(i);
            Member.until(members, "start", () -> Collectives.of(member.endpoint).broadcast(member.group, buffer, root,
                    Datatype.INT32, context));
        }
        members.forEach(m -> Member.until(members, "broadcast", () -> m.has(context)));
    }
}
