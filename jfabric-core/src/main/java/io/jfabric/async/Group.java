// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.internal.async.group.GroupOpening;
import io.jfabric.internal.group.GroupImpl;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Processes that work together, each known by its rank: collective operations, made in software from tagged messages,
 * so that they work on every provider.
 *
 * <p>All members start the same operations in the same order, with buffers of the same sizes (except for the
 * {@link #allToAll(MemorySegment, long[], MemorySegment, long[]) allToAll} that takes explicit sizes) and, where they
 * combine elements, the same types and {@link AtomicOp}s. Where a message has another size than is expected, the
 * operation fails, and says so. Nothing checks types and {@code AtomicOp}s: members that differ in these get wrong
 * elements, and no error. Several operations, and operations of several groups, may be under way at once. An operation
 * throws {@link IllegalStateException} while the one that was started {@value #LIMIT} before it in its group, or an
 * older one, is under way. All members need the same version of jfabric and of
 * libfabric, as these decide which messages wait for their receivers. A node with low limits
 * ({@link NodeOptions#withTransmitLimit} and similar) needs room for the messages of all of them. {@code shm} before
 * libfabric 2.0 has such a limit itself: a node has {@code rx().size()} places, 1,024, for what its groups wait for and
 * for what others have sent to operations that it has not started, together. If all are taken, nobody goes on, and what
 * is under way fails at its deadline. An operation has up to one message from each other member, and a root may be any
 * number of broadcasts ahead: there, let all members wait for a {@link #barrier} after every few hundred messages. On
 * {@code tcp} since libfabric 1.18 a member goes some thirty messages ahead of another one in each group: the rest
 * waits until that has received some, and futures with it. A member that is so late in three groups, or in one that was
 * closed meanwhile and opened again by its name, keeps all others waiting whose messages are behind.
 * Operations are started without waiting; their futures are completed by the thread that drives the node, or by
 * another one if they are late; with {@link NodeOptions#withExecutor} by that executor.
 *
 * <p>The name of a group may be used again once it was closed with nothing under way: by the same members, all of them,
 * as often at each. Members that are done may do so while others are not. A group with another member, even one that
 * was only started anew, needs another name: what is still heard of the old one would be taken for the new one's.
 * Tags have 24 bits for the name. So one in 16.7 million pairs of names is alike in them: of two such groups that share
 * a node, one cannot be made there while the other is open, or once that has failed. That throws
 * {@link IllegalStateException}, and what the other members do in that group fails at once, with the reason. All
 * members then make it with another name. A node that has seen hundreds of thousands of groups fail meets this more
 * often than once in a hundred; a new node begins anew.
 *
 * <p>Buffers are native memory and belong to the operation until its future is done; if that has failed, perhaps until
 * the node is closed, as messages that are with the provider often cannot be taken back ({@link Node#released} tells).
 * They must not be confined to a thread, unless callers make all progress ({@link NodeOptions#withCallerProgress}) and
 * only that thread makes progress; callbacks of futures must not wait for anything then, as another thread goes on with
 * what is late or waits. They hold whole elements; their sizes say how many. A result buffer may be larger than the
 * result. If an operation can work in place, its description says so; otherwise buffer and result must not overlap.
 *
 * <p>What can be combined: integers of 8 to 128 bits with {@link AtomicOp#MIN} to {@link AtomicOp#BXOR}; FLOAT, DOUBLE,
 * FLOAT16 and BFLOAT16 with the same, except the bitwise operations; complex numbers with these, except MIN and MAX.
 * The order in which floating point numbers are combined depends on sizes and ranks, but all members get the same bits
 * (except those of a NaN).
 *
 * <p>When an operation fails at one member, it tells all others. So that operation and all after it, under way or
 * started later, fail everywhere at once, with the reason's error or {@code FI_ECANCELED}; the message names the rank
 * and the reason. Those before it go on. Cancelling a future, or completing it in any other way, is such a failure, and
 * so is closing the group while operations are under way. Closing it when this member is done tells nobody, as others
 * may still be busy with the same operations: a member that cannot go on calls {@link #abort}. After a failure the
 * group cannot be used any more. {@link #shrink} makes a group of the members that are left when one has died; else
 * make a new one, with a new name. Once it is closed, operations throw {@link IllegalStateException}.
 *
 * <p>Every operation has a deadline: the node's, unless {@link #within} says otherwise. After it the future fails
 * with {@code FI_ETIMEDOUT}: when a member has died, or could not be told. Where {@link KeepAlive} watches the dead
 * member, or its peer was closed, everything that is under way in the group fails at once at this member, and so does
 * what is started next, with the keep-alive's reason ({@code FI_EHOSTDOWN}, {@code FI_ECONNRESET}) or
 * {@code FI_ECANCELED}, and names the rank. That includes what waits for a live member, which may itself be waiting for
 * the dead one. So every member should {@linkplain KeepAlive#watch(Group) watch all others}. A member that has done its
 * part and ends fails the rest in the same way. The end of a process that is not a member does a group no harm, however
 * late it becomes known.
 *
 * <p>The messages carry tags with bit 61 or 62 set. Nodes keep these tags for themselves; a program that uses the
 * node's endpoint directly must not send them, nor receive with an {@code ignore} that has one of these bits.
 *
 * <p>Wrong arguments throw {@link IllegalArgumentException} at once, memory that is confined to a thread
 * {@link WrongThreadException}, and the group stays usable; but if the others have started that operation, it is out of
 * step: start the operation again with the right arguments, before any other. All methods may be called from any
 * thread; the program decides on the order among its threads.
 *
 * <p>When a future is done, this member's part is done, but perhaps not that of the others: what was sent last may
 * still be on its way. Closing the node too early loses it; let members tell each other that they are done, or pause
 * briefly before closing.
 */
public sealed interface Group extends AutoCloseable permits GroupImpl {
    /**
     * How many operations of one group may be under way. Those that are over count, too, while one that was started
     * before them is under way: an operation is refused while the one started so many before it, or an older one, is.
     */
    int LIMIT = 1024;

    /**
     * The group of the nodes at these addresses. To be called by all of them; sends nothing.
     *
     * @param node this member's node, with the capability TAGGED
     * @param addresses the bytes of {@link Node#address()} of all members, this one among them, in the same order
     *        everywhere, which is that of the ranks
     * @return the group, to be closed before the node or by it
     * @throws IllegalArgumentException as {@link #ofAddresses(Node, String, List)} does
     * @throws IllegalStateException as {@link #ofAddresses(Node, String, List)} does; if there is a group of the same
     *     addresses already, give them names
     * @throws FabricException as {@link #ofAddresses(Node, String, List)} does
     */
    static Group ofAddresses(Node node, List<byte[]> addresses) {
        return ofAddresses(node, "", addresses);
    }

    /**
     * The same with a name: several groups of the same addresses need different ones. To be called by all of them;
     * sends nothing.
     *
     * @param node this member's node, with the capability TAGGED
     * @param name the same at all members
     * @param addresses the bytes of {@link Node#address()} of all members, this one among them, in the same order
     *        everywhere, which is that of the ranks; a member whose peer has ended becomes a new peer, as
     *        {@link Node#peer(byte[])} says
     * @return the group, to be closed before the node or by it
     * @throws IllegalArgumentException if the node's own address is not among them, two are the same, one cannot be an
     *     address of the node's provider, or they are more than 65,536
     * @throws IllegalStateException if the node has an open group of this name and these addresses, or had one that
     *     failed or was closed while operations were under way, or one whose tags are the same by chance; if the node
     *     is closed or connection-oriented
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits; if the provider refuses an address, as for {@link Node#peer(byte[])}
     */
    static Group ofAddresses(Node node, String name, List<byte[]> addresses) {
        return GroupOpening.ofAddresses(node, name, addresses);
    }

    /**
     * A group of peers. To be called by all of them; sends nothing.
     *
     * @param node this member's node, with the capability TAGGED
     * @param name the same at all members; groups that share members need different names, also one after the other,
     *        unless all members are the same. All members make the group in this way: one of
     *        {@linkplain #ofAddresses addresses} is another
     * @param members the peers in the order of their ranks; the entry at this node's own rank may be any peer that is
     *        not another member, such as the node itself
     * @param rank this node's rank
     * @return the group, to be closed before the node or by it
     * @throws IllegalArgumentException if the rank is not one of the members', two members are the same peer, one is
     *     another node's, or they are more than 65,536
     * @throws IllegalStateException if the node has an open group of this name, or had one that failed or was closed
     *     while operations were under way, or one whose tags are the same by chance; if a member was closed by the
     *     program, or the node is closed or connection-oriented
     * @throws FabricException {@code FI_EOPNOTSUPP} if the node was opened without the capability {@code TAGGED}, or
     *     its tags have fewer than 63 bits
     */
    static Group ofPeers(Node node, String name, List<Peer> members, int rank) {
        return GroupOpening.ofPeers(node, name, members, rank);
    }

    /**
     * This member.
     *
     * @return the rank, from 0
     */
    int rank();

    /**
     * How many members there are.
     *
     * @return at least 1
     */
    int size();

    /**
     * Who they are. A peer says which rank it had in a group that this one was made of:
     * {@code all.members().indexOf(shrunk.group().members().get(rank))}; a job's rank, if the group was made of the
     * peers of the job. Those of {@code all} that are not here any more are those that were lost.
     *
     * @return the peers in the order of their ranks, also when the group has failed or is closed; at this member's own
     *     rank the one that the group was made with: of {@linkplain #ofAddresses addresses} the node itself. Cannot be
     *     changed
     */
    List<Peer> members();

    /**
     * Tells when the group cannot be used any more, also while nothing of it is under way: to give up other operations
     * that wait for a member, which sends nothing any more once it knows. {@code CompletableFuture.anyOf(received,
     * group.ended())} waits for either. The same future for all who ask, as {@link Peer#ended()}.
     *
     * @return done when the group is closed on this side, or with its node; fails with the reason once an operation has
     *     failed here or at another member, a member is gone ({@link Peer#ended()}), or one has {@linkplain #abort
     *     aborted} the group. What was started before that may still be completed
     */
    CompletableFuture<@Nullable Void> ended();

    /**
     * The same group with another deadline for the operations that are started with it. Both are one group: what
     * fails or closes one of them does so to the other.
     *
     * @param deadline how long an operation may take, more than 0; {@link NodeOptions#NO_DEADLINE} for no limit
     * @return a view of this group; may be kept, and need not be closed: its {@link #close()} closes this group
     * @throws IllegalArgumentException if the deadline is not more than 0
     */
    Group within(Duration deadline);

    /**
     * A group of some of the members. Sends nothing. To be called by all members of the new group.
     *
     * @param ranks their ranks in this group, in the order of their ranks in the new one, this member among them
     * @return the new group, which may outlive this one
     * @throws IllegalArgumentException if a rank is not one of this group's or is given twice, or this member's own is
     *     missing
     * @throws IllegalStateException as {@link #subgroup(String, int...)} does; if a group of the same ranks is open,
     *     give the new one a name
     */
    default Group subgroup(int... ranks) {
        return subgroup("", ranks);
    }

    /**
     * A group of some of the members, with a name: several groups of the same members need different ones.
     *
     * @param name the same at all members
     * @param ranks their ranks in this group, in the order of their ranks in the new one, this member among them
     * @return the new group, which may outlive this one
     * @throws IllegalArgumentException if a rank is not one of this group's or is given twice, or this member's own is
     *     missing
     * @throws IllegalStateException if there is an open group of this name and these ranks, or was one that failed or
     *     was closed while operations were under way, or one whose tags are the same by chance
     */
    Group subgroup(String name, int... ranks);

    /**
     * What {@link Group#shrink} gives.
     *
     * @param group of those who are left; has the deadline of the one that was shrunk
     * @param least the least of the values that they have given
     */
    record Shrunk(Group group, long least) {
    }

    /**
     * Goes on without the members that have died. Waits until one has ended here (its {@link Peer#ended()}: where
     * {@link KeepAlive} says so, or the program closes it) or at another member that shrinks the group, which tells
     * this one; makes a group of those that have not, in the order of their ranks; and waits until they all have come
     * to it, each with a value, such as the first step that it has not completed. Should more end meanwhile, those who
     * are left try again without them. To be called by all who are left, whether this group has failed yet or not. Once
     * a member has ended it fails here, if it has not, and the others are told, as by {@link #abort}.
     * {@link #members()} of the new group says who is left: whom one member has lost nobody goes on with, although
     * others may still hear from it.
     *
     * <p>Members may learn of two deaths in either order, or at once, and one may be done, and about to use a group
     * that another has found too large: its next operation fails then, and all come together when each shrinks the last
     * group that it has. The groups in between need not be closed: closing the group that was shrunk first closes all
     * that came of it, except {@linkplain #subgroup subgroups}.
     *
     * <p>If the network falls into parts, each goes on without the others. A program that must not do so compares: the
     * part that goes on has more than half of the members, {@code shrunk.group().size() * 2 > all.size()}. A member
     * that has only been stopped, and is given up by others, must not go on at all: its shrink fails.
     *
     * @param value this member's
     * @param deadline for all of it, more than 0; {@link NodeOptions#NO_DEADLINE} for no limit. A keep-alive needs up
     *        to two intervals to find out, not at the same time at all members
     * @return done when all who are left have come. Fails with {@code FI_ETIMEDOUT} after the deadline, as nobody has
     *     ended or not all have come; with {@code FI_ECONNRESET} if a member has given this one up, which had not
     *     answered it, or has closed its peer: close the node then, so that others do not count on it; with {@code
     *     FI_ECANCELED} when the node or its keep-alive is closed, with {@link IllegalStateException} when the group
     *     is. May be cancelled. If this member knew of an end by then, the others do not wait for it any more, but for
     *     one more to end, and so does this one if it shrinks the group again. If it knew of none they may wait for it:
     *     it may still come
     * @throws IllegalStateException if the group or its node is closed, is being shrunk, or was shrunk before; if it
     *     has one member
     * @throws IllegalArgumentException if the deadline is not more than 0
     */
    CompletableFuture<Shrunk> shrink(long value, Duration deadline);

    /**
     * Waits until every member has come to the barrier.
     *
     * @return done when every member has started it
     */
    CompletableFuture<@Nullable Void> barrier();

    /**
     * Sends the root's buffer to all members.
     *
     * @param buffer the data; at the other members, room of the same size
     * @param root the rank that has the data
     * @return done when this member has sent or received it
     */
    CompletableFuture<@Nullable Void> broadcast(MemorySegment buffer, int root);

    /**
     * Combines the buffers of all members, element by element, for the root.
     *
     * @param buffer this member's elements
     * @param result at the root room for as many, may be the buffer; elsewhere ignored, and may be null
     * @param type the type of the elements
     * @param operation how to combine
     * @param root the rank that gets the result
     * @return done when this member's part is done
     */
    CompletableFuture<@Nullable Void> reduce(MemorySegment buffer, @Nullable MemorySegment result, Datatype type,
            AtomicOp operation, int root);

    /**
     * Combines the buffers of all members, element by element, and gives the result to every member.
     *
     * @param buffer this member's elements
     * @param result room for as many; may be the buffer
     * @param type the type of the elements
     * @param operation how to combine
     * @return done when the result is there
     */
    CompletableFuture<@Nullable Void> allReduce(MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp operation);

    /**
     * Combines the buffers of all members, and gives each its block of the result.
     *
     * @param buffer this member's elements, as many for each member
     * @param result room for one block; may be this member's block of the buffer
     * @param type the type of the elements
     * @param operation how to combine
     * @return done when the block is there
     */
    CompletableFuture<@Nullable Void> reduceScatter(MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp operation);

    /**
     * Collects every member's buffer at the root.
     *
     * @param buffer this member's block
     * @param result at the root room for the blocks of all, in the order of ranks; the buffer may be the root's block
     *        in it; elsewhere ignored, and may be null
     * @param root the rank that gets them
     * @return done when this member's part is done
     */
    CompletableFuture<@Nullable Void> gather(MemorySegment buffer, @Nullable MemorySegment result, int root);

    /**
     * Collects every member's buffer at every member.
     *
     * @param buffer this member's block
     * @param result room for the blocks of all, in the order of ranks; the buffer may be this member's block in it
     * @return done when the blocks of all are there
     */
    CompletableFuture<@Nullable Void> allGather(MemorySegment buffer, MemorySegment result);

    /**
     * Gives each member its block of the root's buffer.
     *
     * @param buffer at the root the blocks for all, in the order of ranks; elsewhere ignored, and may be null
     * @param result exactly one block; at the root it may be the root's block in the buffer
     * @param root the rank that has them
     * @return done when this member's part is done
     */
    CompletableFuture<@Nullable Void> scatter(@Nullable MemorySegment buffer, MemorySegment result, int root);

    /**
     * Sends each member its own block of this member's buffer.
     *
     * @param buffer a block for each member, in the order of ranks
     * @param result room for a block from each, in the order of ranks; may be the buffer
     * @return done when the blocks of all are there
     */
    CompletableFuture<@Nullable Void> allToAll(MemorySegment buffer, MemorySegment result);

    /**
     * Sends each member its own block of this member's buffer; each block has a size of its own. Where a member does
     * not know how much comes from the others, let all tell each other their sizes first, as one {@code long} for each
     * member, by {@link #allToAll(MemorySegment, MemorySegment)}. With all sizes 0 but those to or from one member, it
     * gathers or scatters blocks of different sizes.
     *
     * @param buffer the blocks for the members, one after the other in the order of ranks; may have more behind them
     * @param sizes the size of each of them, in bytes; may be 0
     * @param result room for a block from each, one after the other in the order of ranks; apart from the buffer
     * @param resultSizes the size of each of these, in bytes: what the member has in its {@code sizes} for this one
     * @return done when the blocks of all are there
     */
    CompletableFuture<@Nullable Void> allToAll(MemorySegment buffer, long[] sizes, MemorySegment result,
            long[] resultSizes);

    /**
     * Says that this member cannot go on, such as in a {@code catch} block, before the group is closed: all that this
     * member has not started fails at once at the others, with {@code FI_ECANCELED}; the message names this rank and
     * the reason. What it has started goes on until the group is closed. The group cannot be used any more; groups that
     * were made of it can. If it is closed, or has failed already, nothing happens.
     *
     * @param reason for people; others get no more than its first 481 bytes in UTF-8
     * @return done when the others have been told, or cannot be, for one that has stopped after 30 seconds or the
     *     node's deadline if that is shorter: wait for it before you close the node. A member that is just sending
     *     to this one may then name its end as the reason
     */
    CompletableFuture<@Nullable Void> abort(String reason);

    /**
     * Ends the group, and those that came of it by {@link #shrink}; operations under way fail, here and at the other
     * members. Messages that were sent already are not taken back.
     */
    @Override
    void close();
}
