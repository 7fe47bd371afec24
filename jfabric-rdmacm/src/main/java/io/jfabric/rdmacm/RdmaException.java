// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.FabricError;

/**
 * A call of librdmacm's that failed. The message names the call with its arguments, the error by name, number and the
 * system's own text, and what to do about it.
 */
public final class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String NO_DEVICE = "no RDMA device: 'rdma link' lists them; without hardware 'rdma link add"
            + " rxe0 type rxe netdev INTERFACE' makes one where the kernel has Soft-RoCE";
    private static final String NO_ACCESS = "/dev/infiniband/rdma_cm must be there ('modprobe rdma_ucm'), open to this"
            + " user, and passed into containers";

    private final String operation;
    private final ResolutionError error;
    private final int code;
    private final int errno;

    private RdmaException(String operation, ResolutionError error, int code, int errno, String message) {
        super(message);
        this.operation = operation;
        this.error = error;
        this.code = code;
        this.errno = errno;
    }

    /** What {@code rdma_getaddrinfo} returned. It returns -1 for errno; EAI_BADFLAGS is -1 too, but never happens. */
    static RdmaException of(String operation, String arguments, int result, int errno) {
        ResolutionError error = result == -1 ? ResolutionError.SYSTEM : ResolutionError.ofCode(result);
        String what;
        String remedy = error.remedy();
        int number = 0;
        if (error == ResolutionError.SYSTEM) {
            number = errno;
            what = FabricError.ofCode(errno).nativeName().replaceFirst("^FI_", "") + " (" + errno + "): "
                    + RdmaLibrary.errorText(errno);
            remedy = remedy(FabricError.ofCode(errno));
        } else {
            what = error.nativeName() + " (" + result + "): " + RdmaLibrary.resolutionText(result);
        }
        return new RdmaException(operation, error, result, number,
                operation + '(' + arguments + "): " + what + (remedy.isEmpty() ? "" : "; " + remedy));
    }

    private static String remedy(FabricError errno) {
        return switch (errno) {
            case ENODEV -> NO_DEVICE;
            case EPERM, EACCES, ENOENT -> NO_ACCESS;
            case EINVAL -> "give a node, a service or hints with an address";
            case EOPNOTSUPP -> "with RAI_SA give a service alone: no node, no RAI_DNS";
            default -> "";
        };
    }

    /**
     * The C function that failed.
     *
     * @return such as {@code rdma_getaddrinfo}
     */
    public String operation() {
        return operation;
    }

    /**
     * The error.
     *
     * @return the constant
     */
    public ResolutionError error() {
        return error;
    }

    /**
     * What C returned.
     *
     * @return an {@code EAI_} code, or -1 where errno says more
     */
    public int code() {
        return code;
    }

    /**
     * The system's error number.
     *
     * @return errno if {@link #error()} is {@link ResolutionError#SYSTEM}, else 0
     */
    public int errno() {
        return errno;
    }
}
