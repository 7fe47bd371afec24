// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Members of a group, of whom some end as far as others can see: these close their peers, in the order of the test. */
final class Crew implements AutoCloseable {
    /** More than anything takes. */
    static final Duration DEADLINE = Duration.ofSeconds(30);
    /** What comes to nothing is over by then. */
    static final Duration SHORT = Duration.ofMillis(100);

    final List<Node> nodes;
    final List<Group> groups;
    private final Company company;

    private Crew(Company company) {
        this.company = company;
        this.nodes = company.nodes;
        this.groups = company.groups;
    }

    static Crew open(Providers.Choice choice, int size) {
        return open(choice, size, NodeOptions.DEFAULT);
    }

    static Crew open(Providers.Choice choice, int size, NodeOptions options) {
        return new Crew(Company.open(choice, size, options));
    }

    /** From now on the one at that rank knows that the other one has ended. */
    void seesTheEnd(int at, int of) {
        nodes.get(at).peer(company.addresses().get(of)).close();
    }

    void seeTheEnd(int of, int... all) {
        Arrays.stream(all).forEach(at -> seesTheEnd(at, of));
    }

    /** What has come of it, at all who are left. */
    static List<Group> shrunk(long least, List<CompletableFuture<Group.Shrunk>> all) {
        List<Group> left = new ArrayList<>();
        for (CompletableFuture<Group.Shrunk> one : all) {
            Group.Shrunk shrunk = get(one);
            assertThat(shrunk.least()).isEqualTo(least);
            assertThat(shrunk.group().size()).isEqualTo(all.size());
            left.add(shrunk.group());
        }
        return left;
    }

    /** Each with its place in the list as its value, more than the least. */
    static List<Group> shrink(long least, List<Group> all) {
        List<CompletableFuture<Group.Shrunk>> begun = new ArrayList<>();
        all.forEach(group -> begun.add(group.shrink(least + begun.size(), DEADLINE)));
        return shrunk(least, begun);
    }

    /** They are members of one group. */
    static void meet(List<Group> all) {
        assertThat(all).extracting(Group::size).containsOnly(all.size());
        all.stream().map(Group::barrier).toList().forEach(Crew::get);
    }

    static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    static Throwable failure(CompletableFuture<?> future) {
        try {
            throw new AssertionError("succeeded: " + future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException failed) {
            return failed.getCause();
        } catch (CancellationException cancelled) {
            return cancelled;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    static Throwable failure(CompletableFuture<?> future, FabricError error) {
        Throwable failure = failure(future);
        assertThat(failure).isInstanceOfSatisfying(FabricException.class,
                known -> assertThat(known.error()).isEqualTo(error));
        return failure;
    }

    @Override
    public void close() {
        company.close();
    }
}
