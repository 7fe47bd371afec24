// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.Fabric;
import io.jfabric.FabricLog;
import io.jfabric.info.FabricInfoList;

/** Sends libfabric's own log to SLF4J while libfabric looks for what is here. */
public final class NativeLogs {
    private NativeLogs() {
    }

    public static void main(String[] args) {
        // first of all: libfabric reads its log level when it starts
        FabricLog log = FabricLog.redirect(FabricLog.Verbosity.INFO);
        try (FabricInfoList infos = Fabric.getInfo(null)) {
            System.out.println("found " + infos.size() + " ways to reach a network");
        } finally {
            log.close();
        }
    }
}
