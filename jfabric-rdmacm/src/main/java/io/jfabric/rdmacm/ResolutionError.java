// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.RdmaCm;

/** Why {@code rdma_getaddrinfo} failed: the codes of {@code getaddrinfo(3)}, and errno. */
public enum ResolutionError {
    /** The node has no address in this family. */
    ADDRESS_FAMILY("EAI_ADDRFAMILY", RdmaCm.EAI_ADDRFAMILY(), "ask for another family, or for none"),
    /** The name server does not answer at the moment. */
    AGAIN("EAI_AGAIN", RdmaCm.EAI_AGAIN(), "the name server did not answer: try again, or see /etc/resolv.conf"),
    /** The name server says that it cannot answer. */
    FAIL("EAI_FAIL", RdmaCm.EAI_FAIL(), "the name server refused: see /etc/resolv.conf"),
    /** The family is not supported. */
    FAMILY("EAI_FAMILY", RdmaCm.EAI_FAMILY(), "families are AF_INET, AF_INET6 and AF_IB"),
    /** No memory. */
    MEMORY("EAI_MEMORY", RdmaCm.EAI_MEMORY(), "the process is out of memory"),
    /** The node exists and has no address. */
    NO_DATA("EAI_NODATA", RdmaCm.EAI_NODATA(), "the name has no address: see 'getent ahosts NAME'"),
    /** Node or service is not known. */
    NO_NAME("EAI_NONAME", RdmaCm.EAI_NONAME(), "'getent ahosts NAME' must find the node; with RAI_NUMERICHOST it must"
            + " be a numeric address; services of other transports need another QP type"),
    /** The service is not known for this type of queue pair. */
    SERVICE("EAI_SERVICE", RdmaCm.EAI_SERVICE(), "give a port number, or a name that /etc/services has for this QP type"
            + " (tcp for RC, UC and XRC, udp for UD)"),
    /** Type of queue pair and port space contradict each other. */
    QP_TYPE("EAI_SOCKTYPE", RdmaCm.EAI_SOCKTYPE(), "RC, UC and XRC go with RDMA_PS_TCP, UD with RDMA_PS_UDP, all with"
            + " RDMA_PS_IB"),
    /** The answer was too long. */
    OVERFLOW("EAI_OVERFLOW", RdmaCm.EAI_OVERFLOW(), "the node's name is too long"),
    /** The system says why: {@link RdmaException#errno()}. */
    SYSTEM("EAI_SYSTEM", RdmaCm.EAI_SYSTEM(), ""),
    /** A code that jfabric has no constant for: {@link RdmaException#code()}. */
    UNRECOGNIZED("an unknown error", Integer.MIN_VALUE, "");

    private final String nativeName;
    private final int code;
    private final String remedy;

    ResolutionError(String nativeName, int code, String remedy) {
        this.nativeName = nativeName;
        this.code = code;
        this.remedy = remedy;
    }

    /**
     * The name C code uses.
     *
     * @return such as {@code EAI_NONAME}
     */
    public String nativeName() {
        return nativeName;
    }

    int code() {
        return code;
    }

    String remedy() {
        return remedy;
    }

    static ResolutionError ofCode(int code) {
        for (ResolutionError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return UNRECOGNIZED;
    }
}
