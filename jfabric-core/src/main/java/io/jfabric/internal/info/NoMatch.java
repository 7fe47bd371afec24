// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.info.AvType;
import io.jfabric.info.Capability;
import io.jfabric.info.CompletionOrder;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Progress;
import io.jfabric.info.ResourceManagement;
import io.jfabric.info.Threading;
import io.jfabric.internal.quirk.ProviderLinks;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.quirk.shm.ShmRoom;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds out why {@code fi_getinfo} found nothing: asks again with one hint dropped at a time, since libfabric itself
 * answers only -FI_ENODATA.
 */
public final class NoMatch {
    private static final Flags<Mode> ALL_MODES =
            Flags.of(Mode.CONTEXT, Mode.CONTEXT2, Mode.MSG_PREFIX, Mode.ASYNC_IOV, Mode.RX_CQ_DATA);
    private static final Flags<MrMode> ALL_MR_MODES = Flags.ofBits(MrMode.class, 0xFFC);
    private static final String ORDER = "messageOrder";
    /** Of interest only if neither alone is to blame. */
    private static final String BOTH_ORDERS = "messageOrder of both tx() and rx()";
    private static final Map<String, Consumer<HintsImpl>> TX = tx();
    private static final Map<String, Consumer<HintsImpl>> RX = rx();
    private static final Map<String, Consumer<HintsImpl>> RELAXATIONS = relaxations();

    private final InfoQuery query;
    private final ProviderFilter filter = ProviderFilter.inForce();

    public NoMatch(InfoQuery query) {
        this.query = query;
    }

    private static Map<String, Consumer<HintsImpl>> relaxations() {
        Map<String, Consumer<HintsImpl>> map = new LinkedHashMap<>();
        map.put("provider", h -> h.provider(null));
        map.put("endpointType", h -> h.endpointType(EndpointType.UNSPEC));
        map.put("capabilities", h -> h.capabilities(Flags.ofBits(Capability.class, 0)));
        map.put("mode", h -> h.mode(ALL_MODES));
        map.put("addressFormat", h -> h.addressFormatCode(0));
        map.put("sourceAddress", h -> h.sourceAddress(null));
        map.put("destinationAddress", h -> h.destinationAddress(null));
        map.put("fabric().name", h -> h.fabric().name(null));
        map.put("domain().name", h -> h.domain().name(null));
        map.put("domain().mrMode", h -> h.domain().mrMode(ALL_MR_MODES));
        map.put("domain().capabilities", h -> h.domain().capabilities(Flags.ofBits(Capability.class, 0)));
        map.put("domain().threading", h -> h.domain().threading(Threading.UNSPEC));
        map.put("domain().progress", h -> h.domain().controlProgress(Progress.UNSPEC).dataProgress(Progress.UNSPEC));
        map.put("domain().resourceManagement", h -> h.domain().resourceManagement(ResourceManagement.UNSPEC));
        map.put("domain().avType", h -> h.domain().avType(AvType.UNSPEC));
        map.put("domain().authKey", h -> h.domain().authKey(new byte[0]));
        map.put("domain() limits", h -> h.domain().limits().cqDataSize(0).mrKeySize(0).cqCount(0).endpointCount(0)
                .maxEndpointTxContexts(0).maxEndpointRxContexts(0).maxEndpointStxContexts(0).maxEndpointSrxContexts(0)
                .txContextCount(0).rxContextCount(0).counterCount(0).mrIovLimit(0).mrCount(0));
        map.put("endpoint().protocol", h -> h.endpoint().protocolCode(0).protocolVersion(0));
        map.put("endpoint() limits", h -> h.endpoint().maxMessageSize(0).maxOrderRawSize(0).maxOrderWarSize(0)
                .maxOrderWawSize(0).memTagFormat(0).messagePrefixSize(0));
        map.put("endpoint() contexts", h -> h.endpoint().txContextCount(0).rxContextCount(0));
        map.put("endpoint().authKey", h -> h.endpoint().authKey(new byte[0]));
        map.put("tx()", h -> TX.values().forEach(part -> part.accept(h)));
        map.put("rx()", h -> RX.values().forEach(part -> part.accept(h)));
        map.put(BOTH_ORDERS, TX.get(ORDER).andThen(RX.get(ORDER)));
        return map;
    }

