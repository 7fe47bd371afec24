// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/**
 * The Java twin of libfabric's {@code fi_pingpong(1)}: messages go back and forth between a client and a server, either
 * of which may be the C program.
 *
 * <pre>
 * host1$ scripts/fi-pingpong -p tcp -e rdm -c
 * host2$ scripts/fi-pingpong -p tcp -e rdm -c host1
 * </pre>
 */
@Command(name = "fi-pingpong", separator = " ", sortOptions = false, exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        exitCodeOnUsageHelp = ExitCode.SOFTWARE, customSynopsis = {
            "fi-pingpong [OPTIONS]             start the server",
            "       fi-pingpong [OPTIONS] <srv_addr>  connect to the server"},
        description = "%nMeasures latency and bandwidth with the peer, which may also be libfabric's fi_pingpong.%n"
                + "Give -e, -p, -I, -S and -m the same values on both sides.%n")
public final class PingPong implements Callable<Integer> {
    @Mixin
    private Options options;

    private Trace trace;

    private PingPong() {
    }

    /**
     * Runs the server or the client.
     *
     * @param args see {@code -h}
     */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new PingPong());
        // C's goes there, and C takes -h for a failure
        command.setOut(command.getErr());
        // as C's: the last one counts
        command.setOverwrittenOptionsAllowed(true);
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() {
        trace = new Trace(options.verbose ? System.err : null);
        if (!Fabric.isAvailable()) {
            return failed(Fabric.unavailabilityCause().orElseThrow(), ExitCode.SOFTWARE);
        }
        try (Control control = connect()) {
            run(control);
            return ExitCode.OK;
        } catch (CorruptMessageException e) {
            System.out.println(e.getMessage());
            return ExitCode.SOFTWARE;
        } catch (FabricException e) {
            return failed(e, e.errno());
        } catch (IOException e) {
            return failed(e, ExitCode.SOFTWARE);
        }
    }

    private int failed(Throwable e, int exitCode) {
        System.err.println("[error] " + (e.getMessage() == null ? e : e.getMessage()));
        // an exit status has eight bits, and 0 would be success
        return (exitCode & 0xff) == 0 ? ExitCode.SOFTWARE : exitCode & 0xff;
    }

    private Control connect() throws IOException {
        if (options.server == null) {
            return Control.accept(options.sourcePort == 0 ? Control.DEFAULT_PORT : options.sourcePort, options.ipv6,
                    trace);
        }
        return Control.connect(options.server,
                options.destinationPort == 0 ? Control.DEFAULT_PORT : options.destinationPort, options.sourcePort,
                options.ipv6, trace);
    }

    private void run(Control control) throws IOException {
        try (Session session = Session.open(options, control, trace)) {
            Transfers transfers = session.transfers();
            control.whileWaiting(transfers::progress);
            Report report = new Report(System.out);
            for (int size : options.sizes(session.largest()).toArray()) {
                trace.say("%d bytes", size);
                pingPong(control, transfers, size, report);
            }
            transfers.finish();
            session.shutdown();
            trace.say("finished");
        }
    }

    private void pingPong(Control control, Transfers transfers, int size, Report report) throws IOException {
        int iterations = options.iterations;
        control.sync();
        long start = System.nanoTime();
        if (control.isClient()) {
            for (int i = 0; i < iterations; i++) {
                transfers.send(size);
                transfers.receive(size);
            }
        } else {
            for (int i = 0; i < iterations; i++) {
                transfers.receive(size);
                transfers.send(size);
            }
        }
        long nanos = System.nanoTime() - start;
        report.line(size, iterations, control.exchangeCount(iterations), nanos / 1000);
    }
}
