// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import io.jfabric.AddressInsertion;
import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.launch.Job;
import io.jfabric.launch.JobException;
import io.jfabric.launch.JobOptions;
import io.jfabric.launch.LostRank;
import io.jfabric.launch.Roster;
import io.jfabric.launch.Way;
import io.jfabric.launch.internal.session.Deadline;
import io.jfabric.launch.internal.session.Hosts;
import io.jfabric.launch.internal.session.Place;
import io.jfabric.launch.internal.session.Session;
import io.jfabric.launch.internal.session.Uninterrupted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job over any session. */
public final class JobImpl implements Job {
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]{1," + LONGEST_KEY + "}");
    private static final int MOST_CODE = 255;
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    private final JobOptions options;
    private final Way way;
    private final Session session;
    private final Losses losses;
    private final List<String> hosts;
    private final Place place;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Of the first rank that has another libfabric. */
    private final AtomicBoolean warned = new AtomicBoolean();

    JobImpl(JobOptions options, Way way, Session session, Losses losses, List<String> hosts) {
        this.options = options;
        this.way = way;
        this.session = session;
        this.losses = losses;
        this.hosts = hosts;
        Place told = session.place();
        boolean isLocal = told.localRank() >= 0 && told.localRank() < told.localSize();
        place = isLocal ? told : new Place(told.rank(), told.size(),
                Hosts.localRank(hosts, told.rank()), Hosts.localSize(hosts, told.rank()), told.name());
    }

    @Override
    public int rank() {
        return place.rank();
    }

    @Override
    public int size() {
        return place.size();
    }

    @Override
    public int localRank() {
        return place.localRank();
    }

    @Override
    public int localSize() {
        return place.localSize();
    }

    @Override
    public String host() {
        return hosts.get(place.rank());
    }

    @Override
    public String host(int rank) {
        return hosts.get(Objects.checkIndex(rank, size()));
    }

    @Override
    public String name() {
        return place.name();
    }

    @Override
    public Way way() {
        return way;
    }

    @Override
    public JobOptions options() {
        return options;
    }

    @Override
    public void put(String key, byte[] value) {
        open("put");
        check("put", key);
        check("put", value);
        if (!keys.add(key)) {
            throw new IllegalStateException("put: rank " + rank() + " has put \"" + key + "\" before");
        }
        try {
            inside("put", () -> {
                session.put(key, value, deadline());
                return null;
            });
        } catch (RuntimeException | Error e) {
            keys.remove(key);
            throw e;
        }
    }

    @Override
    public void commit() {
        inside("commit", () -> {
            session.commit(deadline());
            return null;
        });
    }

    @Override
    public void fence() {
        inside("fence", () -> {
            session.fence(deadline());
            return null;
        });
    }

    @Override
    public byte[] get(int rank, String key) {
        open("get");
        check("get", key);
        Objects.checkIndex(rank, size());
        return inside("get", () -> session.get(rank, key, deadline()));
    }

    @Override
    public void barrier() {
        fence();
    }

    @Override
    public List<byte[]> exchange(byte[] value) {
        open("exchange");
        check("exchange", value);
        return inside("exchange", () -> session.gather(value, deadline()));
    }

    @Override
    public List<Peer> exchange(Node node) {
        Objects.requireNonNull(node, "exchange: the node is null");
        List<byte[]> addresses = addresses(node.info(), node.address());
        List<Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            if (addresses.get(rank).length == 0) {
                LostRank gone = who(rank);
                throw new JobException("exchange: there is no address of " + gone, gone);
            }
            peers.add(node.peer(addresses.get(rank)));
        }
        return List.copyOf(peers);
    }

    /** By rank; empty for one that was lost before. */
    private List<byte[]> addresses(FabricInfo info, Address mine) {
        Card own = Card.of(info, mine.bytes());
        List<byte[]> cards = exchange(own.bytes());
        List<byte[]> addresses = new ArrayList<>();
        for (int rank = 0; rank < cards.size(); rank++) {
            byte[] card = cards.get(rank);
            addresses.add(card.length == 0 ? card : address(own, rank, card));
        }
        return addresses;
    }

    private byte[] address(Card own, int rank, byte[] bytes) {
        Card card;
        try {
            card = Card.read(bytes);
        } catch (IOException none) {
            throw new JobException("exchange: what rank " + rank + " on " + host(rank) + " has given is not a node or "
                    + "an endpoint; all ranks have to call the same method, and have the same jfabric", none);
        }
        String both = "rank " + rank + " on " + host(rank) + " has " + card.text() + "; rank " + rank() + " on "
                + host() + " has " + own.text();
        if (!own.fits(card)) {
            throw new JobException("exchange: " + both + ". They cannot talk: give all ranks the same jfabric, and ask "
                    + "for one provider by name");
        }
        if (!own.libfabric().equals(card.libfabric()) && !warned.getAndSet(true)) {
            LOG.warn("{}; a job needs the same libfabric on all hosts", both);
        }
        return card.address();
    }

    private LostRank who(int rank) {
        return losses.all().stream().filter(known -> known.rank() == rank).findFirst()
                .orElse(new LostRank(rank, host(rank), "it has given none"));
    }

    @Override
    public Roster exchange(Endpoint endpoint, AddressVector vector) {
        Address mine = Objects.requireNonNull(endpoint, "exchange: the endpoint is null").address();
        Objects.requireNonNull(vector, "exchange: the address vector is null");
        List<byte[]> all = addresses(endpoint.info(), mine);
        List<Integer> ranks = new ArrayList<>();
        List<Address> addresses = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            if (all.get(rank).length > 0) {
                ranks.add(rank);
                addresses.add(Address.ofCode(mine.formatCode(), all.get(rank)));
            }
        }
        long[] peers = new long[all.size()];
        Arrays.fill(peers, Address.NOT_AVAILABLE);
        List<AddressInsertion> inserted = vector.insert(addresses);
        for (int i = 0; i < inserted.size(); i++) {
            int rank = ranks.get(i);
            if (inserted.get(i).errno() != 0) {
                throw new JobException("exchange: the provider refuses the address of rank " + rank + " on "
                        + host(rank) + ": " + addresses.get(i) + ", error " + inserted.get(i).errno());
            }
            peers[rank] = inserted.get(i).fabricAddress();
        }
        return new RosterImpl(peers, all);
    }

    @Override
    public void onLost(Consumer<LostRank> handler) {
        losses.add(Objects.requireNonNull(handler, "onLost: the handler is null"));
    }

    @Override
    public List<LostRank> lost() {
        return losses.all();
    }

    @Override
    public JobException abort(String message, int exitCode) {
        Objects.requireNonNull(message, "abort: the message is null");
        if (exitCode < 1 || exitCode > MOST_CODE) {
            throw new IllegalArgumentException("exitCode: " + exitCode + " is not between 1 and " + MOST_CODE);
        }
        // the process ends in any case, and the others are to be told before
        Thread.interrupted();
        losses.leave();
        String text = "rank " + rank() + " on " + host() + " aborts the job: " + message;
        tellLauncher(message, exitCode);
        losses.aborted(text, exitCode);
        return new JobException(text);
    }

    /** Whatever comes of it: the launcher may be gone, or another thread in the middle of a dialogue with it. */
    private void tellLauncher(String message, int exitCode) {
        Thread teller = Thread.ofPlatform().daemon().name("jfabric-job-abort").start(() -> {
            try {
                session.abort(message, exitCode);
            } catch (JobException e) {
                LOG.warn("the others are not told: {}", e.getMessage());
            }
        });
        Deadline deadline = Deadline.in(LAST_WORDS);
        Uninterrupted.await(() -> teller.join(Duration.ofMillis(deadline.millis())));
        if (teller.isAlive()) {
            LOG.warn("telling the launcher takes more than {}: the others may not know", deadline);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            losses.leave();
            boolean interrupted = Thread.interrupted();
            try {
                // the others would take a goodbye that is left out for a loss
                session.close(deadline());
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** For people. */
    @Override
    public String toString() {
        return "Job[" + name() + ", rank " + rank() + " of " + size() + " on " + host() + ", " + way() + "]";
    }

    private Deadline deadline() {
        return Deadline.in(options.deadline());
    }

    private void open(String what) {
        if (closed.get()) {
            throw new IllegalStateException(what + ": the job is closed");
        }
    }

    /** What fails because another thread closes the job meanwhile says so, however it has failed. */
    private <T> T inside(String what, Supplier<T> operation) {
        open(what);
        try {
            return operation.get();
        } catch (JobException e) {
            if (closed.get()) {
                throw new JobException(what + ": the job is closed", e);
            }
            throw e;
        }
    }

    private static void check(String what, String key) {
        if (!KEY.matcher(Objects.requireNonNull(key, () -> what + ": the key is null")).matches()) {
            throw new IllegalArgumentException(what + ": the key \"" + key + "\" is not 1 to " + LONGEST_KEY
                    + " letters, digits, dots, dashes and underscores");
        }
    }

    private static void check(String what, byte[] value) {
        if (Objects.requireNonNull(value, () -> what + ": the value is null").length > LONGEST_VALUE) {
            throw new IllegalArgumentException(what + ": a value of " + value.length + " bytes is longer than "
                    + LONGEST_VALUE + "; send it by the fabric");
        }
    }
}
