// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.Fabric;
import io.jfabric.internal.info.FabricInfoListImpl;
import java.util.List;

/**
 * What {@link Fabric#getInfo(Hints)} found, best first: a list of at least one {@link FabricInfo}. Printed, it is a
 * line for each: its {@linkplain FabricInfo#summary() summary}, and how it differs from an earlier one with the same.
 *
 * <p>Owns the native memory of its infos; they fail with {@link IllegalStateException} once the list is closed. A list
 * that nobody closes is freed when nothing refers to it or its infos any more, so forgetting it is not a leak.
 * Unmodifiable; not thread-safe.
 */
public sealed interface FabricInfoList extends List<FabricInfo>, AutoCloseable permits FabricInfoListImpl {
    /**
     * The best match.
     *
     * @return the first info
     */
    FabricInfo first();

    /** Frees the native memory ({@code fi_freeinfo}); again does nothing. */
    @Override
    void close();
}
