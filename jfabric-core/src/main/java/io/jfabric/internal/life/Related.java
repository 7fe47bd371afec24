// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** Whether two objects may be used together: of one fabric, and of one domain where both are in one. */
final class Related {
    private Related() {
    }

    /** Throws if they must not: providers follow objects into other domains and do not keep them open. */
    static void check(String operation, FidObject one, FidObject other) {
        if (one.root() != other.root()) {
            throw new IllegalArgumentException(operation + ": the " + other.kind() + " belongs to another fabric than "
                    + "the " + one.kind());
        }
        FidObject branch = one.branch();
        FidObject others = other.branch();
        if (branch != others && branch.isDomain() && others.isDomain()) {
            throw new IllegalArgumentException(operation + ": the " + other.kind() + " belongs to another domain than "
                    + "the " + one.kind());
        }
    }
}
