// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Domain;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A wait object that the provider lacks: the exception names it, and one that works. */
@Timeout(60)
class MissingWaitObjectsTest {
    private static final Pattern REMEDY = Pattern.compile("open it with WaitObject\\.(\\w+)");

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#all")
    void anotherIsNamed(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first())) {
            namesAnother(object -> domain.openCompletionQueue(
                    CompletionQueueAttributes.of(CompletionFormat.MSG).withWaitObject(object)));
            namesAnother(object -> fabric.openEventQueue(EventQueueAttributes.DEFAULT.withWaitObject(object)));
            namesAnother(object -> domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(object)));
        }
    }

    private static void namesAnother(Function<WaitObject, FabricObject> open) {
        for (WaitObject object : List.of(WaitObject.MUTEX_COND, WaitObject.YIELD, WaitObject.POLLFD, WaitObject.FD)) {
            try {
                open.apply(object).close();
            } catch (FabricException e) {
                assertThat(e.error()).isIn(FabricError.EINVAL, FabricError.ENOSYS);
                if (canBeOpened(open)) {
                    assertThat(e).hasMessageMatching("(?s).*WaitObject." + object + ".*|.*waits for a condition.*|"
                            + ".*hangs when.*");
                    Matcher remedy = REMEDY.matcher(e.getMessage());
                    if (remedy.find()) {
                        open.apply(WaitObject.valueOf(remedy.group(1))).close();
                    }
                }
            }
        }
    }

    /** udp has no counters at all. */
    private static boolean canBeOpened(Function<WaitObject, FabricObject> open) {
        try {
            open.apply(WaitObject.NONE).close();
            return true;
        } catch (FabricException e) {
            return false;
        }
    }
}
