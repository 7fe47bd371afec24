// SPDX-License-Identifier: Apache-2.0
/**
 * Processes of one job find each other: by PMIx, by PMI, or by a rendezvous over TCP, whichever the job was started
 * with.
 *
 * {@snippet :
 * try (Job job = Job.join()) {
 *     try (Node node = Node.open(Hints.rdm())) {
 *         List<Peer> peers = job.exchange(node);     // by rank
 *         node.send(buffer, peers.get(0), 7).join();
 *         job.barrier();                             // nobody closes before all have what was sent
 *     } catch (Throwable e) {
 *         e.printStackTrace();
 *         throw job.abort(e.toString(), 1);          // to close the job would say that this rank is done
 *     }
 * }
 * }
 *
 * <p>When another process of the job is lost, this one ends, too: its JVM, by {@link System#exit}. A program that is to
 * go on without it joins by {@code Job.join(JobOptions.DEFAULT.withWhenLost(WhenLost.REPORT))}.
 */
@NullMarked
package io.jfabric.launch;

import org.jspecify.annotations.NullMarked;
