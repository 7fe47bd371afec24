// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import io.jfabric.async.Group;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Seconds;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The groups that follow on one at this member, as others end. Each is made from the first one, by the ranks that are
 * left: so members that have seen the ends in another order, or have missed a group in between, come together in the
 * end.
 */
final class Shrinking {
    private final Core origin;
    private final Left still;
    /** The last group that all its members have made; at first the origin. */
    private Core latest;
    /** The ranks of that group's members in the origin. */
    private int[] members;
    /** How many members the last group had that was tried: each is tried once. */
    private int fewest;
    /** The call that the program waits for; null if none. */
    private Shrink under;

    Shrinking(Core origin) {
        this.origin = origin;
        this.still = new Left(origin);
        this.latest = origin;
        this.members = IntStream.range(0, origin.transport.size()).toArray();
        this.fewest = members.length;
    }

    /** {@code made} makes a group of its core. */
    CompletableFuture<Group.Shrunk> begin(Core group, long value, Duration longest, Function<Core, Group> made) {
        Shrink begun;
        synchronized (this) {
            String problem = problem(group);
            if (problem != null) {
                throw new IllegalStateException("shrink: " + problem);
            }
            begun = new Shrink(group, members, value, longest, made, origin.transport.future("shrink"));
            under = begun;
        }
        // it has no memory of the program's
        origin.transport.free(begun.future);
        begun.future.whenComplete((shrunk, why) -> over(begun, shrunk, why));
        try {
            begun.holds(origin.transport.at(Clock.after(longest), () -> end(begun, late(begun))));
            begun.holds(origin.transport.onUnwatched(() -> end(begun, unwatched())));
            look();
        } catch (RuntimeException | Error e) {
            end(begun, e);
            throw e;
        }
        return begun.future;
    }

    private String problem(Core group) {
        return group.isClosed() ? "the group is closed"
                : !origin.transport.isOpen() ? "the group's node is closed"
                : group != latest ? "the group was shrunk already; go on with the one that came of that"
                : under != null && !under.future.isDone() ? "the group is being shrunk; wait for that"
                : members.length == 1 ? "this is the only member of the group"
                : null;
    }

    /** A member may have ended, or those that were left have not agreed. */
    void look() {
        Shrink one;
        int[] left;
        Throwable refusal;
        synchronized (this) {
            one = under;
            if (one == null) {
                return;
            }
            left = IntStream.range(0, members.length).filter(i -> still.has(members[i])).toArray();
            refusal = refusal(left.length);
            if (refusal == null) {
                if (one.isBusy || left.length == fewest && fewest > 1) {
                    return;
                }
                fewest = left.length;
                one.isBusy = true;
            }
        }
        if (refusal != null) {
            end(one, refusal);
        } else {
            agree(one, left);
        }
    }

    /** Why this member cannot go on, whoever else is left; null if it can. */
    private Throwable refusal(int left) {
        if (!origin.transport.isOpen()) {
            return FabricException.of("shrink", Errno.ECANCELED, "the node was closed");
        }
        if (left == 1 && fewest == 1 && !under.isBusy) {
            return new IllegalStateException("shrink: nobody else is left, and the group of this member alone was made "
                    + "and given up before");
        }
        for (int i = 0; i < members.length; i++) {
            if (still.isLostTo(members[i])) {
                FabricException refusal = FabricException.of("shrink", Errno.ECONNRESET, "rank " + i + " has given "
                        + "this member up, which had not answered it, and goes on without it: it cannot be in a group "
                        + "with the others any more, and must not go on alone; close its node, so that all others "
                        + "know");
                refusal.initCause(origin.whyGone(members[i]));
                return refusal;
            }
        }
        return null;
    }

    private void agree(Shrink one, int... left) {
        try {
            // members that wait for this one, and perhaps know of no end yet, wait in vain
            one.from.abort("it is shrunk, as " + whoIsGone(one, IntStream.range(0, one.members.length)));
            int[] ranks = IntStream.of(left).map(i -> one.members[i]).toArray();
            Agreement agreement = new Agreement(origin.ofLeft(new Members(origin.transport, ranks),
                    origin.name + "!left" + Arrays.toString(ranks)), left);
            boolean isOver;
            synchronized (this) {
                isOver = under != one;
                one.agreement = agreement;
            }
            if (isOver) {
                agreement.end(new CancellationException("it was ended before"));
            } else {
                agreement.begin(one.value, why -> agreed(one, agreement, why));
                // what was heard before there was anything to end
                endIfLost(one, agreement);
            }
            tellOthers();
        } catch (RuntimeException | Error e) {
            end(one, e);
        }
    }

    /** The first of these ranks in the group that is being shrunk, and why; null if all are left. */
    private synchronized String whoIsGone(Shrink one, IntStream ranks) {
        return ranks.filter(i -> !still.has(one.members[i])).boxed().findFirst()
                .map(i -> "rank " + i + " is gone: " + still.whyNot(one.members[i])).orElse(null);
    }

