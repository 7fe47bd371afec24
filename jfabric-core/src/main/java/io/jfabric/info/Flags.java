// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.library.NativeLibrary;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A flags word of libfabric's: the constants jfabric knows, and every other bit as it came.
 *
 * <p>Immutable and thread-safe. A bit that a newer libfabric or a provider set survives a round trip; see
 * {@link #unknown()}.
 *
 * @param <E> the constants
 */
public final class Flags<E extends Enum<E> & FabricConstant> {
    private final Class<E> type;
    private final long bits;

    private Flags(Class<E> type, long bits) {
        this.type = type;
        this.bits = bits;
    }

    /**
     * Wraps a word as it came from libfabric.
     *
     * @param type the constants
     * @param bits any value
     * @param <E> the constants
     * @return the flags
     */
    public static <E extends Enum<E> & FabricConstant> Flags<E> ofBits(Class<E> type, long bits) {
        return new Flags<>(Arguments.given(type, "Flags.ofBits", "the type"), bits);
    }

    /**
     * Combines constants.
     *
     * @param first one constant
     * @param others more
     * @param <E> the constants
     * @return the flags
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <E extends Enum<E> & FabricConstant> Flags<E> of(E first, E... others) {
        long bits = Arguments.given(first, "Flags.of", "the first constant").code();
        Arguments.given(others, "Flags.of", "the array of constants");
        for (E other : others) {
            bits |= Arguments.given(other, "Flags.of", "a constant").code();
        }
        return new Flags<>(first.getDeclaringClass(), bits);
    }

    /**
     * Combines the constants of a collection.
     *
     * @param type the constants
     * @param constants none, one or several
     * @param <E> the constants
     * @return the flags
     */
    public static <E extends Enum<E> & FabricConstant> Flags<E> of(Class<E> type, Collection<E> constants) {
        Arguments.given(type, "Flags.of", "the type");
        Arguments.given(constants, "Flags.of", "the collection");
        return new Flags<>(type, constants.stream().map(c -> Arguments.given(c, "Flags.of", "a constant"))
                .mapToLong(FabricConstant::code).reduce(0, (a, b) -> a | b));
    }

    /**
     * The word C code uses.
     *
     * @return all bits, known or not
     */
    public long bits() {
        return bits;
    }

    /**
     * Tests for a constant. A constant that the loaded libfabric is too old for is never contained: older releases
     * used some of the bits for something else.
     *
     * @param flag the constant
     * @return true if all its bits are set
     */
    public boolean contains(E flag) {
        return (bits & flag.code()) == flag.code() && flag.code() != 0 && NativeLibrary.knows(flag.since().code());
    }

    /**
     * The constants that are set.
     *
     * @return a new modifiable set
     */
    public Set<E> toSet() {
        Set<E> set = EnumSet.noneOf(type);
        for (E flag : type.getEnumConstants()) {
            if (contains(flag)) {
                set.add(flag);
            }
        }
        return set;
    }

    /**
     * The bits that belong to no constant jfabric knows in the loaded release.
     *
     * @return the rest of the word
     */
    public long unknown() {
        return bits & ~of(type, toSet()).bits();
    }

    /**
     * What the constants are of.
     *
     * @return the enum
     */
    public Class<E> type() {
        return type;
    }

    /**
     * Adds a constant.
     *
     * @param flag the constant
     * @return new flags
     */
    public Flags<E> with(E flag) {
        return new Flags<>(type, bits | flag.code());
    }

    /**
     * Removes a constant.
     *
     * @param flag the constant
     * @return new flags
     */
    public Flags<E> without(E flag) {
        return new Flags<>(type, bits & ~flag.code());
    }

    /**
     * Tests for no bits at all.
     *
     * @return true for 0
     */
    public boolean isEmpty() {
        return bits == 0;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Flags<?> f && f.type == type && f.bits == bits;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(bits);
    }

    /** The constants by their C names, unknown bits in hexadecimal: {@code [FI_MSG, FI_RMA, 0x100]}. */
    @Override
    public String toString() {
        long rest = unknown();
        Stream<String> names = toSet().stream().map(FabricConstant::nativeName);
        return Stream.concat(names, rest == 0 ? Stream.empty() : Stream.of("0x" + Long.toHexString(rest)))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
