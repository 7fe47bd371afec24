// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

/** An object of the library that the fuzzer holds; {@code scene} tells what it belongs with. */
final class Entry {
    final Object object;
    final int id;
    final int scene;
    /** Part of what a scene was set up with: it is to live for a while. */
    final boolean pillar;
    volatile boolean closed;

    Entry(Object object, int id, int scene, boolean pillar) {
        this.object = object;
        this.id = id;
        this.scene = scene;
        this.pillar = pillar;
    }

    @Override
    public String toString() {
        return object.getClass().getSimpleName() + '#' + id + (closed ? "!" : "") + '@' + scene;
    }
}
