// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Provider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code Fabric.getInfo} answers to hints, best first, and why the other providers are not in it.
 *
 * @param hints the question, for people
 * @param candidates a line each
 * @param others a line for each provider that did not answer, with the reason
 * @param failure why there is no candidate; empty where there is
 */
record Chosen(String hints, List<String> candidates, List<String> others, String failure) {
    static Chosen of(String provider, EndpointType type, Set<Capability> capabilities, String node) {
        String question = "endpoint type " + type + ", capabilities " + capabilities
                + (provider == null ? "" : ", provider " + provider) + (node == null ? "" : ", node " + node);
        if (!isKnown(node)) {
            return new Chosen(question, List.of(), List.of(), "node \"" + node + "\" cannot be resolved; use a host "
                    + "name known here or an IP address");
        }
        List<String> candidates = new ArrayList<>();
        Set<String> answered = new LinkedHashSet<>();
        String failure = "";
        try (Hints hints = hints(provider, type, capabilities);
             FabricInfoList infos = Fabric.getInfo(node, null, Set.of(), hints)) {
            for (FabricInfo info : infos) {
                if (!candidates.contains(info.summary())) {
                    candidates.add(info.summary());
                }
                answered.addAll(List.of(info.provider().split(";")));
            }
        } catch (FabricException e) {
            failure = e.getMessage();
        }
        return new Chosen(question, candidates, provider == null ? others(answered, type, capabilities, node)
                : List.of(), failure);
    }

    /** Asked here, as shm takes any name. */
    private static boolean isKnown(String node) {
        try {
            return node == null || InetAddress.getByName(node) != null;
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    private static Hints hints(String provider, EndpointType type, Set<Capability> capabilities) {
        Hints hints = Hints.create().endpointType(type).provider(provider);
        capabilities.forEach(capability -> hints.capabilities(hints.capabilities().with(capability)));
        return hints;
    }

    private static List<String> others(Set<String> answered, EndpointType type, Set<Capability> capabilities,
            String node) {
        List<String> others = new ArrayList<>();
        for (Provider provider : Fabric.providers()) {
            String name = provider.name();
            // those that come on top of others, or hook into them, are not chosen by themselves
            if (answered.contains(name) || name.startsWith("ofi_") || name.contains(";")) {
                continue;
            }
            try (Hints hints = hints(name, type, capabilities)) {
                others.add(name + ": " + reason(name, Fabric.explain(hints), node));
            } catch (FabricException tooOld) {
                others.add(name + ": " + tooOld.getMessage());
            }
        }
        return others;
    }

    /** Where it is the provider alone that is in the way, advice to drop it helps nobody. */
    private static String reason(String name, String explanation, String node) {
        if (node != null && explanation.equals("there is a match")) {
            return "does not reach " + node;
        }
        String known = "provider \"" + name + "\" is in this libfabric, but ";
        if (explanation.startsWith(known)) {
            return explanation.substring(known.length());
        }
        return explanation.endsWith("provider \"" + name + "\"") ? "finds no device here, or none with these hints; "
                + "FI_LOG_LEVEL=info says why" : explanation;
    }

    /** A line for each way to reach the network, with its interfaces, best first. */
    List<String> ways() {
        Map<String, Set<String>> interfaces = new LinkedHashMap<>();
        for (String candidate : candidates) {
            int on = candidate.indexOf(" on ");
            int at = candidate.indexOf(" at ");
            interfaces.computeIfAbsent(candidate.substring(0, on), way -> new LinkedHashSet<>())
                    .add(candidate.substring(on + " on ".length(), at < 0 ? candidate.length() : at));
        }
        return interfaces.entrySet().stream().map(way -> way.getKey() + " on " + String.join(", ", way.getValue()))
                .toList();
    }

    Check check() {
        return candidates.isEmpty()
                ? Check.wrong("chosen", failure, "ask for less, or install a libfabric that has it: see above")
                : Check.ok("chosen", candidates.getFirst());
    }
}
