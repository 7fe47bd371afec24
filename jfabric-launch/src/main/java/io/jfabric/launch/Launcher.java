// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import io.jfabric.launch.internal.start.Launch;

/**
 * Starts the processes of a job on this machine, or by ssh on several. A command, which needs no more than the jars of
 * the program:
 *
 * <pre>java -cp 'app/lib/*' io.jfabric.launch.Launcher -n 4 java -cp 'app/lib/*' my.Program</pre>
 *
 * <p>{@code --help} tells the options. Lines of output begin with the rank; when a process fails, the others are ended,
 * too. {@code scripts/launch} is the same out of a clone of the repository.
 */
public final class Launcher {
    private Launcher() {
    }

    /**
     * Starts the processes, waits for them, and ends this JVM with the exit status of the first that failed; 0 if none
     * did, 2 for wrong arguments, 126 if a program cannot be started.
     *
     * @param args options, program and its arguments
     * @throws InterruptedException if this thread is interrupted while the processes run, which end with this JVM
     */
    public static void main(String[] args) throws InterruptedException {
        Launch.main(args);
    }
}
