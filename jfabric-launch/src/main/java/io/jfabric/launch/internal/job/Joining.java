// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.Way;
import io.jfabric.launch.internal.pmi.PmiSession;
import io.jfabric.launch.internal.pmix.PmixSession;
import io.jfabric.launch.internal.rendezvous.RendezvousSession;
import io.jfabric.launch.internal.rendezvous.Target;
import io.jfabric.launch.internal.session.Alone;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import io.jfabric.launch.internal.session.Session;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the way by what the launcher has left in the environment. */
public final class Joining {
    /** The way to join, by its name. */
    public static final String LAUNCH = "JFABRIC_LAUNCH";
    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    private Joining() {
    }

    public static Job join(JobOptions options) {
        Map<String, String> environment = options.environment();
        boolean named = !options.ways().isEmpty() || !environment.getOrDefault(LAUNCH, "").isBlank();
        Way way = ways(options).stream().filter(each -> offered(each, named, environment)).findFirst()
                .orElseThrow(() -> new JobException("join: nothing in the environment says how: tried "
                        + ways(options) + "; start the processes by srun, mpirun, mpiexec.hydra or "
                        + "io.jfabric.launch.Launcher, or set " + Target.RENDEZVOUS + ", " + Target.SIZE + " and "
                        + Target.RANK));
        if (way == Way.ALONE && !named) {
            Several.refuse(environment);
        }
        Losses losses = new Losses(options.whenLost());
        Deadline deadline = Deadline.in(options.deadline());
        Session session = session(way, options, losses, deadline);
        try {
            Job job = new JobImpl(options, way, session, losses, hosts(session, deadline));
            LOG.info("joined: {}", job);
            return job;
        } catch (RuntimeException e) {
            try {
                session.close(Deadline.in(options.deadline()));
            } catch (RuntimeException notClosed) {
                // the first says who is missing
                e.addSuppressed(notClosed);
            }
            throw e;
        }
    }

    private static Session session(Way way, JobOptions options, Losses losses, Deadline deadline) {
        try {
            return switch (way) {
                case PMIX -> PmixSession.join(losses, options.environment(), deadline);
                case PMI2, PMI1 -> PmiSession.join(way == Way.PMI2, options.environment(), deadline);
                case RENDEZVOUS -> RendezvousSession.join(options, losses, deadline);
                case ALONE -> new Alone();
            };
        } catch (IllegalCallerException | ExceptionInInitializerError | NoClassDefFoundError e) {
            if (!isDenied(e)) {
                throw e;
            }
            throw new JobException("join: native access is denied to jfabric; start java with --enable-native-access="
                    + (Joining.class.getModule().isNamed() ? "io.jfabric.launch,io.jfabric,io.jfabric.bindings"
                    : "ALL-UNNAMED"), e);
        }
    }

    /** A class that failed before has the first failure only as text, in its cause. */
    private static boolean isDenied(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof IllegalCallerException || e instanceof ExceptionInInitializerError
                    && String.valueOf(e.getMessage()).contains(IllegalCallerException.class.getName())) {
                return true;
            }
        }
        return false;
    }

    private static List<Way> ways(JobOptions options) {
        if (!options.ways().isEmpty()) {
            return options.ways();
        }
        String named = options.environment().get(LAUNCH);
        if (named == null || named.isBlank()) {
            return List.of(Way.values());
        }
        try {
            return List.of(Way.of(named));
        } catch (IllegalArgumentException e) {
            throw new JobException("join: " + LAUNCH + "=" + named + ": " + e.getMessage(), e);
        }
    }

    private static boolean offered(Way way, boolean named, Map<String, String> environment) {
        return switch (way) {
            case PMIX -> environment.containsKey("PMIX_RANK") && environment.containsKey("PMIX_NAMESPACE");
            // unless it was asked for by name: Slurm's plugin speaks both, and so does Hydra, but PMI-1 better
            case PMI2 -> environment.containsKey(PmiSession.FD) && (named || environment.containsKey("SLURM_STEP_ID"));
            case PMI1 -> environment.containsKey(PmiSession.FD);
            case RENDEZVOUS -> environment.containsKey(Target.RENDEZVOUS);
            case ALONE -> true;
        };
    }

    private static List<String> hosts(Session session, Deadline deadline) {
        int size = session.place().size();
        if (size == 1) {
            return List.of(Hosts.mine());
        }
        if (!session.host(0).isEmpty()) {
            return IntStream.range(0, size).mapToObj(session::host).toList();
        }
        byte[] mine = Hosts.mine().getBytes(StandardCharsets.UTF_8);
        return session.gather(mine, deadline).stream().map(host -> new String(host, StandardCharsets.UTF_8)).toList();
    }
}
