// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

/**
 * What copies of jfabric in one process, each of a class loader of its own, have to know of one another. The provider
 * takes the endpoints of all of them for neighbours, and uses their memory directly, but a copy learns only of its own
 * when they close. So endpoints of two copies must not know each other.
 *
 * <p>Classes of one copy mean nothing to another, and objects would keep it loaded. So all that they share is text, in
 * system properties. Any thread.
 */
final class OtherCopies {
    private static final String OPEN = "jfabric.shm.open.";
    private static final String EXPECTED = "jfabric.shm.expected.";
    private static final String OWN = '<' + Integer.toHexString(System.identityHashCode(OtherCopies.class)) + '>';

    private OtherCopies() {
    }

    /** An endpoint of this copy has that name, until {@link #closed}. */
    static void open(String name) {
        System.setProperty(OPEN + name, OWN);
    }

    /** The provider has closed it. */
    static void closed(String name) {
        System.getProperties().remove(OPEN + name, OWN);
    }

    /** Whether an endpoint of another copy has that name. */
    static boolean have(String name) {
        String whose = System.getProperty(OPEN + name, OWN);
        // properties may be older than what they say, where a program restores all of them
        return !whose.equals(OWN) && !ShmLayout.isOfOther(name);
    }

    /** A vector of this copy has a name that nobody has yet. To be undone by {@link #forget}. */
    static void expect(String name) {
        System.getProperties().merge(EXPECTED + name, OWN, (all, own) -> all.toString() + own);
    }

    /** The vector is closed. */
    static void forget(String name) {
        System.getProperties().computeIfPresent(EXPECTED + name, (key, all) -> {
            String rest = all.toString().replaceFirst(OWN, "");
            return rest.isEmpty() ? null : rest;
        });
    }

    /** Whether a vector of another copy has that name as one that nobody has yet. */
    static boolean areExpecting(String name) {
        return !System.getProperty(EXPECTED + name, "").replace(OWN, "").isEmpty();
    }
}
