// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jfabric.info.Address;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.wait.FdWaiter;
import java.lang.foreign.MemorySegment;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A list of the program's may change while it is read: what was checked is not read again. */
@Timeout(60)
class GivenListsTest {
    private static final class Counted<T> extends AbstractList<T> {
        private final T element;
        private int reads;

        Counted(T element) {
            this.element = element;
        }

        @Override
        public T get(int index) {
            reads++;
            return element;
        }

        @Override
        public int size() {
            return 1;
        }
    }

    private static <T> void isReadOnce(T element, Consumer<List<T>> use) {
        Counted<T> list = new Counted<>(element);
        Throwable refusal = catchThrowable(() -> use.accept(list));
        assertThat(list.reads).as("refused with %s", refusal).isOne();
    }

    @Test
    void areReadOnce() {
        try (Pair pair = Pair.open(Providers.RXM); FabricArena arena = pair.domain.openArena()) {
            MemorySegment memory = arena.allocate(64);
            try (MemoryRegion region = pair.domain.register(memory, MemoryAccess.SEND)) {
                isReadOnce(memory.asSlice(8, 8), region::refresh);
                isReadOnce(memory, list -> pair.domain.register(list, MemoryAccess.SEND).close());
            }
            Address address = pair.b.endpoint.address();
            isReadOnce(address, list -> assertThat(pair.a.addresses.insert(list)).hasSize(1));
            isReadOnce(new PollDescriptor(0, (short) 1), FdWaiter::of);
        }
    }
}
