// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tries features on a provider, in two processes that are replaced when a feature ends them. */
final class Trials {
    /** What {@link ChildJvm#kill} does to a process. */
    private static final int KILLED = 137;

    private final Providers.Choice choice;
    private final List<String> flags;
    private final Map<Feature, Outcome> outcomes = new EnumMap<>(Feature.class);

    private Trials(Providers.Choice choice, List<String> flags) {
        this.choice = choice;
        this.flags = flags;
    }

    /** A result, and what was said where it is no yes. */
    record Outcome(Result result, String why) {
    }

    /** Tries them one after another; {@code flags} are for the JVMs. */
    static Map<Feature, Outcome> run(Providers.Choice choice, List<Feature> features, List<String> flags) {
        Trials trials = new Trials(choice, flags);
        List<Feature> left = new ArrayList<>(features);
        while (!left.isEmpty()) {
            trials.some(left);
            left.removeAll(trials.outcomes.keySet());
        }
        return trials.outcomes;
    }

    private ChildJvm start(String port, List<Feature> features) {
        String[] args = Stream.concat(Stream.of(port, choice.provider(), choice.type().name()),
                features.stream().map(Feature::name)).toArray(String[]::new);
        return ChildJvm.of(PartyMain.class, args).flags(flags.toArray(String[]::new)).start();
    }

    /** What a line that begins so says then. */
    private static String await(ChildJvm child, String begin) {
        for (int i = 1;; i++) {
            try {
                return child.awaitLine(line -> line.startsWith(begin)).substring(begin.length());
            } catch (AssertionError silent) {
                if (i >= Link.PATIENCE) {
                    throw silent;
                }
            }
        }
    }

    /** Until the end, or until one crashes or hangs. */
    private void some(List<Feature> features) {
        try (ChildJvm one = start("0", features)) {
            String port = await(one, "port ");
            try (ChildJvm other = start(port, features)) {
                for (Feature feature : features) {
                    String begin = "result " + feature + " ";
                    try {
                        String first = await(one, begin);
                        String second = await(other, begin);
                        outcomes.put(feature, together(first, second));
                    } catch (AssertionError silent) {
                        one.kill();
                        other.kill();
                        boolean crashed = one.await().exitCode() != KILLED || other.await().exitCode() != KILLED;
                        outcomes.put(feature, new Outcome(crashed ? Result.CRASH : Result.HANG,
                                one.output() + "\n---\n" + other.output()));
                        return;
                    }
                }
            }
        }
    }

    private static Outcome together(String first, String second) {
        String worse = first.startsWith("FAIL") || second.equals(Result.OTHER_SIDE) ? first
                : second.startsWith("FAIL") || first.equals(Result.OTHER_SIDE) ? second
                : first.startsWith("-") ? first : second;
        int space = worse.indexOf(' ');
        String result = space < 0 ? worse : worse.substring(0, space);
        return result.equals(Result.OTHER_SIDE) ? new Outcome(Result.FAIL, "neither side said why")
                : new Outcome(Result.of(result), space < 0 ? "" : worse.substring(space + 1));
    }
}