    private static Map<String, Consumer<HintsImpl>> tx() {
        Map<String, Consumer<HintsImpl>> map = new LinkedHashMap<>();
        map.put("capabilities", h -> h.tx().capabilities(Flags.ofBits(Capability.class, 0)));
        map.put(ORDER, h -> h.tx().messageOrder(Flags.ofBits(MessageOrder.class, 0)));
        map.put("completionOrder", h -> h.tx().completionOrder(Flags.ofBits(CompletionOrder.class, 0)));
        map.put("operationFlags", h -> h.tx().operationFlags(Flags.ofBits(OperationFlag.class, 0)));
        map.put("trafficClass", h -> h.tx().trafficClassCode(0));
        map.put("injectSize", h -> h.tx().injectSize(0));
        map.put("size", h -> h.tx().size(0));
        map.put("iovLimit", h -> h.tx().iovLimit(0));
        map.put("rmaIovLimit", h -> h.tx().rmaIovLimit(0));
        return map;
    }

    private static Map<String, Consumer<HintsImpl>> rx() {
        Map<String, Consumer<HintsImpl>> map = new LinkedHashMap<>();
        map.put("capabilities", h -> h.rx().capabilities(Flags.ofBits(Capability.class, 0)));
        map.put(ORDER, h -> h.rx().messageOrder(Flags.ofBits(MessageOrder.class, 0)));
        map.put("completionOrder", h -> h.rx().completionOrder(Flags.ofBits(CompletionOrder.class, 0)));
        map.put("operationFlags", h -> h.rx().operationFlags(Flags.ofBits(OperationFlag.class, 0)));
        map.put("totalBufferedRecv", h -> h.rx().totalBufferedRecv(0));
        map.put("size", h -> h.rx().size(0));
        map.put("iovLimit", h -> h.rx().iovLimit(0));
        return map;
    }

    /** What is wrong and what would help, in one line. */
    public String explain() {
        if (isUnknownHost()) {
            return "node \"" + query.node() + "\" cannot be resolved; use a host name known here or an IP address";
        }
        if (query.service() != null && query.withService("1").matches()) {
            return "service \"" + query.service() + "\" is not known here; use a port number";
        }
        String nobody = filter.isSet() ? "none of the providers that " + filter + " leaves" : "no provider";
        if (query.hints() == null) {
            return nobody + " can be used" + (query.node() == null && query.service() == null ? ""
                    : " for node " + query.node() + " and service " + query.service());
        }
        Set<String> known = providers();
        String wanted = query.hints().fabric().providerName().orElse(null);
        if (wanted != null && !wanted.startsWith("^") && unknown(wanted, known)) {
            return "provider \"" + wanted + "\" is not in this libfabric, which has " + String.join(", ", known);
        }
        if (wanted != null && !wanted.startsWith("^") && !findsAnything(wanted)) {
            return "provider \"" + wanted + "\" is in this libfabric, but " + nothing(wanted, parts(wanted));
        }
        List<String> culprits = RELAXATIONS.entrySet().stream()
                .filter(relaxation -> matchesWithout(relaxation.getValue()))
                .map(Map.Entry::getKey).collect(Collectors.toCollection(ArrayList::new));
        if (culprits.contains("tx()") || culprits.contains("rx()")) {
            culprits.remove(BOTH_ORDERS);
        }
        if (culprits.isEmpty()) {
            return nobody + " satisfies the hints, and dropping any single one does not help; providers: "
                    + String.join(", ", known) + "; FI_LOG_LEVEL=info shows each provider's reasons";
        }
        return nobody + " satisfies all hints together; dropping one of these would leave a match: "
                + culprits.stream().map(this::describe).collect(Collectors.joining(", "));
    }

    /** Why a provider offers nothing, whatever it is asked for. */
    private String nothing(String wanted, List<String> parts) {
        if (filter.leavesOut(parts)) {
            return filter + " leaves it out";
        }
        String lacks = lacks(wanted);
        if (lacks == null && filter.isSet() && parts.stream().allMatch(ProviderFilter::isBuiltOnOthers)) {
            lacks = filter + " may leave out what it is built on";
        }
        return "finds nothing to work with on this machine: " + (lacks != null ? lacks
                : "no device or no driver of it, or no right to use it; FI_LOG_LEVEL=info shows its reasons");
    }

    /** What the provider lacks; null if that is not known. */
    private static String lacks(String provider) {
        Quirks quirks = Quirks.of(provider);
        String links = quirks.has(Quirk.OFFERED_WITH_LINKS) ? ProviderLinks.notGiven() : null;
        return links == null && quirks.has(Quirk.OFFERED_WITH_ROOM) ? ShmRoom.notOffered() : links;
    }

