// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An endpoint with a shared receive context is closed before its message is received: on sockets. */
@Timeout(60)
@Tag("long")
class SharedOfClosedTest {
    /** If this fails, a new release may do it right: then the table of quirks has to say so. */
    @Test
    void theMessageIsStillThere() {
        Providers.SOCKETS_MSG.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(Child.class).flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash")
                .run();
        assertThat(result.output()).contains("receiving").doesNotContain("survived");
    }

    static final class Child {
        private Child() {
        }

        public static void main(String[] args) throws Exception {
            MemorySegment memory = Arena.ofAuto().allocate(8);
            try (Connected c = new Connected(Providers.SOCKETS_MSG,
                    hints -> hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT))) {
                SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
                Side[] sides = c.connect(endpoint -> endpoint.bind(shared));
                Side[] others = c.connect(endpoint -> endpoint.bind(shared));
                sides[0].endpoint.messages().send(memory, Address.ANY, 1);
                c.await(() -> sides[0].take(done -> done.context() == 1));
                sides[1].endpoint.close();
                sides[1].queue.close();
                System.out.println("receiving");
                shared.messages().receive(memory, Address.ANY, 2);
                Thread.sleep(2000);
                others[1].poll();
            }
            System.out.println("survived");
        }
    }
}
