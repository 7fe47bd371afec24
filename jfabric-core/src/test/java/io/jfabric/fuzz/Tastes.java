// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

import io.jfabric.info.AvType;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.Hints;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Progress;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What may be asked for beside capabilities: each is another way through the provider. */
final class Tastes {
    /** More are seldom offered together. */
    private static final int MOST = 3;

    private static final List<MrMode> REGIONS = List.of(MrMode.LOCAL, MrMode.RAW, MrMode.VIRT_ADDR, MrMode.ALLOCATED,
            MrMode.PROV_KEY, MrMode.MMU_NOTIFY, MrMode.RMA_EVENT, MrMode.ENDPOINT);
    private static final List<OperationFlag> TRANSMIT = List.of(OperationFlag.COMPLETION, OperationFlag.INJECT_COMPLETE,
            OperationFlag.TRANSMIT_COMPLETE, OperationFlag.DELIVERY_COMPLETE);

    private final Dice dice;
    private final List<String> names = new ArrayList<>();
    private final List<Consumer<Hints>> chosen = new ArrayList<>();

    private Tastes(Dice dice) {
        this.dice = dice;
    }

    /** Sometimes none. */
    static Tastes of(Dice dice) {
        Tastes tastes = new Tastes(dice);
        for (int i = dice.percent(25) ? 0 : 1 + dice.below(MOST); i > 0; i--) {
            tastes.choose();
        }
        return tastes;
    }

    void apply(Hints hints) {
        chosen.forEach(taste -> taste.accept(hints));
    }

    @Override
    public String toString() {
        return names.toString();
    }

    private void choose() {
        switch (dice.below(13)) {
            case 0, 1, 2 -> add("threading", dice.of(Threading.SAFE, Threading.FID, Threading.DOMAIN,
                    Threading.COMPLETION, Threading.ENDPOINT), (hints, each) -> hints.domain().threading(each));
            case 3 -> add("control", dice.of(Progress.AUTO, Progress.MANUAL, Progress.CONTROL_UNIFIED),
                    (hints, each) -> hints.domain().controlProgress(each));
            case 4 -> add("data", dice.of(Progress.AUTO, Progress.MANUAL),
                    (hints, each) -> hints.domain().dataProgress(each));
            case 5 -> add("resources", dice.of(ResourceManagement.DISABLED, ResourceManagement.ENABLED),
                    (hints, each) -> hints.domain().resourceManagement(each));
            case 6 -> add("vectors", dice.of(AvType.MAP, AvType.TABLE), (hints, each) -> hints.domain().avType(each));
            case 7 -> add("regions", REGIONS.stream().filter(each -> dice.percent(60)).toList(),
                    (hints, each) -> hints.domain().mrMode(each.toArray(MrMode[]::new)));
            case 8 -> add("transmit flags", TRANSMIT.stream().filter(each -> dice.percent(40)).toList(),
                    (hints, each) -> hints.tx().operationFlags(each.toArray(OperationFlag[]::new)));
            case 9 -> add("order", dice.of(MessageOrder.SAS, MessageOrder.RAW, MessageOrder.WAW), (hints, each) -> {
                hints.tx().messageOrder(each).completionOrder(CompletionOrder.STRICT);
                hints.rx().messageOrder(each);
            });
            case 10 -> add("sizes", dice.of(1L, 2L, 8L, 4096L), (hints, each) -> {
                hints.tx().size(each);
                hints.rx().size(each);
            });
            case 11 -> add("inject", dice.of(0L, 1L, 64L, 4096L, 16384L),
                    (hints, each) -> hints.tx().injectSize(each));
            default -> add("modes", dice.of(Mode.CONTEXT, Mode.CONTEXT2, Mode.MSG_PREFIX),
                    (hints, each) -> hints.mode(each));
        }
    }

    private <T> void add(String name, T value, BiConsumer<Hints, T> taste) {
        names.add(name + ' ' + value);
        chosen.add(hints -> taste.accept(hints, value));
    }
}
