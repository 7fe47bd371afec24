// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** What an endpoint's operation that starts later keeps. */
public interface Later extends Holder {
    /** The struct by which the provider knows it. */
    MemorySegment struct();

    /** {@link Contexts#ended} of its endpoint; null for work on a counter. */
    AtomicBoolean ended();
}
