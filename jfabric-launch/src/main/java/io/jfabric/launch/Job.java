// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.launch.internal.job.JobImpl;
import io.jfabric.launch.internal.job.Joining;
import java.util.List;
import java.util.function.Consumer;

/**
 * The processes that a launcher has started together, each known by its rank. Every process joins once.
 *
 * <p>All operations that wait have the deadline of {@link JobOptions}. They fail with a {@link JobException}, whose
 * message names the ranks and hosts that did not come or were lost; not over PMI, which does not tell. Thread-safe; but
 * fences, barriers and exchanges are collective: all ranks call the same ones in the same order, one at a time.
 *
 * <p>A collective call that fails counts as called: calling it again is a new call, which all who are left must make.
 * At a rendezvous, a call that fails because a rank was lost, called something else, was too late or was interrupted
 * fails for all, also for ranks that come to it later. If all had come before the server learned of the interrupt, it
 * succeeds for all: the interrupted thread has the result, too, unless that takes longer than half a second, and stays
 * interrupted.
 *
 * <p>Closing a job says that this rank is done. One that has failed should not: {@link #abort} ends all ranks, and
 * {@link System#exit} before the job is closed lets the others know of the loss. See {@link #close()}.
 */
public sealed interface Job extends AutoCloseable permits JobImpl {
    /** The exit status of a process that does not go on without a rank that was lost. */
    int EXIT_LOST = 75;
    /** The longest value, in bytes. */
    int LONGEST_VALUE = 16 << 10;
    /** The longest key, in characters. */
    int LONGEST_KEY = 40;

    /**
     * Joins the job that this process was started in, with {@link JobOptions#DEFAULT}. From then on the loss of another
     * process ends this one, too, as {@link #join(JobOptions)} tells; to go on without it:
     * {@code Job.join(JobOptions.DEFAULT.withWhenLost(WhenLost.REPORT))}.
     *
     * @return the job, to be closed
     * @throws JobException if not all ranks come within the deadline, or nothing is what it should be
     */
    static Job join() {
        return join(JobOptions.DEFAULT);
    }

    /**
     * Joins the job that this process was started in.
     *
     * <p>With {@link WhenLost#END}, the default, the job ends this JVM when another process of it is lost: it logs who,
     * and calls {@link System#exit} with {@link #EXIT_LOST}. Shutdown hooks have seven seconds; whatever still runs
     * then is cut off ({@link Runtime#halt}). It does so until the job is closed. With {@link WhenLost#REPORT} it goes
     * on. An {@linkplain #abort abort} by any process ends this one, too, whatever the options say.
     *
     * @param options how; {@link JobOptions#withWhenLost} chooses what a loss does
     * @return the job, to be closed
     * @throws JobException if not all ranks come within the deadline, or nothing is what it should be
     */
    static Job join(JobOptions options) {
        return Joining.join(options);
    }

    /**
     * This process.
     *
     * @return from 0
     */
    int rank();

    /**
     * How many processes there are.
     *
     * @return at least 1
     */
    int size();

    /**
     * This process among those of its host: what to choose a NIC or cores by.
     *
     * @return from 0
     */
    int localRank();

    /**
     * How many processes of the job are on this host.
     *
     * @return at least 1
     */
    int localSize();

    /**
     * This host.
     *
     * @return its name, as its kernel has it
     */
    String host();

    /**
     * The host of a rank.
     *
     * @param rank from 0
     * @return its name
     */
    String host(int rank);

    /**
     * The launcher's name for the job.
     *
     * @return the same at all ranks
     */
    String name();

    /**
     * How the processes have found each other.
     *
     * @return the way
     */
    Way way();

    /**
     * What it was joined with.
     *
     * @return the options
     */
    JobOptions options();

    /**
     * Prepares a value for the others. They can get it after a {@link #commit()} here; over PMI-1 and PMI-2, which do
     * not pass it on before, after a {@link #fence()} that follows the commit.
     *
     * @param key at most {@value #LONGEST_KEY} letters, digits, dots, dashes and underscores; once for each key
     * @param value at most {@value #LONGEST_VALUE} bytes; copied
     * @throws IllegalStateException if this rank has put this key before
     */
    void put(String key, byte[] value);

    /** Publishes what was put; over PMI-1 and PMI-2 with the next {@link #fence()}. */
    void commit();

    /** Waits for all ranks; what they committed before can be got afterwards. Collective. */
    void fence();

    /**
     * A value that a rank has put and committed. Waits until it is there.
     *
     * @param rank whose
     * @param key which
     * @return a copy of the value
     * @throws JobException if it is not there by the deadline, or the rank was lost before it committed it
     */
    byte[] get(int rank, String key);

    /** The same as {@link #fence()}, by the name that MPI has for it. */
    void barrier();

    /**
     * Gives a value to all ranks and gets the values of all. Collective, and a barrier.
     *
     * @param value at most {@value #LONGEST_VALUE} bytes
     * @return the values by rank; empty (0 bytes) for a rank that was lost before
     */
    List<byte[]> exchange(byte[] value);

    /**
     * Gives the address of this rank's node to all. Collective, and a barrier.
     *
     * @param node this rank's
     * @return the peers by rank, including this one
     * @throws JobException also if a rank was lost before, or has another provider or release of jfabric
     */
    List<Peer> exchange(Node node);

    /**
     * Gives the address of this rank's endpoint to all, and inserts theirs into an address vector in the order of the
     * ranks. Collective, and a barrier.
     *
     * @param endpoint this rank's, enabled
     * @param vector the address vector that the endpoint is bound to
     * @return the addresses by rank, this one's among them
     * @throws JobException also if a rank has another provider or release of jfabric
     */
    Roster exchange(Endpoint endpoint, AddressVector vector);

    /**
     * Reports each rank that is lost, including those that are lost already; of those that have closed their job only
     * the ones that are missed ({@link #close()}). Only with {@link WhenLost#REPORT}, as otherwise the process ends.
     *
     * @param handler called once for each, in a thread of the job; must not wait for operations of the job
     */
    void onLost(Consumer<LostRank> handler);

    /**
     * The ranks that were lost so far.
     *
     * @return in the order in which they were found to be lost
     */
    List<LostRank> lost();

    /**
     * Ends all processes of the job, including this one, by {@link System#exit}; what still runs after seven seconds is
     * cut off. Does not wait for other threads that are in operations of the job. Never returns; the compiler knows
     * that where it says {@code throw job.abort(message, exitCode)}.
     *
     * @param message why, for the log of each; PMI-2 is given its first 1,000 characters
     * @param exitCode 1 to 255
     * @return never
     * @throws IllegalArgumentException if the exit code is out of its range; nothing has ended then
     */
    JobException abort(String message, int exitCode);

    /**
     * Leaves the job. Does not wait for the others, except in the rank that serves the rendezvous (rank 0, unless
     * somebody else serves it), which waits for all of them, at most until the deadline, interrupted or not. The others
     * go on then, but what they ask of the job fails with a {@link JobException}, and they are told of lost ranks no
     * longer. Closing again does nothing.
     *
     * <p>Operations that other threads are in fail with a {@link JobException}. Over PMIx, what the launcher answers at
     * once may take five seconds to end, and a fence or {@link #get} half a second; only then does this rank leave.
     *
     * <p>A rank that has closed its job is not lost, unless the others miss it, at a rendezvous: once one of them is in
     * a fence or exchange, or once {@code Launcher} has seen its process end with a status other than 0, as after an
     * exception that has closed the job on its way out. Over PMIx and PMI, fences of the others fail at their deadline
     * or earlier, unless the launcher ends all.
     */
    @Override
    void close();
}
