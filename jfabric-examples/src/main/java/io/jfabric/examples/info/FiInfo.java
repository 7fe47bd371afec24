// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.info;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.Version;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * libfabric's {@code fi_info} in Java: the same options, the same text, the same exit status. Look here for how hints
 * are filled in ({@link #option}) and how what was found is read ({@link Report}).
 */
public final class FiInfo {
    private static final char VERSION = 0;
    private static final int EXIT_FAILURE = 1;
    private static final int EINVAL = 22;
    private static final int ENODATA = 61;
    private static final List<GetOpt.Option> OPTIONS = List.of(
            new GetOpt.Option('h', "help", false), new GetOpt.Option('s', "src_addr", true),
            new GetOpt.Option('n', "node", true), new GetOpt.Option('P', "port", true),
            new GetOpt.Option('c', "caps", true), new GetOpt.Option('m', "mode", true),
            new GetOpt.Option('t', "ep_type", true), new GetOpt.Option('d', "domain", true),
            new GetOpt.Option('f', "fabric", true), new GetOpt.Option('a', "addr_format", true),
            new GetOpt.Option('p', "provider", true), new GetOpt.Option('e', "env", false),
            new GetOpt.Option('g', "getenv", true), new GetOpt.Option('i', "info", true),
            new GetOpt.Option('l', "list", false), new GetOpt.Option('v', "verbose", false),
            new GetOpt.Option(VERSION, "version", false));
    private static final String HELP = """
              -h, --help\t\t\tdisplay this help and exit
              -s, --src_addr=ADDR\t\tsource name or address
              -n, --node=NAME\t\tdest node name or address
              -P, --port=PNUM\t\tport number
              -c, --caps=CAP1|CAP2..\tone or more capabilities: FI_MSG|FI_RMA...
              -m, --mode=MOD1|MOD2..\tone or more modes, default all modes
              -t, --ep_type=EPTYPE\t\tspecify single endpoint type: FI_EP_MSG, FI_EP_DGRAM...
              -d, --domain=DOMAIN\t\tspecify the domain name
              -f, --fabric=FABRIC\t\tspecify the fabric name
              -a, --addr_format=FMT\t\tspecify accepted address format: FI_FORMAT_UNSPEC, FI_SOCKADDR...
              -p, --provider=PROV\t\tspecify provider explicitly
              -e, --env\t\t\tprint libfabric environment variables
              -g, --getenv=SUBSTR\t\tprint libfabric environment variables with substr
              -i, --info=\t\tprint fi_info structures containing substr
              -l, --list\t\t\tlist available libfabric providers
              -v, --verbose\t\t\tverbose output
              --version\t\t\tprint version info and exit
            """;

    private final String program;
    private final PrintStream out;
    private final PrintStream err;
    private final Set<GetInfoFlag> flags = EnumSet.noneOf(GetInfoFlag.class);
    private boolean useHints;
    private String node;
    private String port;
    private String word;
    private boolean parameters;
    private boolean verbose;
    private boolean list;

    FiInfo(String program, PrintStream out, PrintStream err) {
        this.program = program;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the tool and ends the JVM with its exit status.
     *
     * @param args the options of {@code fi_info}
     */
    public static void main(String[] args) {
        // System.out would flush at each line
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false,
                StandardCharsets.UTF_8);
        int status = new FiInfo(System.getProperty("jfabric.program", "fi_info"), out, System.err).run(args);
        out.flush();
        System.exit(status);
    }

    /** Runs the tool and returns its exit status. */
    int run(String... args) {
        if (!Fabric.isAvailable()) {
            err.print(program + ": " + Fabric.unavailabilityCause().orElseThrow().getMessage() + "\n");
            return EXIT_FAILURE;
        }
        try (Hints hints = Hints.empty().mode(Flags.ofBits(Mode.class, -1L))) {
            hints.domain().mode(Flags.ofBits(Mode.class, -1L))
                    .mrMode(Flags.ofBits(MrMode.class, -1L).without(MrMode.BASIC).without(MrMode.SCALABLE));
            GetOpt options = new GetOpt(program, OPTIONS, args, err);
            for (int letter = options.next(); letter != GetOpt.END; letter = options.next()) {
                switch (letter) {
                    case VERSION -> {
                        return version();
                    }
                    case 'h', GetOpt.ERROR -> {
                        return help();
                    }
                    default -> {
                        if (!option((char) letter, options.value(), hints)) {
                            return EINVAL;
                        }
                    }
                }
            }
            return report(hints);
        }
    }

    /** Takes one option; false, after a message, if its value is none. */
    private boolean option(char letter, String value, Hints hints) {
        useHints |= "cmtapdf".indexOf(letter) >= 0;
        switch (letter) {
            case 's' -> {
                node = value;
                flags.add(GetInfoFlag.SOURCE);
            }
            case 'n' -> node = value;
            case 'P' -> port = value;
            case 'c' -> {
                OptionalLong caps = Words.CAPABILITIES.several(value, err);
                // a second -c adds to the first
                caps.ifPresent(bits -> hints.capabilities(
                        Flags.ofBits(Capability.class, hints.capabilities().bits() | bits)));
                return caps.isPresent();
            }
            case 'm' -> {
                OptionalLong mode = Words.MODES.several(value, err);
                mode.ifPresent(bits -> hints.mode(Flags.ofBits(Mode.class, bits)));
                return mode.isPresent();
            }
            case 't' -> {
                OptionalLong type = Words.ENDPOINT_TYPES.one(value, err);
                type.ifPresent(code -> hints.endpoint().typeCode((int) code));
                return type.isPresent();
            }
            case 'a' -> {
                OptionalLong format = Words.ADDRESS_FORMATS.one(value, err);
                format.ifPresent(code -> hints.addressFormatCode((int) code));
                return format.isPresent();
            }
            case 'p' -> hints.provider(value);
            case 'd' -> hints.domain().name(value);
            case 'f' -> hints.fabric().name(value);
            case 'e' -> parameters = true;
            case 'g' -> {
                word = value;
                parameters = true;
            }
            case 'i' -> {
                word = value;
                verbose = true;
            }
            case 'v' -> verbose = true;
            case 'l' -> {
                list = true;
                flags.add(GetInfoFlag.PROV_ATTR_ONLY);
            }
            default -> throw new AssertionError(letter);
        }
        return true;
    }

    private int report(Hints hints) {
        Optional<FabricInfoList> found;
        try {
            found = found(hints);
        } catch (FabricException e) {
            return failed(e.errno());
        }
        if (found.isEmpty()) {
            return failed(ENODATA);
        }
        try (FabricInfoList infos = found.get()) {
            Report report = new Report(out);
            if (parameters) {
                report.parameters(word);
            } else if (verbose) {
                report.longInfo(infos, word);
            } else if (list) {
                report.providers(infos);
            } else {
                report.shortInfo(infos);
            }
        }
        return 0;
    }

    private Optional<FabricInfoList> found(Hints hints) {
        try {
            return Fabric.findInfo(node, port, flags, useHints ? hints : null);
        } catch (IllegalArgumentException noPort) {
            // C's has 16 bits of any number
            int bits = new BigInteger(port.strip()).intValue() & 0xFFFF;
            return Fabric.findInfo(node, Integer.toString(bits), flags, useHints ? hints : null);
        }
    }

    private int failed(int errno) {
        // fi_info prints the text since 1.19
        boolean withText = Fabric.version().atLeast(new Version(1, 19));
        err.print("fi_getinfo: -" + errno + (withText ? " (" + FabricError.textOf(errno) + ")" : "") + "\n");
        return errno;
    }

    private int version() {
        String release = Fabric.versionText();
        out.print(program + ": " + release + "\nlibfabric: " + release
                + "\nlibfabric api: " + Fabric.version() + "\n");
        return 0;
    }

    private int help() {
        out.print("Usage: " + program + "\n" + HELP);
        return EXIT_FAILURE;
    }
}
