// SPDX-License-Identifier: Apache-2.0
package io.jfabric.log;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import io.jfabric.FabricLog;
import io.jfabric.info.FabricInfoList;
import java.util.ArrayList;
import java.util.List;

/** Redirects libfabric's log in a JVM of its own; what it does is in the argument. */
public final class LogChild {
    private LogChild() {
    }

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "open-at-exit" -> {
                FabricLog.redirect(FabricLog.Verbosity.INFO);
                query();
            }
            case "closed" -> {
                FabricLog log = FabricLog.redirect(FabricLog.Verbosity.INFO);
                query();
                log.close();
                System.out.println("CLOSED");
                query();
                FabricLog.redirect().close();
            }
            case "twice" -> {
                FabricLog log = FabricLog.redirect();
                try {
                    FabricLog.redirect();
                } catch (FabricException e) {
                    System.out.println("REFUSED " + e.getMessage());
                }
                log.close();
                log.close();
            }
            case "threads" -> {
                FabricLog.redirect(FabricLog.Verbosity.DEBUG);
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    threads.add(Thread.ofPlatform().start(LogChild::query));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            case "levels" -> {
                FabricLog.redirect(FabricLog.Verbosity.WARN).close();
                FabricLog.redirect(FabricLog.Verbosity.INFO).close();
                query();
                FabricLog.redirect(FabricLog.Verbosity.INFO).close();
                try {
                    FabricLog.redirect(FabricLog.Verbosity.DEBUG);
                } catch (IllegalStateException e) {
                    System.out.println("REFUSED " + e.getMessage());
                }
                FabricLog.redirect().close();
            }
            case "exit" -> {
                FabricLog.redirect(FabricLog.Verbosity.INFO);
                query();
                System.exit(3);
            }
            case "too-late" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                for (int i = 0; i < 2; i++) {
                    try {
                        FabricLog.redirect();
                    } catch (IllegalStateException e) {
                        System.out.println("REFUSED " + e.getMessage());
                    }
                }
            }));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("END");
    }

    private static void query() {
        try (FabricInfoList infos = Fabric.getInfo(null)) {
            System.out.println("INFOS " + (infos.size() > 0));
        }
    }
}
