// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.LostRank;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes until all are there. Guarded by the {@link Registry}. */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);
    private static final int MOST_NAMED = 20;
    private static final String OTHER_SECRET = "has another secret than the job; is " + Target.SECRET
            + " the same everywhere?";

    private final Registry registry;
    private final String name;
    private final Member[] members;
    /** Who wants any rank, in the order of arrival. */
    private final List<Member> unnumbered = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    /** Apart, so that they cannot leave no room for the others. */
    private final Set<String> strangers = new LinkedHashSet<>();
    private final Seldom strange = new Seldom();
    private final List<Future<?>> timers = new ArrayList<>();
    private int here;
    private boolean complete;
    private String failure;
    private LostRank lost;

    Assembly(Registry registry, int size, String name) {
        this.registry = registry;
        this.name = name;
        this.members = new Member[size];
    }

    boolean complete() {
        return complete;
    }

    /** How many have come, those among them that are gone again. */
    int here() {
        return here;
    }

    /** By rank; with gaps until it is complete. */
    List<Member> members() {
        return Arrays.asList(members);
    }

    /** Who has come, with a rank or not yet. */
    Stream<Member> all() {
        return Stream.concat(Stream.of(members).filter(m -> m != null), unnumbered.stream()).distinct();
    }

    Member join(Hello hello, Line line) {
        String problem = problem(hello);
        if (problem != null) {
            LOG.warn("rendezvous: refused: {}", problem);
            if (refused.size() < MOST_NAMED) {
                refused.add(problem);
            }
            line.send(refusal(problem, lost));
            return null;
        }
        Member member = new Member(hello, line);
        if (hello.rank() < 0) {
            unnumbered.add(member);
        } else {
            members[hello.rank()] = member;
        }
        here++;
        if (here == members.length) {
            welcome();
        } else {
            timers.add(registry.before(hello.deadline(), () -> late(hello.deadline())));
        }
        return member;
    }

    private String problem(Hello hello) {
        if (hello.size() != members.length) {
            return hello.who() + " says that the job has " + hello.size() + " ranks, but it has " + members.length;
        }
        Member other = hello.rank() < 0 ? null : members[hello.rank()];
        if (other != null && other.lost != null) {
            return hello.who() + " comes too late: " + other.lost;
        }
        if (other != null) {
            return hello.who() + " is there twice: the other is on " + other.hello.host() + " (pid "
                    + other.hello.pid() + "); do two jobs, or what is left of an earlier one, use the same rendezvous "
                    + "at once? Each needs a port or a secret of its own";
        }
        if (failure != null) {
            return hello.who() + " comes too late: " + failure;
        }
        return complete ? hello.who() + " comes too late: all " + members.length + " ranks are there" : null;
    }

    static Frame refusal(String text, LostRank lost) {
        return Frame.of(Frame.REFUSED, out -> {
            out.writeUTF(Registry.shorten(text));
            LostText.write(out, lost);
        });
    }

    /** Somebody without the secret, of whom nothing is known but from where he has come. */
    void stranger(Line line) {
        String address = line.socket.getInetAddress().getHostAddress();
        String count = strange.happened();
        if (count != null) {
            LOG.warn("rendezvous: refused: a process at {} {}{}", address, OTHER_SECRET, count);
        }
        if (strangers.size() < MOST_NAMED) {
            strangers.add(address);
        }
        line.send(refusal("this process " + OTHER_SECRET, null));
    }

    private void welcome() {
        // neighbours get neighbouring numbers
        unnumbered.sort(Comparator.comparing(member -> member.hello.host()));
        int next = 0;
        for (Member member : unnumbered) {
            while (members[next] != null) {
                next++;
            }
            member.rank = next;
            members[next] = member;
        }
        complete = true;
        timers.forEach(timer -> timer.cancel(false));
        timers.clear();
        List<String> hosts = members().stream().map(member -> member.hello.host()).toList();
        byte[] shared = Frame.bytes(out -> Welcome.write(out, name, hosts));
        for (Member member : members) {
            member.line.send(Frame.shared(Frame.WELCOME, member.rank, shared));
        }
    }

    private void late(long deadline) {
        if (!complete) {
            fail(missing() + " not there within " + Registry.seconds(deadline), null);
        }
    }

    private String missing() {
        if (!unnumbered.isEmpty()) {
            return (members.length - here) + " of " + members.length + " ranks";
        }
        int[] ranks = IntStream.range(0, members.length).filter(rank -> members[rank] == null).toArray();
        return (ranks.length == 1 ? "rank " : "ranks ")
                + IntStream.of(ranks).limit(MOST_NAMED).mapToObj(Integer::toString).collect(Collectors.joining(", "))
                + (ranks.length > MOST_NAMED ? ", ..." : "") + " of " + members.length;
    }

    void lost(Member member) {
        LostRank who = member.lost != null ? member.lost : member.lose("it has left before all were there");
        if (who.rank() < 0) {
            // one that was to get its number here, and no server
            fail("a process on " + who.host() + ": " + who.reason(), null);
        } else {
            ended(who);
        }
    }

    void ended(LostRank who) {
        fail(who.toString(), who);
    }

    private void fail(String text, LostRank who) {
        if (failure != null) {
            return;
        }
        lost = who;
        String here = all().filter(Member::present).limit(MOST_NAMED)
                .map(m -> m.rank < 0 ? "one on " + m.hello.host() : m.who()).collect(Collectors.joining(", "));
        failure = text + (refused.isEmpty() ? "" : "; refused: " + String.join("; ", refused))
                + (strangers.isEmpty() ? "" : "; refused: a process at " + String.join(", ", strangers) + " "
                        + OTHER_SECRET)
                + (here.isEmpty() ? "" : "; here: " + here);
        if (here.isEmpty() && refused.isEmpty() && strangers.isEmpty()) {
            // perhaps a program that does not want to meet at all
            LOG.debug("rendezvous: the job cannot start: {}", failure);
        } else {
            LOG.warn("rendezvous: the job cannot start: {}", failure);
        }
        all().filter(Member::present).forEach(member -> member.line.send(refusal(failure, who)));
    }
}
