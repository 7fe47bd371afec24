// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Environment;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.library.Variables;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The providers that the environment links into one, with their domains, as in {@code shm+tcp:lo}. */
public final class ProviderLinks {
    private static final String NAME = "FI_LNX_PROV_LINKS";
    private static final String LNX = "lnx";
    private static final String WITHOUT_SHM = "FI_LNX_DISABLE_SHM";
    private static final String SHM = "shm";
    /** One less than LNX_MAX_LOCAL_EPS. */
    private static final int MOST = 15;
    /** The value as it was first. */
    private static String given;

    private ProviderLinks() {
    }

    /**
     * Call before asking what providers offer. Throws if the library would crash; restores the links, as the
     * library splits the text in the environment itself, and leaves only a part of it if it finds nothing.
     *
     * @param provider the only one that is asked, or null for all
     */
    public static synchronized void check(String provider) {
        // ^ begins a list of providers to leave out; all others are asked
        boolean asked = provider == null || provider.startsWith("^")
                || provider.toLowerCase(Locale.ROOT).contains(LNX);
        String links = asked ? Variables.get(NAME) : null;
        if (links == null) {
            return;
        }
        Quirks quirks = Quirks.of(LNX);
        if (quirks.has(Quirk.LINKS_OF_NOTHING) && !isSound(links)) {
            throw FabricException.of("fi_getinfo", Errno.EINVAL, NAME + "=\"" + links + "\" has a link without a "
                    + "provider, at which libfabric would crash: write as shm+tcp:lo, or unset it before the start");
        }
        if (!quirks.has(Quirk.LINKS_ARE_CUT)) {
            return;
        }
        if (given != null && given.length() > links.length() && given.startsWith(links)) {
            Environment.set(NAME, given);
            if (!given.equals(Variables.get(NAME))) {
                throw FabricException.of("fi_getinfo", Errno.EINVAL, NAME + "=\"" + given + "\" in libfabric.conf was "
                        + "taken apart by libfabric, and FI_PREFER_SYSCONFIG keeps jfabric from mending that: set it "
                        + "in the environment");
            }
        } else {
            given = links;
        }
    }

    /** What to do if no links are set; null if some are. */
    public static String notGiven() {
        return Variables.get(NAME) != null ? null : "it joins the providers that " + NAME + " in the environment "
                + "names; set it, such as " + NAME + "=shm+tcp:lo, before the start";
    }

    /** Call before opening a domain of that name. Throws if it joins so many others that the library would crash. */
    public static void checkNumber(String domain, Quirks quirks) {
        int parts = domain.split("\\+", -1).length;
        if (parts > MOST && quirks.has(Quirk.MANY_PARTS_CRASH)) {
            throw FabricException.of("fi_domain", Errno.E2BIG, "provider lnx joins no more than " + MOST
                    + " domains, and this one, " + domain + ", is of " + parts + ": name a domain of each provider, as "
                    + "in " + NAME + "=shm+tcp:lo");
        }
    }

    /** Throws if none of the endpoint's providers, in their order, reaches an address with these providers. */
    public static void checkReachable(String operation, List<String> here, List<String> there, boolean sameHost) {
        boolean isLocal = sameHost && there.getFirst().equals(SHM) && !Quirks.saysYes(Variables.get(WITHOUT_SHM));
        // on one host only the first provider is asked
        boolean reaches = isLocal ? here.getFirst().equals(SHM)
                : there.stream().anyMatch(each -> !each.equals(SHM) && here.contains(each));
        if (!reaches) {
            throw new NoWay(operation + ": the address leads to " + there + ", and the endpoint has " + here
                    + (isLocal ? "; on one host both need shm, before others" : "") + ": does the peer have another "
                    + NAME + "?");
        }
    }

    /** No provider that is linked here reaches an address. */
    public static final class NoWay extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        NoWay(String message) {
            super(message);
        }
    }

    static boolean isSound(String links) {
        return Arrays.stream(links.split("\\|")).filter(link -> !link.isEmpty()).allMatch(ProviderLinks::hasProviders);
    }

    /** Empty parts are skipped, but not blank ones, or those with only a domain. */
    private static boolean hasProviders(String link) {
        List<String> parts = Arrays.stream(link.strip().split("\\+")).filter(part -> !part.isEmpty()).toList();
        return !parts.isEmpty() && parts.stream().allMatch(ProviderLinks::isNamed);
    }

    private static boolean isNamed(String part) {
        return Arrays.stream(part.split(":")).filter(name -> !name.isEmpty()).findFirst()
                .filter(name -> !name.isBlank()).isPresent();
    }
}
