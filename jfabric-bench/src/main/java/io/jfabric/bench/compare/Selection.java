// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.bench.vsc.Setting;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the command line asks for; empty sets leave it to the plan. */
final class Selection {
    boolean quick;
    int pairs;
    final Set<String> cases = new LinkedHashSet<>();
    final Set<String> providers = new LinkedHashSet<>();
    final Set<Setting> settings = EnumSet.noneOf(Setting.class);
    final Set<Boolean> barriers = new LinkedHashSet<>();

    /** Takes an option with its value; returns whether it is one of these. */
    boolean take(String option, String value) {
        switch (option) {
            case "--pairs" -> pairs = pairs(value);
            case "--cases" -> cases.addAll(List.of(value.split(",")));
            case "--providers" -> providers.addAll(List.of(value.split(",")));
            case "--settings" -> List.of(value.split(",")).forEach(this::setting);
            case "--barrier" -> List.of(value.split(",")).forEach(this::barrier);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static int pairs(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("--pairs: '" + value + "' is no number", none);
        }
    }

    private void setting(String value) {
        try {
            settings.add(Setting.of(value));
        } catch (IllegalArgumentException none) {
            throw new IllegalArgumentException("--settings: " + List.of(Setting.values()) + ", not '" + value + "'",
                    none);
        }
    }

    private void barrier(String value) {
        if (!value.equals("on") && !value.equals("off")) {
            throw new IllegalArgumentException("--barrier: on, off or on,off, not '" + value + "'");
        }
        barriers.add(value.equals("on"));
    }

    /** Whether nothing is left out. */
    boolean isAll() {
        return cases.isEmpty() && providers.isEmpty() && settings.isEmpty() && barriers.isEmpty();
    }

    boolean has(String name, String provider) {
        return (cases.isEmpty() || cases.contains(name)) && (providers.isEmpty() || providers.contains(provider));
    }
}
