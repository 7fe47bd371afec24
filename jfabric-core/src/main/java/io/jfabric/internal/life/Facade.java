// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** An object of the contract that shows a part of another one, whose {@code fid} it shares. */
public interface Facade {
    /** The object that has the {@code fid}. */
    FidObject behind();

    /** What is behind an object of the contract; null for none. */
    static FidObject unwrap(Object object) {
        if (object instanceof Facade facade) {
            return facade.behind();
        }
        if (object == null || object instanceof FidObject) {
            return (FidObject) object;
        }
        throw new IllegalArgumentException(object.getClass().getName() + " is not an object that jfabric has opened");
    }
}
