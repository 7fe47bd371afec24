// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.internal.library.Variables;
import java.util.List;
import java.util.Locale;

/** Which providers the environment leaves out, as libfabric reads it: a list of those to keep, or after a ^ to drop. */
final class ProviderFilter {
    private static final String NAME = "FI_PROVIDER";

    private final String value;
    private final boolean negated;
    private final List<String> names;

    /** Null for no such variable; an empty one leaves out all. */
    ProviderFilter(String value) {
        this.value = value;
        negated = value == null || value.startsWith("^");
        names = value == null ? List.of()
                : List.of(value.substring(negated ? 1 : 0).toLowerCase(Locale.ROOT).split(",", -1));
    }

    /** As libfabric has read it: nothing can set it afterwards. */
    static ProviderFilter inForce() {
        return new ProviderFilter(Variables.get(NAME));
    }

    /** Whether a provider of these parts, in any order, is left out by its own name. */
    boolean leavesOut(List<String> parts) {
        List<String> core = parts.stream().filter(part -> !isBuiltOnOthers(part)).toList();
        List<String> upper = parts.stream().filter(ProviderFilter::isBuiltOnOthers).toList();
        String whole = String.join(";", core) + (core.isEmpty() || upper.isEmpty() ? "" : ";")
                + String.join(";", upper);
        if (negated) {
            return names.contains(whole) || parts.stream().anyMatch(names::contains);
        }
        // a provider stays for what is built on it, too, and what may be built on any stays whatever is named
        return core.stream().anyMatch(part -> !names.contains(part)
                && names.stream().noneMatch(upper.isEmpty() ? name -> name.startsWith(part + ";") : whole::equals));
    }

    boolean isSet() {
        return value != null;
    }

    /** Utility and offload providers. */
    static boolean isBuiltOnOthers(String provider) {
        return provider.startsWith("ofi_") || provider.startsWith("off_");
    }

    @Override
    public String toString() {
        return NAME + "=\"" + value + "\" " + Variables.place(NAME);
    }
}
