// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The command line: {@code fi_pingpong}'s options, those that libfabric 2 added included. */
final class Options {
    private static final int ALL_SIZES = -1;
    private static final int DEFAULT_SIZES = -2;

    @Option(names = "-B", paramLabel = "<src_port>", converter = Port.class,
            description = "local port of the control connection (server: 47592, client: any)")
    int sourcePort;

    @Option(names = "-P", paramLabel = "<dst_port>", converter = Port.class,
            description = "server's port of the control connection (47592)")
    int destinationPort = Control.DEFAULT_PORT;

    @Option(names = "-d", paramLabel = "<domain>", description = "name of the domain")
    String domain;

    @Option(names = "-f", paramLabel = "<fabric>", description = "name of the fabric")
    String fabric;

    @Option(names = "-s", paramLabel = "<source address>", description = "local address, which picks the domain")
    String sourceAddress;

    @Option(names = "-p", paramLabel = "<provider>", description = "name of the provider, such as tcp or shm")
    String provider;

    @Option(names = "-e", paramLabel = "<ep_type>", converter = Type.class,
            description = "endpoint type: msg, rdm or dgram (dgram)")
    EndpointType type = EndpointType.DGRAM;

    @Option(names = "-I", paramLabel = "<number>", converter = Natural.class,
            description = "number of iterations (${DEFAULT-VALUE})")
    int iterations = 10;

    @Option(names = "-S", paramLabel = "<size>", converter = Size.class,
            description = "bytes per message, or 'all'; 64 bytes to 1 MiB if not given")
    private int size = DEFAULT_SIZES;

    @Option(names = "-c", description = "check the data of each message")
    boolean check;

    @Option(names = "-m", paramLabel = "<transmit mode>", converter = Kind.class,
            description = "kind of message: msg or tagged (msg)")
    private Capability kind = Capability.MSG;

    @Option(names = "-h", usageHelp = true, description = "print this help")
    boolean help;

    @Option(names = "-v", description = "tell what happens, on stderr")
    boolean verbose;

    @Option(names = "-6", description = "control connection over IPv6")
    boolean ipv6;

    @Parameters(arity = "0..1", paramLabel = "<srv_addr>",
            description = "host of the server; without it, this is the server")
    String server;

    /** What is asked of a provider. To be closed. */
    Hints hints() throws UnknownHostException {
        Hints hints = Hints.empty().endpointType(type).provider(provider)
                .capabilities(kind)
                .mode(Mode.CONTEXT, Mode.CONTEXT2, Mode.MSG_PREFIX);
        hints.domain().name(domain)
                .mrMode(MrMode.LOCAL, MrMode.ALLOCATED, MrMode.PROV_KEY, MrMode.VIRT_ADDR);
        hints.fabric().name(fabric);
        if (type == EndpointType.DGRAM && size >= 0) {
            hints.endpoint().maxMessageSize(size);
        }
        if (sourceAddress != null) {
            hints.sourceAddress(Address.of(new InetSocketAddress(InetAddress.getByName(sourceAddress), 0)));
        }
        return hints;
    }

    /** Bytes of the largest message to be sent, if the endpoint can. */
    long largest() {
        return size >= 0 ? size : Sizes.LARGEST;
    }

    /**
     * The sizes to be tried.
     *
     * @param largest bytes of the largest message the endpoint can send
     */
    IntStream sizes(long largest) {
        return switch (size) {
            case ALL_SIZES -> Sizes.all(largest);
            case DEFAULT_SIZES -> Sizes.defaults(largest);
            default -> Sizes.only(size, largest);
        };
    }

    private static int number(String value, int max) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // answered below
        }
        throw new TypeConversionException("'" + value + "' is not a number from 0 to " + max);
    }

    private static TypeConversionException notOneOf(String choices, String value) {
        return new TypeConversionException("'" + value + "' is not one of " + choices);
    }

    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 0xffff);
        }
    }

    static final class Natural implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, Integer.MAX_VALUE);
        }
    }

    static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return value.equalsIgnoreCase("all") ? ALL_SIZES : number(value, 1 << 30);
        }
    }

    static final class Type implements ITypeConverter<EndpointType> {
        @Override
        public EndpointType convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "msg" -> EndpointType.MSG;
                case "rdm" -> EndpointType.RDM;
                case "dgram" -> EndpointType.DGRAM;
                default -> throw notOneOf("msg, rdm, dgram", value);
            };
        }
    }

    static final class Kind implements ITypeConverter<Capability> {
        @Override
        public Capability convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "msg" -> Capability.MSG;
                case "tagged" -> Capability.TAGGED;
                default -> throw notOneOf("msg, tagged", value);
            };
        }
    }
}
