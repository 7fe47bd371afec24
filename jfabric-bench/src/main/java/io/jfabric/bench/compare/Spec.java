// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import io.jfabric.bench.vsc.Setting;

/**
 * What both programs are asked to do.
 *
 * @param kind the programs' first argument: in-process, scale or client
 * @param provider as in the table
 * @param text the case, as on their command line
 * @param turns how often they take turns
 * @param pairs how many pairs of processes do it
 * @param setting how they open what they use
 * @param barrier whether Java gets UseSystemMemoryBarrier
 */
record Spec(String kind, String provider, String text, int turns, int pairs, Setting setting, boolean barrier) {
    String name() {
        return text.substring(0, text.indexOf(':'));
    }

    int bytes() {
        return Integer.parseInt(text.split(":")[1]);
    }

    /** C without a second thread: where a lock prefix may show. */
    boolean hasSingle() {
        return kind.equals("in-process") || kind.equals("client") && bytes() <= 8
                && (name().equals("latency") || name().equals("message-rate"));
    }

    @Override
    public String toString() {
        return text + " on " + provider + ", " + setting + (barrier ? "" : ", without the flag");
    }
}