    private String describe(String hint) {
        return switch (hint) {
            case "provider" -> "provider \"" + query.hints().fabric().providerName().orElse("") + '"';
            case "endpointType" -> "endpointType " + query.hints().endpoint().type().nativeName();
            case "capabilities" -> "capabilities " + withCulprit(query.hints().capabilities(), HintsImpl::capabilities);
            case "tx()" -> parts("tx()", TX, query.hints().tx().messageOrder(), (h, left) -> h.tx().messageOrder(left));
            case "rx()" -> parts("rx()", RX, query.hints().rx().messageOrder(), (h, left) -> h.rx().messageOrder(left));
            case "addressFormat" -> (hasAddress() ? "the addresses, which are of format " : "addressFormat ")
                    + query.hints().addressFormat().nativeName();
            default -> hint;
        };
    }

    /** Whether there are addresses, which have a format even if the program did not ask for one. */
    private boolean hasAddress() {
        return query.hints().sourceAddress().isPresent() || query.hints().destinationAddress().isPresent();
    }

    /** Which of the attributes it is; all of them if none alone is. */
    private String parts(String all, Map<String, Consumer<HintsImpl>> parts, Flags<MessageOrder> order,
            BiConsumer<HintsImpl, Flags<MessageOrder>> setter) {
        String alone = parts.entrySet().stream().filter(part -> matchesWithout(part.getValue()))
                .map(part -> all + "." + part.getKey()
                        + (part.getKey().equals(ORDER) ? " " + withCulprit(order, setter) : ""))
                .collect(Collectors.joining(", "));
        return alone.isEmpty() ? all : alone;
    }

    /** The flags, and which of several it is: one that would have to go, or else all that nobody has. */
    private <E extends Enum<E> & FabricConstant> String withCulprit(Flags<E> wanted,
            BiConsumer<HintsImpl, Flags<E>> setter) {
        Set<E> all = wanted.toSet();
        if (all.size() < 2) {
            return wanted.toString();
        }
        String each = names(all, one -> matchesWithout(h -> setter.accept(h, wanted.without(one))), " or ");
        if (!each.isEmpty()) {
            return wanted + " (of them " + each + " alone)";
        }
        String lacking = names(all, one -> !matchesWithout(h -> setter.accept(h, Flags.of(one))), " and ");
        return wanted + (lacking.isEmpty() ? "" : " (nothing here has " + lacking + ")");
    }

    private static <E extends FabricConstant> String names(Set<E> all, Predicate<E> which, String between) {
        return all.stream().filter(which).map(FabricConstant::nativeName).collect(Collectors.joining(between));
    }

    private boolean matchesWithout(Consumer<HintsImpl> relaxation) {
        try (HintsImpl copy = HintsImpl.copyOf(query.hints())) {
            relaxation.accept(copy);
            return query.with(copy).matches();
        } catch (IllegalArgumentException senseless) {
            // an address that is right for its format only
            return false;
        }
    }

    /** Whether a provider offers anything if nothing else is asked for. */
    private static boolean findsAnything(String provider) {
        try (HintsImpl alone = HintsImpl.create()) {
            alone.fabric().providerName(provider);
            return InfoQuery.of(null, null, Set.of(), alone).matches();
        }
    }

    private static boolean unknown(String wanted, Set<String> known) {
        return !known.containsAll(parts(wanted));
    }

    /** A name with a semicolon is made of two. */
    private static List<String> parts(String wanted) {
        return List.of(wanted.toLowerCase(Locale.ROOT).split(";"));
    }

    private static Set<String> providers() {
        Set<String> names = new TreeSet<>();
        InfoQuery.providers().forEach(p -> names.addAll(List.of(p.name().split(";"))));
        return names;
    }

    /**
     * Whether the node is unknown and to blame: not if the provider takes it for a mere name, or finds nothing anyway.
     */
    private boolean isUnknownHost() {
        if (query.node() == null || !isToBlame(query) && !isToBlameForAll()) {
            return false;
        }
        try {
            InetAddress.getByName(query.node());
            return false;
        } catch (UnknownHostException unknown) {
            return true;
        }
    }

    private static boolean isToBlame(InfoQuery asked) {
        return !asked.matches() && asked.withNode(null).matches();
    }

    /** Whether the node is to blame whatever else is asked for. */
    private boolean isToBlameForAll() {
        if (query.hints() == null) {
            return false;
        }
        try (HintsImpl alone = HintsImpl.create()) {
            alone.fabric().providerName(query.hints().fabric().providerName().orElse(null));
            return isToBlame(query.with(alone));
        }
    }
}
