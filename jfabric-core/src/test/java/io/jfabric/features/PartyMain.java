// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;

/** One of two processes. Arguments: the port of the left one, 0 to be it; provider; endpoint type; features. */
final class PartyMain {
    private static final Set<FabricError> NOT_THERE =
            Set.of(FabricError.ENOSYS, FabricError.EOPNOTSUPP, FabricError.ENODATA);

    private PartyMain() {
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        boolean left = port == 0;
        Providers.Choice choice = new Providers.Choice(args[1], EndpointType.valueOf(args[2]));
        List<Feature> features = Arrays.stream(args).skip(3).map(Feature::valueOf).toList();
        if (Boolean.getBoolean(NullPointers.PROPERTY)) {
            NullPointers.start();
        }
        try (Link link = left ? Link.listen() : Link.connect(port)) {
            for (Feature feature : features) {
                String result = attempt(choice, feature, left, link);
                link.tell("end of " + feature);
                System.out.println("result " + feature + " " + result.replace('\n', ' '));
                // what the other side said when it failed, up to here
                while (!hears(link, "end of " + feature)) {
                    continue;
                }
            }
        }
    }

    private static boolean hears(Link link, String line) {
        try {
            return link.hear(() -> { }).equals(line);
        } catch (Link.OtherSideFailed known) {
            return false;
        }
    }

    private static String attempt(Providers.Choice choice, Feature feature, boolean left, Link link) {
        if (!choice.isOffered(feature::ask)) {
            return Result.NONE.text();
        }
        try (Party party = new Party(choice, feature, left, link)) {
            return inside(party, feature, link);
        } catch (FabricException | IllegalStateException why) {
            link.fail(why);
            return said(why);
        }
    }

    private static String inside(Party party, Feature feature, Link link) {
        try {
            party.meet();
            feature.run(party);
            return Result.YES.text();
        } catch (Feature.NotThere why) {
            return Result.NONE.text();
        } catch (Link.OtherSideFailed why) {
            // told there
            return Result.OTHER_SIDE;
        } catch (FabricException | CompletionException | IllegalStateException | IllegalArgumentException
                | AssertionError why) {
            link.fail(why);
            link.linger(party::progress);
            return said(why instanceof CompletionException ? why.getCause() : why);
        }
    }

    private static String said(Throwable why) {
        return why instanceof FabricException e && NOT_THERE.contains(e.error())
                ? Result.NONE.text() + " " + e.getMessage() : "FAIL " + why;
    }
}
