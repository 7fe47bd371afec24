// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

/** An object of the contract that shows a part of another one, whose {@code fid} it shares. */
public interface Facade {
    /** The object that has the {@code fid}. */
    FidObject behind();
}
