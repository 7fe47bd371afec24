// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.bindings.fi_domain_attr;
import io.jfabric.bindings.fi_ep_attr;
import io.jfabric.bindings.fi_rx_attr;
import io.jfabric.bindings.fi_tx_attr;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.internal.info.AttributeView;
import io.jfabric.testkit.Providers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** C says "no limit" by the largest unsigned number, which must not be less than anything in Java. */
class AmountsTest {
    static Stream<Providers.Choice> unlimited() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("unlimited")
    void noLimitIsMoreThanAnyLength(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            FabricInfo info = infos.first();
            assertThat(info.endpoint().maxMessageSize()).isEqualTo(Long.MAX_VALUE);
            assertThat(Math.min(5, info.endpoint().maxMessageSize())).isEqualTo(5);
            assertThat(info.toString()).as("what C prints").contains("max_msg_size: 18446744073709551615");
            // as it is read it can be set, and opened
            info.endpoint().maxMessageSize(info.endpoint().maxMessageSize());
            try (Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info);
                 Endpoint endpoint = domain.openEndpoint(info)) {
                assertThat(endpoint.info().endpoint().maxMessageSize()).isEqualTo(Long.MAX_VALUE);
            }
        }
    }

    @Test
    void everyAmountIsReadSo() {
        try (Hints hints = Hints.create()) {
            EndpointAttributes endpoint = hints.endpoint();
            asC(endpoint, fi_ep_attr.max_msg_size$offset(), fi_ep_attr.msg_prefix_size$offset(),
                    fi_ep_attr.max_order_raw_size$offset(), fi_ep_attr.max_order_war_size$offset(),
                    fi_ep_attr.max_order_waw_size$offset());
            asC(hints.tx(), fi_tx_attr.inject_size$offset(), fi_tx_attr.size$offset(), fi_tx_attr.iov_limit$offset(),
                    fi_tx_attr.rma_iov_limit$offset());
            asC(hints.rx(), fi_rx_attr.total_buffered_recv$offset(), fi_rx_attr.size$offset(),
                    fi_rx_attr.iov_limit$offset());
            asC(hints.domain().limits(), fi_domain_attr.mr_key_size$offset(), fi_domain_attr.cq_data_size$offset(),
                    fi_domain_attr.cq_cnt$offset(), fi_domain_attr.ep_cnt$offset(), fi_domain_attr.tx_ctx_cnt$offset(),
                    fi_domain_attr.rx_ctx_cnt$offset(), fi_domain_attr.mr_cnt$offset(),
                    fi_domain_attr.mr_iov_limit$offset(), fi_domain_attr.max_err_data$offset());
            assertThat(Stream.of(endpoint.maxMessageSize(), endpoint.messagePrefixSize(), endpoint.maxOrderRawSize(),
                    endpoint.maxOrderWarSize(), endpoint.maxOrderWawSize(), hints.tx().injectSize(), hints.tx().size(),
                    hints.tx().iovLimit(), hints.tx().rmaIovLimit(), hints.rx().totalBufferedRecv(), hints.rx().size(),
                    hints.rx().iovLimit(), hints.domain().limits().mrKeySize(), hints.domain().limits().cqDataSize(),
                    hints.domain().limits().cqCount(), hints.domain().limits().endpointCount(),
                    hints.domain().limits().txContextCount(), hints.domain().limits().rxContextCount(),
                    hints.domain().limits().mrCount(), hints.domain().limits().mrIovLimit(),
                    hints.domain().limits().maxErrorData())).containsOnly(Long.MAX_VALUE);
            // this is no amount
            assertThat(endpoint.txContextCount(EndpointAttributes.SHARED_CONTEXT).txContextCount()).isEqualTo(-1);
        }
    }

    private static void asC(Object view, long... offsets) {
        LongStream.of(offsets).forEach(offset -> ((AttributeView) view).putLong(offset, -1));
    }

    /** Whatever takes a long, but for what is no amount: the bits of {@code memTagFormat}. */
    private static List<Method> setters(Object view) {
        return Stream.of(view.getClass().getInterfaces()[0].getMethods())
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {long.class}))
                .filter(method -> !method.getName().equals("memTagFormat")).toList();
    }

    @Test
    void noSetterTakesANegativeAmount() throws ReflectiveOperationException {
        try (Hints hints = Hints.create()) {
            int setters = 0;
            for (Object view : List.of(hints.tx(), hints.rx(), hints.endpoint(), hints.domain(),
                    hints.domain().limits(), hints.fabric())) {
                for (Method setter : setters(view)) {
                    setters += takesNoNegative(view, setter) ? 1 : 0;
                }
            }
            assertThat(setters).isGreaterThan(20);
        }
    }

    private static boolean takesNoNegative(Object view, Method setter) throws ReflectiveOperationException {
        Method getter = setter.getDeclaringClass().getMethod(setter.getName());
        for (long value : new long[] {0, 1, Long.MAX_VALUE, 7}) {
            try {
                setter.invoke(view, value);
            } catch (InvocationTargetException e) {
                assertThat(e).cause().isInstanceOf(FabricException.class).hasMessageContaining("or newer");
                return false;
            }
            assertThat(getter.invoke(view)).as("%s", setter).isEqualTo(value);
        }
        boolean mayBeShared = view instanceof EndpointAttributes && setter.getName().endsWith("ContextCount");
        for (long value : new long[] {mayBeShared ? -2 : EndpointAttributes.SHARED_CONTEXT, -5, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> setter.invoke(view, value)).as("%s", setter).cause()
                    .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("set fi_")
                    .hasMessageContaining("_attr.").hasMessageContaining(value + " is negative")
                    .hasMessageContaining("take 0");
            assertThat(getter.invoke(view)).as("%s: as before", setter).isEqualTo(7L);
        }
        return true;
    }
}
