// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.bindings.fi_ops_cm;
import io.jfabric.bindings.fid_ep;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Providers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A join that the provider refuses keeps neither the next from its place nor the parent open. */
@Timeout(60)
class RefusedJoinTest {
    @Test
    void isOver() {
        Providers.RXM.assumeOffered();
        FailingCalls joining = new FailingCalls(Errno.ENOMEM);
        try (Member member = new Member(Providers.RXM)) {
            member.meet(List.of(member.endpoint.address().bytes()));
            AddressVectorSet set = member.set(0, 0, 1);
            Collectives collectives = Collectives.of(member.endpoint);
            joining.function(((FidObject) member.endpoint).fid(), fid_ep.cm$offset(), fi_ops_cm.join$offset(),
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
            joining.next(1);
            assertThatThrownBy(() -> collectives.join(set, 1)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENOMEM");
            CollectiveGroup group = collectives.join(set, 2);
            Member.until(List.of(member), "joined", group::isJoined);
            joining.next(1);
            assertThatThrownBy(() -> collectives.join(set, group, 3)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENOMEM");
            assertThat(joining.failed()).isEqualTo(2);
            group.close();
            assertThat(group.isOpen()).isFalse();
        }
    }
}
