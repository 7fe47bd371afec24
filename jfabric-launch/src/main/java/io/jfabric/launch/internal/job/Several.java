// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.pmi.PmiSession;
import io.jfabric.launch.internal.rendezvous.Target;
import java.util.List;
import java.util.Map;

/**
 * What tells that this process is one of several, though nothing tells how they meet. Alone they would be as many jobs
 * of one process, of which nobody would notice anything.
 */
final class Several {
    private static final String SRUN = "start them with srun --mpi=pmix or --mpi=pmi2";
    private static final String SET = "set " + Target.RENDEZVOUS + ", " + Target.SIZE + " and " + Target.RANK;
    private static final String NO_FD = "the launcher must leave " + PmiSession.FD + " to its processes, or " + SET;
    private static final List<Sign> SIGNS = List.of(
            new Sign(Target.SIZE, 2, SET),
            new Sign(Target.RANK, 1, SET),
            new Sign("PMIX_RANK", Sign.ANY, "PMIX_NAMESPACE is missing: start them with mpirun or srun --mpi=pmix"),
            new Sign("OMPI_COMM_WORLD_SIZE", 2, "start them with an Open MPI that offers PMIx"),
            new Sign("PALS_RANKID", Sign.ANY, "start them with mpiexec --pmi=pmix, or " + SET),
            new Sign("PMI_PORT", Sign.ANY, "start them with mpiexec.hydra without -pmi-port, or " + SET),
            new Sign("PMI_SIZE", 2, NO_FD),
            new Sign("PMI_RANK", 1, NO_FD),
            new Sign("FLUX_JOB_SIZE", 2, NO_FD));

    private Several() {
    }

    /**
     * One variable.
     *
     * @param least from which number on it says so; {@link #ANY} for launchers that do not tell how many there are
     * @param remedy for the message
     */
    private record Sign(String variable, int least, String remedy) {
        static final int ANY = -1;

        boolean in(Map<String, String> environment) {
            String value = environment.get(variable);
            if (value == null || least == ANY) {
                return value != null;
            }
            try {
                return Integer.parseInt(value.strip()) >= least;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }

    /** Before joining alone without having been told to. */
    static void refuse(Map<String, String> environment) {
        for (Sign sign : SIGNS) {
            if (sign.in(environment)) {
                throw refused(sign, environment);
            }
        }
        // other than in a step, Slurm counts what the processes of the job might be
        Sign tasks = new Sign("SLURM_STEP_NUM_TASKS", 2, SRUN);
        if (environment.containsKey("SLURM_PROCID") && environment.containsKey("SLURM_STEP_ID")
                && tasks.in(environment)) {
            throw refused(tasks, environment);
        }
    }

    private static JobException refused(Sign sign, Map<String, String> environment) {
        String what = sign.least == Sign.ANY ? "was started by a launcher" : "is one of several";
        return new JobException("join: " + sign.variable + "=" + environment.get(sign.variable)
                + " says that this process " + what + ", but nothing tells how they meet: " + sign.remedy
                + "; if each is to be a job of its own, set " + Joining.LAUNCH + "=alone");
    }
}
