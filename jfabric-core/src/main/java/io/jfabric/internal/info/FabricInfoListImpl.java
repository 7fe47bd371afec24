// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.library.InfoMemory;
import io.jfabric.internal.library.InfoOwner;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** {@link FabricInfoList}. */
public final class FabricInfoListImpl extends AbstractList<FabricInfo> implements FabricInfoList {
    private final InfoOwner owner;
    private final List<FabricInfoImpl> infos = new ArrayList<>();

    /** Takes over a list; {@code complete} is false for the infos of {@code FI_PROV_ATTR_ONLY}. */
    public FabricInfoListImpl(long head, boolean complete) {
        owner = new InfoOwner("the FabricInfoList", head);
        for (InfoMemory entry = owner.first(); entry != null; entry = entry.next()) {
            infos.add(new FabricInfoImpl(entry, Offer.of(entry.address(), complete)));
        }
    }

    private List<FabricInfoImpl> open() {
        if (owner.isFreed()) {
            throw new IllegalStateException("the FabricInfoList is closed");
        }
        return infos;
    }

    @Override
    public FabricInfoImpl first() {
        return open().getFirst();
    }

    @Override
    public FabricInfoImpl get(int index) {
        return open().get(index);
    }

    @Override
    public int size() {
        return open().size();
    }

    /** One {@link FabricInfo#summary()} a line; a note once the list is closed. */
    @Override
    public String toString() {
        synchronized (owner) {
            return owner.isFreed() ? "FabricInfoList (closed)" : lines();
        }
    }

    /** A summary that was there before is followed by what is different. */
    private String lines() {
        Map<String, FabricInfoImpl> firsts = new HashMap<>();
        StringJoiner lines = new StringJoiner("\n");
        for (FabricInfoImpl info : infos) {
            String summary = info.summary();
            FabricInfoImpl first = firsts.putIfAbsent(summary, info);
            String more = first == null ? "" : Differences.between(first.toString(), info.toString());
            lines.add(first == null ? summary : summary + (more.isEmpty() ? ", the same again" : ", " + more));
        }
        return lines.toString();
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

    @Override
    public void close() {
        owner.free();
    }
}
