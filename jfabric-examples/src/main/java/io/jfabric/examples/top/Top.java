// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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
    private static final String[] REMARKABLE = {"jfabric.Error", "jfabric.Busy", "jfabric.Open", "jfabric.Close"};
    private static final String SLOW = "jfabric.SlowOperation";

    private static final long PAUSE = 500_000_000;

    private Top() {
    }

    /**
     * Runs the program.
     *
     * @param args process, seconds
     */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].endsWith(".jfr")) {
            System.err.println("jfabric-top: looks at a running process, not at a recording; for " + args[0]
                    + " there are: jfr summary " + args[0] + ", jfr print --categories jfabric " + args[0]);
            System.exit(2);
        }
        if (args.length == 0 || args.length > 2 || !Stream.of(args).allMatch(arg -> arg.matches("\\d{1,18}"))) {
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
        if (ProcessHandle.of(Long.parseLong(args[0])).isEmpty()) {
            System.err.println("jfabric-top: there is no process " + args[0]);
            System.exit(1);
        }
        try {
            look(args[0], seconds);
        } catch (AttachNotSupportedException isNone) {
            System.err.println("jfabric-top: process " + args[0] + " is not a Java process, or does not answer: "
                    + isNone.getMessage());
            System.exit(1);
        } catch (IOException | IllegalStateException cannot) {
            // the last one: a stream whose process ended before it began
            System.err.println("jfabric-top: process " + args[0] + " cannot be looked at, or no longer: "
                    + cannot.getMessage());
            System.exit(1);
        }
    }

    private static void look(String pid, long seconds)
            throws IOException, AttachNotSupportedException, InterruptedException {
        VirtualMachine machine = VirtualMachine.attach(pid);
        String url = machine.startLocalManagementAgent();
        String title = pid + " " + machine.getSystemProperties().getProperty("sun.java.command", "");
        machine.detach();
        JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url));
        Recording recording = Recording.open(connector.getMBeanServerConnection());
        boolean ended = watch(recording, new Screen(title), ProcessHandle.of(Long.parseLong(pid)), seconds);
        boolean closed = recording.close();
        if (!ended && closed) {
            connector.close();
        } else if (!ended) {
            System.err.println("jfabric-top: process " + pid + " does not answer: it goes on recording");
        }
        System.out.println(ended ? "the process has ended" : "over");
        // of what did not answer the connection would be waited for
        System.exit(0);
    }

    /** Returns true if that process has ended, false if the time is over. */
    private static boolean watch(Recording recording, Screen screen, Optional<ProcessHandle> process, long seconds)
            throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        // a terminal is drawn anew each time, a file gets one screen after the other
        String clear = System.console() != null && System.console().isTerminal() ? "\033[H\033[2J" : "";
        RemoteRecordingStream stream = recording.stream();
        // the last one is kept, to subtract
        stream.setReuse(false);
        stream.enable("jfabric.Counts").withPeriod(Duration.ofSeconds(1));
        stream.onEvent("jfabric.Counts", screen::counts);
        for (String name : REMARKABLE) {
            stream.enable(name).withoutStackTrace();
            stream.onEvent(name, screen::remark);
        }
        stream.enable(SLOW).withoutStackTrace();
        stream.onEvent(SLOW, screen::slow);
        // what was recorded goes to the stream once a second
        AtomicLong drawn = new AtomicLong(System.nanoTime() - PAUSE);
        stream.onFlush(() -> {
            synchronized (drawn) {
                // after a delay several come at once
                if (over.getCount() > 0 && System.nanoTime() - drawn.get() >= PAUSE) {
                    drawn.set(System.nanoTime());
                    System.out.println(clear + String.join("\n", screen.lines()));
                    if (System.out.checkError()) {
                        // nobody reads any more
                        over.countDown();
                    }
                }
            }
        });
        stream.onClose(() -> {
            // else it is this program that is ended, and waits here for that
            if (!recording.isClosing()) {
                over.countDown();
            }
        });
        stream.startAsync();
        // of one that was killed the stream is told nothing
        process.ifPresent(one -> one.onExit().thenRun(over::countDown));
        boolean ended = over.await(seconds, TimeUnit.SECONDS);
        // one more screen may be on its way, and closing does not wait for it
        synchronized (drawn) {
            over.countDown();
        }
        return ended;
    }
}