    /** Some may still hear from those that this one has lost. */
    private void tellOthers() {
        List<Integer> lost;
        int[] others;
        synchronized (this) {
            lost = still.lost();
            others = still.inReach();
        }
        IntStream.of(others).forEach(rank -> origin.tell(rank, lost));
    }

    /** A member has lost others, by ranks in the origin: without them this one goes on, too. */
    void heard(int from, List<Integer> lost) {
        Shrink one;
        Agreement agreement;
        synchronized (this) {
            if (!still.hear(from, lost)) {
                return;
            }
            one = under;
            agreement = one == null ? null : one.agreement;
        }
        if (agreement != null) {
            endIfLost(one, agreement);
        }
        look();
    }

    /** If one of those who are being asked is not left, as another says, not all will come. */
    private void endIfLost(Shrink one, Agreement agreement) {
        String why = whoIsGone(one, IntStream.of(agreement.members()));
        if (why != null) {
            agreement.fail(FabricException.of("shrink", Errno.ECANCELED, why));
        }
    }

    private void agreed(Shrink one, Agreement agreement, Throwable why) {
        try {
            goOn(one, agreement, why);
        } catch (RuntimeException | Error e) {
            // nobody else would end it
            end(one, e);
        }
    }

    private void goOn(Shrink one, Agreement agreement, Throwable why) {
        Group.Shrunk shrunk = why == null
                ? new Group.Shrunk(one.made.apply(agreement.group), agreement.least()) : null;
        synchronized (this) {
            if (under != one || one.future.isDone()) {
                return;
            }
            one.shrunk = shrunk;
            if (shrunk == null) {
                one.isBusy = false;
                one.agreement = null;
                one.failure = why;
            } else {
                under = null;
                latest = agreement.group;
                members = IntStream.of(agreement.members()).map(i -> one.members[i]).toArray();
            }
        }
        if (shrunk == null) {
            agreement.group.close();
            look();
        } else {
            one.release();
            origin.transport.complete(one.future, shrunk, null);
            if (origin.isClosed()) {
                // whoever closed it may not have seen this one
                agreement.group.close();
            }
        }
    }

    private void end(Shrink one, Throwable why) {
        Agreement agreement;
        synchronized (this) {
            if (under != one) {
                return;
            }
            under = null;
            agreement = one.agreement;
        }
        one.release();
        if (agreement != null) {
            agreement.end(why);
        }
        origin.transport.complete(one.future, null, why);
    }

    /** Its future is done: perhaps by the program, which then has not got the new group. */
    private void over(Shrink one, Group.Shrunk shrunk, Throwable why) {
        Agreement agreement;
        boolean isHanded;
        synchronized (this) {
            agreement = one.agreement;
            isHanded = shrunk != null && shrunk == one.shrunk;
            under = under == one ? null : under;
            if (!isHanded && agreement != null && latest == agreement.group) {
                latest = one.from;
                members = one.members;
            }
        }
        one.release();
        if (isHanded) {
            if (one.from != origin) {
                one.from.close();
            }
        } else if (agreement != null) {
            agreement.end(why != null ? why : new CancellationException("completed by the program"));
        }
        if (!isHanded && origin.isClosed()) {
            // whoever closed it saw only the group that nobody has got
            one.from.close();
        }
    }

    /** One of these groups was closed. */
    void closed(Core group) {
        Shrink one;
        synchronized (this) {
            one = under;
        }
        if (one != null && (group == one.from || group == origin)) {
            end(one, new IllegalStateException("shrink: the group was closed"));
        }
        Core last;
        synchronized (this) {
            last = latest;
        }
        if (group == origin && last != origin) {
            last.close();
        }
    }

    private Throwable unwatched() {
        return FabricException.of("shrink", Errno.ECANCELED, origin.transport.isOpen()
                ? "the KeepAlive that watches the members was closed: nobody would tell who has ended"
                : "the node was closed");
    }

    private FabricException late(Shrink one) {
        Agreement agreement;
        Throwable failure;
        synchronized (this) {
            agreement = one.agreement;
            failure = one.failure != null ? one.failure : one.from.broken();
        }
        String within = " within " + Seconds.text(one.longest);
        FabricException late = FabricException.of("shrink", Errno.ETIMEDOUT, agreement != null
                ? notAll(agreement, within)
                : (one.failure == null ? "no member has ended" : "those who are left have not agreed, and none of them "
                        + "has ended") + within + ", as far as this one knows: does a KeepAlive watch the group? A "
                        + "member that has failed, or has called abort, but lives, is left until its Peer is closed");
        if (failure != null) {
            late.initCause(failure);
        }
        return late;
    }

    private static String notAll(Agreement agreement, String within) {
        int[] awaited = agreement.waitsFor();
        return "ranks " + Arrays.toString(agreement.members()) + " of the group are left, and not all of them have come"
                + within + (awaited.length == 0 ? "" : ": this member waits for ranks " + Arrays.toString(awaited)
                + ", or these for others") + "; all who are left have to call shrink, and to watch each other "
                + "(KeepAlive.watch)";
    }
}
