// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.Domain;
import io.jfabric.bindings.fi_cntr_attr;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A counter that the provider must not close as long as it is referred to, nor what it needs. */
public class LateCounter extends FidObject implements Neighbours {
    /** Whether it is referred to. */
    public volatile boolean referred = true;
    final AtomicInteger closed = new AtomicInteger();

    LateCounter(FidObject parent, long fid) {
        super(parent, fid);
    }

    /** Makes one out of a handle. */
    interface Maker<T> {
        T make(FidObject parent, long fid);
    }

    /** Opens one. */
    public static LateCounter open(Domain domain) {
        return open(domain, LateCounter::new);
    }

    static <T extends LateCounter> T open(Domain domain, Maker<T> maker) {
        DomainState state = ((DomainImpl) domain).state();
        try (Arena arena = Arena.ofConfined()) {
            long attr = Structs.allocate(arena, fi_cntr_attr.layout()).address();
            return state.open("fi_cntr_open", (d, result) -> DomainOps.cntrOpen(d, attr, result, 0),
                    fid -> maker.make(state.object(), fid));
        }
    }

    @Override
    protected Neighbours neighbours() {
        return this;
    }

    @Override
    public void closed() {
        closed.incrementAndGet();
    }

    @Override
    public boolean isReferred() {
        return referred;
    }

    @Override
    public boolean mustStay() {
        return false;
    }

    @Override
    public List<AddressSpace> memory() {
        return List.of();
    }

    @Override
    public String kind() {
        return "counter";
    }
}
