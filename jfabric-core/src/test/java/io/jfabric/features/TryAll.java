// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Tries all features on providers and prints a line for each: library, provider, type, feature, result. Arguments: a
 * name for the library, then {@code provider/TYPE} for each, flags of the JVMs that begin with a minus, and features
 * by their names in capitals, if not all. The exit status is 1 if a feature failed, hung or crashed.
 */
final class TryAll {
    private TryAll() {
    }

    public static void main(String[] args) {
        List<Providers.Choice> choices = new ArrayList<>();
        List<String> flags = new ArrayList<>();
        List<Feature> features = new ArrayList<>();
        for (String arg : List.of(args).subList(1, args.length)) {
            int slash = arg.lastIndexOf('/');
            if (arg.startsWith("-")) {
                flags.add(arg);
            } else if (slash < 0) {
                features.add(Feature.valueOf(arg));
            } else {
                choices.add(new Providers.Choice(arg.substring(0, slash),
                        EndpointType.valueOf(arg.substring(slash + 1))));
            }
        }
        boolean bad = false;
        for (Providers.Choice choice : choices) {
            if (!choice.isOffered()) {
                System.err.println(choice + " is not here");
                continue;
            }
            Map<Feature, Trials.Outcome> outcomes = Trials.run(choice,
                    features.isEmpty() ? List.copyOf(EnumSet.allOf(Feature.class)) : features, flags);
            for (Map.Entry<Feature, Trials.Outcome> each : outcomes.entrySet()) {
                Result result = each.getValue().result();
                System.out.println(String.join(",", args[0], choice.provider(), choice.type().name(),
                        each.getKey().name(), result.text()));
                if (!each.getValue().why().isEmpty()) {
                    System.err.println(each.getKey() + ": " + each.getValue().why());
                }
                bad |= result != Result.YES && result != Result.NONE;
            }
        }
        System.exit(bad ? 1 : 0);
    }
}
