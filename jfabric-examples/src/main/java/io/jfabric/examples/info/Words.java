// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.info;

import io.jfabric.Fabric;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringTokenizer;

/** The words that the values of one option may be made of, such as {@code FI_MSG|FI_RMA}; letter case is ignored. */
final class Words {
    static final Words CAPABILITIES = new Words("capability",
            Capability.MSG, Capability.RMA, Capability.TAGGED, Capability.ATOMIC, Capability.MULTICAST,
            Capability.COLLECTIVE, Capability.READ, Capability.WRITE, Capability.RECV, Capability.SEND,
            Capability.REMOTE_READ, Capability.REMOTE_WRITE, Capability.MULTI_RECV, Capability.REMOTE_CQ_DATA,
            OperationFlag.MORE, OperationFlag.PEEK, Capability.TRIGGER, Capability.FENCE, Capability.SOURCE_ERR,
            Capability.LOCAL_COMM, Capability.REMOTE_COMM, Capability.SHARED_AV, Capability.RMA_EVENT,
            Capability.SOURCE, Capability.NAMED_RX_CTX, Capability.DIRECTED_RECV, Capability.HMEM);
    // fi_info forgot these with libfabric 1.21 and 2.0
    static final Words MODES = new Words("mode",
            Mode.CONTEXT, Mode.MSG_PREFIX, Mode.ASYNC_IOV, Mode.RX_CQ_DATA, Mode.CONTEXT2)
            .until(new Version(2, 0), Mode.LOCAL_MR.nativeName(), Mode.LOCAL_MR.code())
            .until(new Version(1, 21), "FI_NOTIFY_FLAGS_ONLY", 1L << 54)
            .until(new Version(1, 21), "FI_RESTRICTED_COMP", 1L << 53);
    static final Words ENDPOINT_TYPES = new Words("endpoint type",
            EndpointType.UNSPEC, EndpointType.MSG, EndpointType.DGRAM, EndpointType.RDM)
            .until(new Version(1, 21), "FI_EP_SOCK_STREAM", 4)
            .until(new Version(1, 21), "FI_EP_SOCK_DGRAM", 5);
    static final Words ADDRESS_FORMATS = new Words("address format",
            AddressFormat.UNSPEC, AddressFormat.SOCKADDR, AddressFormat.SOCKADDR_IN,
            AddressFormat.SOCKADDR_IN6, AddressFormat.SOCKADDR_IB, AddressFormat.ADDR_MLX, AddressFormat.ADDR_STR,
            AddressFormat.ADDR_PSMX2, AddressFormat.ADDR_EFA)
            .until(new Version(1, 19), AddressFormat.ADDR_PSMX.nativeName(), AddressFormat.ADDR_PSMX.code())
            .until(new Version(1, 21), AddressFormat.ADDR_GNI.nativeName(), AddressFormat.ADDR_GNI.code())
            .until(new Version(1, 21), AddressFormat.ADDR_BGQ.nativeName(), AddressFormat.ADDR_BGQ.code());

    private final String kind;
    private final List<Word> words = new ArrayList<>();

    private record Word(String name, long value) {
    }

    private Words(String kind, FabricConstant... constants) {
        this.kind = kind;
        for (FabricConstant constant : constants) {
            words.add(new Word(constant.nativeName(), constant.code()));
        }
    }

    /** Adds a word that {@code fi_info} of this and later releases does not take. */
    private Words until(Version release, String name, long value) {
        if (!Fabric.version().atLeast(release)) {
            words.add(new Word(name, value));
        }
        return this;
    }

    /** The value of one word; empty, after a message, if it is not one of these. */
    OptionalLong one(String text, PrintStream err) {
        for (Word word : words) {
            if (word.name().equalsIgnoreCase(text)) {
                return OptionalLong.of(word.value());
            }
        }
        err.print("error: Unrecognized " + kind + ": " + text + "\n");
        return OptionalLong.empty();
    }

    /** The values of words separated by {@code |}, or'ed; empty, after a message, if one is unknown. */
    OptionalLong several(String text, PrintStream err) {
        long values = 0;
        for (StringTokenizer tokens = new StringTokenizer(text, "|"); tokens.hasMoreTokens();) {
            OptionalLong value = one(tokens.nextToken(), err);
            if (value.isEmpty()) {
                return value;
            }
            values |= value.getAsLong();
        }
        return OptionalLong.of(values);
    }
}
