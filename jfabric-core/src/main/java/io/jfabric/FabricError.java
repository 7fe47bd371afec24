// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;
import io.jfabric.internal.ffi.Newer;
import io.jfabric.internal.library.Exports;

/** The error numbers of libfabric (fi_errno(3)). */
public enum FabricError implements FabricConstant {
    /** Operation not permitted. */
    EPERM(Libfabric.FI_EPERM()),
    /** No such file or directory. */
    ENOENT(Libfabric.FI_ENOENT()),
    /** Interrupted system call. */
    EINTR(Libfabric.FI_EINTR()),
    /** I/O error. */
    EIO(Libfabric.FI_EIO()),
    /** Argument list too long. */
    E2BIG(Libfabric.FI_E2BIG()),
    /** Bad file number. */
    EBADF(Libfabric.FI_EBADF()),
    /** Try again. */
    EAGAIN(Libfabric.FI_EAGAIN()),
    /** Out of memory. */
    ENOMEM(Libfabric.FI_ENOMEM()),
    /** Permission denied. */
    EACCES(Libfabric.FI_EACCES()),
    /** Bad address. */
    EFAULT(Libfabric.FI_EFAULT()),
    /** Device or resource busy. */
    EBUSY(Libfabric.FI_EBUSY()),
    /** No such device. */
    ENODEV(Libfabric.FI_ENODEV()),
    /** Invalid argument. */
    EINVAL(Libfabric.FI_EINVAL()),
    /** Too many open files. */
    EMFILE(Libfabric.FI_EMFILE()),
    /** No space left on device. */
    ENOSPC(Libfabric.FI_ENOSPC()),
    /** Function not implemented. */
    ENOSYS(Libfabric.FI_ENOSYS()),
    /** No message of desired type. */
    ENOMSG(Libfabric.FI_ENOMSG()),
    /** No data available. */
    ENODATA(Libfabric.FI_ENODATA()),
    /** Protocol error. */
    EPROTO(Libfabric.FI_EPROTO()),
    /** Value too large for defined data type. */
    EOVERFLOW(Libfabric.FI_EOVERFLOW()),
    /** Message too long. */
    EMSGSIZE(Libfabric.FI_EMSGSIZE()),
    /** Protocol not available. */
    ENOPROTOOPT(Libfabric.FI_ENOPROTOOPT()),
    /** Operation not supported on transport endpoint. */
    EOPNOTSUPP(Libfabric.FI_EOPNOTSUPP()),
    /** Address already in use. */
    EADDRINUSE(Libfabric.FI_EADDRINUSE()),
    /** Cannot assign requested address. */
    EADDRNOTAVAIL(Libfabric.FI_EADDRNOTAVAIL()),
    /** Network is down. */
    ENETDOWN(Libfabric.FI_ENETDOWN()),
    /** Network is unreachable. */
    ENETUNREACH(Libfabric.FI_ENETUNREACH()),
    /** Software caused connection abort. */
    ECONNABORTED(Libfabric.FI_ECONNABORTED()),
    /** Connection reset by peer. */
    ECONNRESET(Libfabric.FI_ECONNRESET()),
    /** No buffer space available. */
    ENOBUFS(Libfabric.FI_ENOBUFS()),
    /** Transport endpoint is already connected. */
    EISCONN(Libfabric.FI_EISCONN()),
    /** Transport endpoint is not connected. */
    ENOTCONN(Libfabric.FI_ENOTCONN()),
    /** Cannot send after transport endpoint shutdown. */
    ESHUTDOWN(Libfabric.FI_ESHUTDOWN()),
    /** Connection timed out. */
    ETIMEDOUT(Libfabric.FI_ETIMEDOUT()),
    /** Connection refused. */
    ECONNREFUSED(Libfabric.FI_ECONNREFUSED()),
    /** Host is down. */
    EHOSTDOWN(Libfabric.FI_EHOSTDOWN()),
    /** No route to host. */
    EHOSTUNREACH(Libfabric.FI_EHOSTUNREACH()),
    /** Operation already in progress. */
    EALREADY(Libfabric.FI_EALREADY()),
    /** Operation now in progress. */
    EINPROGRESS(Libfabric.FI_EINPROGRESS()),
    /** Remote I/O error. */
    EREMOTEIO(Libfabric.FI_EREMOTEIO()),
    /** Operation Canceled. */
    ECANCELED(Libfabric.FI_ECANCELED()),
    /** Key was rejected by service. */
    EKEYREJECTED(Libfabric.FI_EKEYREJECTED()),
    /** Provided buffer is too small. */
    ETOOSMALL(Libfabric.FI_ETOOSMALL()),
    /** Operation not permitted in current state. */
    EOPBADSTATE(Libfabric.FI_EOPBADSTATE()),
    /** Error available. */
    EAVAIL(Libfabric.FI_EAVAIL()),
    /** Flags not supported. */
    EBADFLAGS(Libfabric.FI_EBADFLAGS()),
    /** Missing or unavailable event queue. */
    ENOEQ(Libfabric.FI_ENOEQ()),
    /** Invalid resource domain. */
    EDOMAIN(Libfabric.FI_EDOMAIN()),
    /** Missing or unavailable completion queue. */
    ENOCQ(Libfabric.FI_ENOCQ()),
    /** CRC error. */
    ECRC(Libfabric.FI_ECRC()),
    /** Truncation error. */
    ETRUNC(Libfabric.FI_ETRUNC()),
    /** Required key not available. */
    ENOKEY(Libfabric.FI_ENOKEY()),
    /** Missing or unavailable address vector. */
    ENOAV(Libfabric.FI_ENOAV()),
    /** Queue has been overrun. */
    EOVERRUN(Libfabric.FI_EOVERRUN()),
    /** Receiver not ready, no receive buffers available. */
    ENORX(Libfabric.FI_ENORX()),
    /** No more memory registrations available. */
    ENOMR(Libfabric.FI_ENOMR()),
    /** Unspecified error. */
    EOTHER(Libfabric.FI_EOTHER()),
    /** A firewall address is needed (since 2.2). */
    EFIREWALLADDR(Newer.EFIREWALLADDR),
    /** A number that jfabric has no constant for; {@link FabricException#errno()} has it. */
    UNRECOGNIZED(-1);

    private final int code;

    FabricError(int code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return this == UNRECOGNIZED ? name() : "FI_" + name();
    }

    /**
     * Libfabric's own text for an error number ({@code fi_strerror}).
     *
     * @param errno positive error number
     * @return such as {@code No data available}
     */
    public static String textOf(int errno) {
        return Exports.strerror(errno);
    }

    /**
     * Finds the constant of an error number.
     *
     * @param errno positive, as in {@code fi_cq_err_entry.err}
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static FabricError ofCode(int errno) {
        for (FabricError error : values()) {
            if (error.code == errno && error != UNRECOGNIZED) {
                return error;
            }
        }
        return UNRECOGNIZED;
    }
}
