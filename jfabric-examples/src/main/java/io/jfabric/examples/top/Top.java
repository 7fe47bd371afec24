// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.management.jfr.RemoteRecordingStream;

/**
 * Looks at a running JVM that uses jfabric, once a second: PID [SECONDS]. That JVM must only be the same user's:
 * attaches to it and has its Flight Recorder stream jfabric's events, which cost nothing when nobody looks.
 * Without arguments it lists the JVMs. Ends with that JVM, or after so many seconds.
 */
public final class Top {
    private static final String[] REMARKABLE = {"jfabric.Error", "jfabric.SlowOperation", "jfabric.Busy",
        "jfabric.Open", "jfabric.Close"};

    private static final long PAUSE = 500_000_000;

    private Top() {
    }

    /**
     * Runs the program.
     *
     * @param args process, seconds
     */
    public static void main(String[] args) throws Exception {
        if (args.length == 0 || args.length > 2 || !String.join("", args).matches("\\d+")) {
            System.out.println("Usage: scripts/jfabric-top PID [SECONDS]; the JVMs here:");
            String own = Long.toString(ProcessHandle.current().pid());
            for (VirtualMachineDescriptor one : VirtualMachine.list()) {
                if (!one.id().equals(own)) {
                    System.out.println(one.id() + " " + one.displayName());
                }
            }
            System.exit(args.length == 0 ? 0 : 2);
        }
        long seconds = args.length > 1 ? Long.parseLong(args[1]) : Long.MAX_VALUE;
        VirtualMachine machine;
        try {
            machine = VirtualMachine.attach(args[0]);
        } catch (AttachNotSupportedException | IOException e) {
            System.err.println("jfabric-top: cannot attach to " + args[0] + ", which must be a JVM of the same user: "
                    + e.getMessage());
            System.exit(1);
            return;
        }
        String url = machine.startLocalManagementAgent();
        String title = args[0] + " " + machine.getSystemProperties().getProperty("sun.java.command", "");
        machine.detach();
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
            watch(connector, new Screen(title), seconds);
        }
    }

    private static void watch(JMXConnector connector, Screen screen, long seconds)
            throws IOException, InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        boolean gone;
        // a terminal is drawn anew each time, a file gets one screen after the other
        String clear = System.console() != null && System.console().isTerminal() ? "\033[H\033[2J" : "";
        try (RemoteRecordingStream stream = new RemoteRecordingStream(connector.getMBeanServerConnection())) {
            // the last one is kept, to subtract
            stream.setReuse(false);
            stream.enable("jfabric.Counts").withPeriod(Duration.ofSeconds(1));
            stream.onEvent("jfabric.Counts", screen::counts);
            for (String name : REMARKABLE) {
                stream.enable(name).withoutStackTrace();
                stream.onEvent(name, screen::remark);
            }
            // what was recorded goes to the stream once a second
            AtomicLong drawn = new AtomicLong(System.nanoTime() - PAUSE);
            stream.onFlush(() -> {
                // after a delay several come at once
                if (System.nanoTime() - drawn.get() >= PAUSE) {
                    drawn.set(System.nanoTime());
                    System.out.println(clear + String.join("\n", screen.lines()));
                }
            });
            stream.onClose(over::countDown);
            stream.startAsync();
            gone = over.await(seconds, TimeUnit.SECONDS);
        }
        System.out.println(gone ? "the process has ended" : "over");
    }
}
