// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.InfoMemory;
import io.jfabric.ffi.InfoOwner;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@link Fabric#getInfo(Hints)} found, best first: a list of at least one {@link FabricInfo}.
 *
 * <p>Owns the native memory of its infos; they fail with {@link IllegalStateException} once the list is closed.
 * Unmodifiable; not thread-safe.
 */
public final class FabricInfoList extends AbstractList<FabricInfo> implements AutoCloseable {
    private final InfoOwner owner;
    private final List<FabricInfo> infos = new ArrayList<>();
    private final LeakReport.Tracker tracker;

    FabricInfoList(long head) {
        owner = new InfoOwner("the FabricInfoList", head);
        for (InfoMemory entry = owner.first(); entry != null; entry = entry.next()) {
            infos.add(new FabricInfo(entry));
        }
        tracker = LeakReport.track(this, "FabricInfoList");
    }

    private List<FabricInfo> open() {
        if (owner.isFreed()) {
            throw new IllegalStateException("the FabricInfoList is closed");
        }
        return infos;
    }

    /**
     * The best match.
     *
     * @return the first info
     */
    public FabricInfo first() {
        return open().getFirst();
    }

    @Override
    public FabricInfo get(int index) {
        return open().get(index);
    }

    @Override
    public int size() {
        return open().size();
    }

    /** One {@link FabricInfo#summary()} a line; a note once the list is closed. */
    @Override
    public String toString() {
        return owner.isFreed()
                ? "FabricInfoList (closed)"
                : String.join("\n", infos.stream().map(FabricInfo::summary).toList());
    }

    /** Identity: two lists of native memory are never equal. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Frees the native memory ({@code fi_freeinfo}); again does nothing. */
    @Override
    public void close() {
        tracker.closed();
        owner.free();
    }
}
