// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import java.util.Arrays;
import java.util.Locale;

/** How the processes of a job find each other. In the order in which {@link Job#join()} tries them. */
public enum Way {
    /** PMIx, from the site's {@code libpmix.so.2}: Open MPI's mpirun, PRRTE, {@code srun --mpi=pmix}. */
    PMIX,
    /** The wire protocol of PMI-2: {@code srun --mpi=pmi2}. */
    PMI2,
    /** The wire protocol of PMI-1: MPICH's mpiexec (Hydra). */
    PMI1,
    /** A server of jfabric's own over TCP: {@link Launcher}, Kubernetes, ssh. */
    RENDEZVOUS,
    /** A job of one process. */
    ALONE;

    /**
     * The way of a name, as in the environment variable {@code JFABRIC_LAUNCH}.
     *
     * @param name such as {@code pmix}; case does not matter
     * @return the way
     * @throws IllegalArgumentException for other names; the message has those that there are
     */
    public static Way of(String name) {
        for (Way way : values()) {
            if (way.name().equalsIgnoreCase(name.strip())) {
                return way;
            }
        }
        throw new IllegalArgumentException("way: there is no \"" + name + "\"; there are "
                + Arrays.toString(values()).toLowerCase(Locale.ROOT));
    }
}
