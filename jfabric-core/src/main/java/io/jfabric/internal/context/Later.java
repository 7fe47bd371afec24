// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** What an operation of an endpoint keeps that starts later. */
public interface Later extends Holder {
    /** What the provider knows it by. */
    MemorySegment struct();

    /** {@link Contexts#ended} of its endpoint; null for work on a counter. */
    AtomicBoolean ended();
}
