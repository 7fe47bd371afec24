// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.info;

import io.jfabric.FabricException;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Flags;
import io.jfabric.info.Version;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.library.NativeLibrary;

/** What the loaded libfabric is too old for. */
public final class Known {
    /** An enum makes a new array each time that it is asked. */
    private static final ClassValue<FabricConstant[]> CONSTANTS = new ClassValue<>() {
        @Override
        protected FabricConstant[] computeValue(Class<?> type) {
            return (FabricConstant[]) type.getEnumConstants();
        }
    };

    private Known() {
    }

    /** The release of the loaded library. */
    public static Version library() {
        return Version.ofCode(NativeLibrary.version());
    }

    /** Whether the loaded library is of this release or newer. */
    public static boolean since(Version version) {
        return NativeLibrary.knows(version.code());
    }

    /** Says that this release is needed, and which one is loaded. */
    public static String needs(Version version) {
        return "needs libfabric " + version + " or newer, the loaded one is " + library();
    }

    /** Throws unless the library is of that release, for what is to be set or asked for by this name. */
    public static void require(String operation, String name, Version version) {
        if (!since(version)) {
            throw FabricException.of(operation, Errno.ENOSYS, name + " " + needs(version));
        }
    }

    /**
     * Refuses constants that the loaded libfabric would take for something else: older releases used some of the bits
     * differently. Unknown bits pass.
     */
    public static <E extends Enum<E> & FabricConstant> Flags<E> require(Flags<E> flags, String attribute) {
        for (FabricConstant flag : CONSTANTS.get(Arguments.given(flags, attribute, "the set of flags").type())) {
            if ((flags.bits() & flag.code()) == flag.code() && flag.code() != 0 && !since(flag.since())) {
                require("set " + attribute, flag.nativeName(), flag.since());
            }
        }
        return flags;
    }
}
