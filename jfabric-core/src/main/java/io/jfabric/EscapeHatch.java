// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.internal.life.EscapeHatchImpl;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one object that go to the provider as they are, for what jfabric has no method for. From
 * {@link FabricObject#escapeHatch()}. What a command, a variable or a table of functions means is the provider's
 * business, and jfabric cannot check it: a wrong one can crash the process. Everything else in jfabric is safe.
 *
 * <p>Any thread may call, and the object stays open meanwhile. Calls of several threads reach the provider at the same
 * time: whether it can take that is its business, too.
 *
 * <p>Errors: {@link FabricException} from the provider, {@code FI_ENOSYS} where it has no such thing;
 * {@link NullPointerException} and {@link IllegalArgumentException} for memory that is missing where it is needed, on
 * the heap, or read-only where the provider writes; {@link IllegalStateException} once the object or the memory's arena
 * is closed.
 */
public sealed interface EscapeHatch permits EscapeHatchImpl {
    /**
     * Any command of {@code fi_control} (fi_control(3)), for those jfabric has no method for. What a command does with
     * the argument is the provider's business: a wrong one can crash the process.
     *
     * @param command the number of the command
     * @param argument native memory that the command reads or writes; null where it takes none
     * @return what the provider answered, at least 0
     */
    int control(int command, @Nullable MemorySegment argument);

    /**
     * The flags of the object itself ({@code FI_GETFIDFLAG}), which libfabric names but gives no meaning to: no
     * provider has them yet.
     *
     * @return bits
     * @throws FabricException where the provider has none, mostly {@code FI_ENOSYS}
     */
    long fidFlags();

    /**
     * Sets the flags of the object itself ({@code FI_SETFIDFLAG}); see {@link #fidFlags}.
     *
     * @param flags bits
     * @throws FabricException where the provider has none, mostly {@code FI_ENOSYS}
     */
    void setFidFlags(long flags);

    /**
     * Reads a variable of the provider ({@code fi_get_val}).
     *
     * @param name its number
     * @param value native memory, as long as the provider writes
     */
    void getValue(int name, MemorySegment value);

    /**
     * Sets a variable of the provider ({@code fi_set_val}).
     *
     * @param name its number
     * @param value native memory, as long as the provider reads
     */
    void setValue(int name, MemorySegment value);

    /**
     * The functions that a provider has beyond libfabric's own ({@code fi_open_ops}), such as efa's and cxi's: an
     * escape hatch. They are called through {@link java.lang.foreign.Linker} by the layout in the provider's header.
     *
     * @param name what the provider calls them, such as {@code efa domain ops}
     * @param flags as the provider documents them
     * @return the address of the table of function pointers, valid while this object is open
     */
    long openOps(String name, long flags);

    /**
     * Replaces functions of the provider ({@code fi_set_ops}): an escape hatch, as {@link #openOps}.
     *
     * @param name what the provider calls them
     * @param flags as the provider documents them
     * @param ops a table of function pointers; it and its upcall stubs must outlive this object
     * @throws FabricException where the provider lets nothing be replaced, mostly {@code FI_ENOSYS}
     * @throws IllegalArgumentException if the table is on the heap
     */
    void setOps(String name, long flags, MemorySegment ops);
}
