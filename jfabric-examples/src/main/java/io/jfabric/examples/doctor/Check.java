// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

/**
 * Something that was looked at.
 *
 * @param name a word, the same in every release
 * @param state how it is
 * @param found what was found
 * @param remedy what to do about it; empty where nothing
 */
record Check(String name, State state, String found, String remedy) {
    /** How something is: the same words for people and machines. */
    enum State {
        /** As it should be. */
        OK,
        /** Works, but slower, or not for every program. */
        WARNING,
        /** Will not work. */
        WRONG
    }

    static Check ok(String name, String found) {
        return new Check(name, State.OK, found, "");
    }

    static Check warning(String name, String found, String remedy) {
        return new Check(name, State.WARNING, found, remedy);
    }

    static Check wrong(String name, String found, String remedy) {
        return new Check(name, State.WRONG, found, remedy);
    }
}
