// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.doctor;

import io.jfabric.Fabric;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.info.Provider;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Says whether jfabric will work here, what is in the way, and which provider would be chosen. Changes nothing, opens
 * no endpoint.
 */
@Command(name = "scripts/doctor", separator = " ", sortOptions = false,
        description = "%nSays whether jfabric will work here: libfabric, the machine, the JVM, and which provider "
            + "would be chosen for given hints.%n",
        footer = {"",
            "Exit status: 0 it will work (there may be warnings), 1 it will not, 2 the command line is wrong.",
            "With --strict a warning is a failure too. A job prolog needs no more than: scripts/doctor -p PROVIDER"})
public final class Doctor implements Callable<Integer> {
    private static final int WILL_NOT_WORK = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json",
            description = "one JSON object: library, version, providers, checks, hints, candidates, others")
    private boolean json;

    @Option(names = "--strict", description = "fail on warnings too")
    private boolean strict;

    @Option(names = {"-p", "--provider"}, paramLabel = "<name>", description = "hint: the provider, such as tcp or shm")
    private String provider;

    @Option(names = {"-t", "--type"}, paramLabel = "<type>", converter = Types.class,
            completionCandidates = Types.class,
            description = "hint: the type of endpoint: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private EndpointType type = EndpointType.RDM;

    @Option(names = {"-c", "--caps"}, paramLabel = "<capability>", split = ",",
            description = "hint: capabilities, such as TAGGED,RMA (by type: Hints.rdm(), msg(), dgram())")
    private Set<Capability> capabilities;

    @Option(names = {"-n", "--node"}, paramLabel = "<host>", description = "a host that must be reachable")
    private String node;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "print this help")
    private boolean help;

    /** The types that can be asked for. */
    private static final class Types implements ITypeConverter<EndpointType>, Iterable<String> {
        private static final List<String> NAMES = EnumSet.complementOf(EnumSet.of(EndpointType.UNRECOGNIZED)).stream()
                .map(EndpointType::name).toList();

        @Override
        public EndpointType convert(String value) {
            String name = value.toUpperCase(Locale.ROOT);
            if (!NAMES.contains(name)) {
                throw new TypeConversionException("expected one of " + NAMES + " (case-insensitive) but was '" + value
                        + "'");
            }
            return EndpointType.valueOf(name);
        }

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    private Doctor() {
    }

    /**
     * Looks, and ends the JVM with the result.
     *
     * @param args see {@code -h}
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Doctor()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
    }

    @Override
    public Integer call() {
        List<Check> checks = new ArrayList<>(Library.checks());
        Chosen chosen = null;
        if (Fabric.isAvailable()) {
            chosen = Chosen.of(provider, type, capabilities == null ? usual() : capabilities, node);
            checks.add(chosen.check());
        }
        checks.addAll(Machine.checks());
        checks.addAll(Jvm.checks());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? json(checks, chosen) : text(checks, chosen));
        out.flush();
        return checks.stream().anyMatch(check -> check.state() == Check.State.WRONG
                || strict && check.state() == Check.State.WARNING) ? WILL_NOT_WORK : 0;
    }

    /** What a program asks for that does not say otherwise. */
    private Set<Capability> usual() {
        try (Hints hints = usualHints()) {
            return hints.capabilities().toSet();
        }
    }

    private Hints usualHints() {
        return switch (type) {
            case RDM -> Hints.rdm();
            case MSG -> Hints.msg();
            case DGRAM -> Hints.dgram();
            default -> Hints.create();
        };
    }

    private static String json(List<Check> checks, Chosen chosen) {
        Map<String, Object> all = new LinkedHashMap<>();
        boolean there = Fabric.isAvailable();
        all.put("jfabric", Fabric.jfabricVersion());
        all.put("library", there ? Fabric.libraryPath() : null);
        all.put("version", there ? Fabric.versionText() : null);
        all.put("providers", there ? Fabric.providers().stream().map(Provider::name).toList() : List.of());
        all.put("checks", checks.stream().map(check -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", check.name());
            one.put("state", check.state().name().toLowerCase(Locale.ROOT));
            one.put("found", check.found());
            one.put("remedy", check.remedy());
            return one;
        }).toList());
        all.put("hints", chosen == null ? null : chosen.hints());
        all.put("candidates", chosen == null ? List.of() : chosen.candidates());
        all.put("others", chosen == null ? List.of() : chosen.others());
        return Json.of(all) + System.lineSeparator();
    }

    private static String text(List<Check> checks, Chosen chosen) {
        StringBuilder text = new StringBuilder();
        for (Check check : checks) {
            String mark = switch (check.state()) {
                case OK -> "ok";
                case WARNING -> "warning";
                case WRONG -> "WRONG";
            };
            text.append(String.format("  %-8s%-22s%s%n", mark, check.name(), check.found()));
            if (!check.remedy().isEmpty()) {
                text.append(String.format("%34s%s%n", "-> ", check.remedy()));
            }
        }
        if (chosen != null) {
            text.append(String.format("%nFor %s:%n", chosen.hints()));
            int rank = 1;
            for (String way : chosen.ways()) {
                text.append(String.format("  %2d. %s%n", rank, way));
                rank++;
            }
            if (chosen.candidates().isEmpty()) {
                text.append(String.format("  nothing: %s%n", chosen.failure()));
            }
            chosen.others().forEach(other -> text.append(String.format("   -  %s%n", other)));
        }
        return text.toString();
    }
}
