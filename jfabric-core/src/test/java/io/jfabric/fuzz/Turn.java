// SPDX-License-Identifier: Apache-2.0
package io.jfabric.fuzz;

/** What a thread is at: its random numbers, the scene that it prefers, how deep it is in calls that call. */
final class Turn {
    final int thread;
    final Dice dice = new Dice();
    int scene;
    int depth;
    long calls;

    Turn(int thread) {
        this.thread = thread;
    }
}
