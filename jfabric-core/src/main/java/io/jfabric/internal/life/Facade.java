// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** An object of the contract that shows a part of another one, whose {@code fid} it shares. */
public interface Facade {
    /** The object that has the {@code fid}. */
    FidObject behind();

    /** What is behind an object of the contract; null for none. */
    static FidObject unwrap(Object object) {
        return object instanceof Facade facade ? facade.behind() : (FidObject) object;
    }
}
