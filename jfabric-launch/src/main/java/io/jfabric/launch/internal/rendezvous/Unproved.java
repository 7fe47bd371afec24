// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The connections that have not proved the secret, of which anybody can open any number: when there are too many, the
 * oldest is hung up on. A process of the job that this happens to comes again.
 */
final class Unproved {
    /** Beside the ranks, which may come all at once. */
    static final int MOST = 128;
    /** Once all ranks are there, and nobody is expected any more. */
    static final int MOST_WHEN_COMPLETE = 16;
    private final Registry registry;
    private final int size;
    /** The oldest first. */
    private final Set<Line> lines = new LinkedHashSet<>();

    Unproved(Registry registry, int size) {
        this.registry = registry;
        this.size = size;
    }

    void add(Line line) {
        int most = registry.complete() ? MOST_WHEN_COMPLETE : MOST + size;
        List<Line> tooMany = new ArrayList<>();
        synchronized (this) {
            lines.add(line);
            Iterator<Line> oldest = lines.iterator();
            while (lines.size() > most) {
                tooMany.add(oldest.next());
                oldest.remove();
            }
        }
        tooMany.forEach(Line::close);
    }

    /** False if it was hung up on before. */
    synchronized boolean remove(Line line) {
        return lines.remove(line);
    }

    synchronized void close() {
        lines.forEach(Line::close);
    }
}
