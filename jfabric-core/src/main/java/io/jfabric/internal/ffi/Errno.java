// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

/** The error numbers this layer itself compares with (Linux values, as {@code rdma/fi_errno.h} defines them). */
public final class Errno {
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int E2BIG = 7;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int EMFILE = 24;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int ENOSYS = 38;
    public static final int ENOMSG = 42;
    public static final int ENODATA = 61;
    public static final int EMSGSIZE = 90;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int EALREADY = 114;
    public static final int ECANCELED = 125;
    /** {@code FI_ETOOSMALL}: the buffer given is smaller than what there is to read. */
    public static final int ETOOSMALL = 257;
    /** {@code FI_EAVAIL}: an error entry waits in the queue. */
    public static final int EAVAIL = 259;
    /** {@code FI_EOPBADSTATE}: such as an endpoint that is not enabled. */
    public static final int EOPBADSTATE = 258;
    /** {@code FI_EBADFLAGS}. */
    public static final int EBADFLAGS = 260;
    /** {@code FI_ENOCQ}. */
    public static final int ENOCQ = 263;
    /** {@code FI_ETRUNC}: the message is longer than its receive. */
    public static final int ETRUNC = 265;

    private Errno() {
    }
}
