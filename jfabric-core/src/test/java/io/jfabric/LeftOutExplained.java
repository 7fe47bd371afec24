// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Hints;

/** Says why there is nothing of each provider named, or of any; the first argument is what to leave out, or -. */
final class LeftOutExplained {
    private LeftOutExplained() {
    }

    public static void main(String[] arguments) {
        if (!arguments[0].equals("-")) {
            Fabric.setParameter("FI_PROVIDER", arguments[0]);
        }
        for (int i = 1; i < arguments.length; i++) {
            try (Hints hints = arguments[i].equals("any") ? Hints.create() : Hints.create().provider(arguments[i])) {
                System.out.println(arguments[i] + ": " + Fabric.explain(hints));
            }
        }
        try {
            Fabric.getInfo(null).close();
            System.out.println("all: found");
        } catch (FabricException none) {
            System.out.println("all: " + none.getMessage());
        }
    }
}
