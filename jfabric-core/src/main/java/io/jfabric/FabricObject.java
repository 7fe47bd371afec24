// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

/**
 * An open object of libfabric's ({@code struct fid}).
 *
 * <p>Closing an object closes what was opened from it, in an order libfabric accepts. Closing again does nothing;
 * every other method then throws {@link IllegalStateException}. Opening and closing may happen in any thread.
 */
public interface FabricObject extends AutoCloseable {
    /**
     * Tells whether the object can be used.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Closes the object and everything opened from it ({@code fi_close}).
     *
     * @throws FabricException {@code FI_EBUSY} if something else still uses it; it then stays open and can be closed
     *     again later
     */
    @Override
    void close();

    /**
     * What libfabric can do with the object beyond jfabric's methods.
     *
     * @return the calls that jfabric does not check
     */
    EscapeHatch escapeHatch();
}
