// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

/**
 * What happens to a process when another one of its job is lost. Launchers have a say, too: mpirun, mpiexec and srun
 * end all processes when one fails, unless they are told not to.
 */
public enum WhenLost {
    /**
     * It logs who was lost, and ends by {@link System#exit} with {@link Job#EXIT_LOST}; what still runs after seven
     * seconds is cut off.
     */
    END,
    /** It goes on: operations that wait for the lost one fail, and {@link Job#onLost} reports it. */
    REPORT
}
