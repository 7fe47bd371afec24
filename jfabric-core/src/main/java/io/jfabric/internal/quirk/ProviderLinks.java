// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.LibC;
import java.util.Arrays;
import java.util.List;

/** What the environment has joined to one provider: links of providers, with domains, as in {@code shm+tcp:lo}. */
public final class ProviderLinks {
    private static final String NAME = "FI_LNX_PROV_LINKS";
    private static final String LNX = "lnx";

    private ProviderLinks() {
    }

    /**
     * Throws if looking for what this provider offers would crash.
     *
     * @param provider the only one that is looked for, or null for all
     */
    public static void check(String provider) {
        // what begins with ^ is left out, and all others are asked
        boolean asked = provider == null || provider.startsWith("^") || provider.contains(LNX);
        String links = asked ? LibC.getenv(NAME) : null;
        if (links != null && !isSound(links) && Quirks.of(LNX).has(Quirk.LINKS_OF_NOTHING)) {
            throw FabricException.of("fi_getinfo", Errno.EINVAL, NAME + "=\"" + links + "\" has a link without a "
                    + "provider, at which libfabric would crash: write as shm+tcp:lo, or unset it before the start");
        }
    }

    static boolean isSound(String links) {
        return Arrays.stream(links.split("\\|")).filter(link -> !link.isEmpty()).allMatch(ProviderLinks::hasProviders);
    }

    /** Empty parts are passed over, but not those of blanks, or with domains alone. */
    private static boolean hasProviders(String link) {
        List<String> parts = Arrays.stream(link.strip().split("\\+")).filter(part -> !part.isEmpty()).toList();
        return !parts.isEmpty() && parts.stream().allMatch(ProviderLinks::isNamed);
    }

    private static boolean isNamed(String part) {
        return Arrays.stream(part.split(":")).filter(name -> !name.isEmpty()).findFirst()
                .filter(name -> !name.isBlank()).isPresent();
    }
}
