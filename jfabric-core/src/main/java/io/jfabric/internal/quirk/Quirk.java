// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.util.List;
import java.util.function.Predicate;

/**
 * What one provider, or one release of libfabric, does wrong or takes for granted, and what jfabric does about it. This
 * package is the only code that knows providers by name; all else asks {@link Quirks#has}, once for each domain.
 *
 * <p>A new entry needs a provider, the releases it belongs to, a test that shows it, and somebody who asks for it. The
 * tables in docs/quirks.md are made from these entries, and from those of {@code Fault}, beside its test, for which
 * nobody asks.
 */
public enum Quirk {
    /** {@code fi_ep_bind} and later operations dereference a queue that is not there. */
    NEEDS_QUEUES(List.of("shm", "tcp", "net", "udp", "ofi_rxm", "ofi_rxd"), Releases.ALL,
            "an endpoint without a completion queue crashes at its first operation",
            "prov/util: the queue is used without a check that it is there",
            "`enable()` throws `IllegalStateException`", "HostileUserTest"),
    /** Options are looked up in a structure that only enabling makes. */
    OPTIONS_AFTER_ENABLE(List.of("shm", "sm2"), Releases.ALL,
            "reading an option before `enable()` crashes", "smr_getopt: ep->srx is NULL until then",
            "`option()` throws `IllegalStateException`", "EndpointControlTest"),
    LATE_MIN_MULTI_RECV(List.of("shm", "sm2"), Releases.before("2.0"),
            "`MIN_MULTI_RECV` cannot be set before `enable()`", "smr_setopt: ep->srx is NULL until then",
            "keeps the value and sets it then", "EndpointControlTest"),
    LATE_MIN_MULTI_RECV_IN_SM2(List.of("sm2"), Releases.since("2.0"),
            "`MIN_MULTI_RECV` cannot be set before `enable()`", "sm2_setopt", "keeps the value and sets it then",
            "EndpointControlTest"),
    /** The copy loop ends when all is copied, and spins when there is no room left. */
    ENDLESS_TRUNCATION(List.of("shm", "sm2", "lnx"), Releases.ALL,
            "a message above 4096 bytes into a receive too short for it: the receiver's poll never returns; over `lnx` "
                    + "it crashes, if the message is there first",
            "smr_cma_loop, later cma_copy: the local buffers end before the remote ones do",
            "gives every receive a tail of reserved address space, and reports `FI_ETRUNC`", "ShmSpinTest"),
    SILENT_TRUNCATION(List.of("ofi_rxd"), Releases.ALL,
            "a message longer than its receive completes as if it had fitted",
            "rxd_complete_rx: compares with the length of the receive", "as above", "TruncationTest"),
    SILENT_TRUNCATION_OF_DATAGRAMS(List.of("udp"), Releases.ALL,
            "a datagram longer than its receive completes as if it had fitted",
            "udpx_ep_progress: does not look at MSG_TRUNC",
            "gives receives a tail of 64 KiB, and reports `FI_ETRUNC`; not those with `rx().iovLimit()` buffers, where "
                    + "nobody is told", "DatagramTruncationTest"),
    /** The queue has room for the sends under way only, so it has to be polled even then. */
    REPORTS_UNASKED(List.of("udp"), Releases.ALL,
            "sends that ask for no completion, over a queue that is bound with `SELECTIVE_COMPLETION`, are reported",
            "udpx_sendto: calls tx_comp whatever was asked for",
            "drops these reports; poll the queue, as sends are refused once it is full of them; operations have no raw "
                    + "contexts", "CompletionsTest",
            Quirk::isAlone),
    /** The same for received messages, too, but only on unconnected endpoints. */
    REPORTS_UNASKED_IN_NET(List.of("net"), Releases.ALL,
            "sends and receives that ask for no completion, over a queue that is bound with `SELECTIVE_COMPLETION`, "
                    + "are reported", "xnet_bind_conn: connections lack the op_flags of the endpoint", "as above",
            "CompletionsTest", Quirk::isNotUnderRxm),
    /** The code of net, under its later name. */
    REPORTS_UNASKED_IN_TCP(List.of("tcp"), Releases.between("1.18", "1.20"), "as above", "xnet_bind_conn: as above",
            "as above", "CompletionsTest", Quirk::isNotUnderRxm),
    /** rxm hands the buffer of the receive to tcp, to read the message into. */
    TRUNCATION_ENDS_CONNECTION(List.of("ofi_rxm"), Releases.before("1.18"),
            "over tcp, a message up to 16 KiB that is longer than its receive ends the connection below as well: "
                    + "messages that are under way then are lost, though their sends succeed",
            "tcpx_progress.c: \"dynamically provided rbuf is too small\" fails the receive of the message",
            "gives receives a tail of 64 KiB, and reports `FI_ETRUNC`; not those with `rx().iovLimit()` buffers, nor "
                    + "multi-receives", "TruncatedBesideTest", Quirk::isOverTcp),
    /** There is nowhere to read the part of the message that does not fit. */
    TRUNCATION_DISCONNECTS(List.of("tcp", "net"), Releases.before("1.19"),
            "a message that is longer than its receive also ends the connection: what is sent next fails with "
                    + "`FI_ENOTCONN`, or is lost",
            "tcpx_op_msg, xnet_op_msg: tells of it, then of an error of the stream",
            "gives receives a tail of reserved address space, and reports `FI_ETRUNC`; not those with "
                    + "`rx().iovLimit()` buffers", "TruncatedBesideTest", Quirk::isNotUnderRxm),
    LENGTH_OF_THE_MESSAGE(List.of("ofi_rxm", "sockets"), Releases.ALL,
            "the error of a receive that was too short has the length of the whole message",
            "rxm_cq_write_error_trunc, sock_pe_report_rx_error: len", "subtracts what did not fit",
            "TruncatedBesideTest"),
    FULL_QUEUE_STOPS_RECEIVES(List.of("ofi_rxd"), Releases.ALL,
            "as long as the completion queue is full, no receive is taken", "rxd_ep_generic_recvmsg: ofi_cirque_isfull",
            "receives that ask for no report, and are reported only for their length, fill at most half of the queue; "
                    + "more are not reported", "SilentTruncationTest"),
    EMPTY_RECEIVES(List.of("tcp", "ofi_rxm"), Releases.ALL,
            "a receive of 0 bytes that gets a longer message never completes, or breaks the connection; with rxm, if "
                    + "the message is above 16 KiB",
            "xnet_recv_msg_data: nothing read is taken for the end; rxm_rndv_read: reads nothing, and waits for it",
            "gives it a byte of its own, and reports `FI_ETRUNC`; refuses multi-receives of 0 bytes", "TruncationTest"),
    /** The receiver reads only the pieces that fit, but waits for as many completions as there are pieces. */
    PIECES_NOT_ASKED_FOR(List.of("ofi_rxm"), Releases.ALL,
            "a message above 16 KiB of several buffers into a receive that ends before the last of them begins never "
                    + "completes on either side, and neither domain can be closed",
            "rxm_rndv_xfer: reads no further pieces, of which RXM_RNDV_READ counts the completions",
            "sends a copy in one piece; `FI_EOPNOTSUPP` where no completion would tell when the copy can go; memory of "
                    + "devices is not copied, and programs in C send such messages: docs: receive into enough room",
            "TruncatedPiecesTest"),
    /** Reads are implemented as waits without a threshold, which is taken for a threshold of 0. */
    THRESHOLD_OF_READS(List.of("sockets"), Releases.ALL,
            "nothing is ever read from a queue with a wait threshold, except by waiting", "sock_cq_readfrom",
            "opens it without; waits end with the first completion", "WaitTest"),
    /** Peeks are taken for receives without a buffer. */
    NO_PEEK(List.of("shm", "sm2"), Releases.before("2.0"),
            "peeking takes the message, or never returns", "smr_trecvmsg does not know `FI_PEEK`",
            "refuses it with `FI_EOPNOTSUPP`", "ShmSpinTest"),
    /** A message that came before its receive is put aside in a second step. */
    RECEIVES_RACE(List.of("shm"), Releases.between("1.17", "1.19"),
            "a receive that one thread posts while another one polls misses a message that comes at that moment: the "
                    + "message stays with the provider, and keeps all that its sender sends later from completing",
            "smr_progress_cmd_msg: lets go of the lock between get_tag, get_msg and queue_tag, queue_msg",
            "lets a thread poll, or post receives, only while no other one of the domain does", "ReceiveRaceTest"),
    /** Its queues have locks, but it does not take them. */
    RECEIVES_RACE_IN_LNX(List.of("lnx"), Releases.since("2.2"),
            "receives that one thread posts while another one polls are lost",
            "lnx_process_recv, lnx_get_tag: change lq_queue without lq_qlock", "as above", "LnxReceivesTest"),
    /** Receives and messages that nobody waits for share the same entries. */
    RECEIVES_FILL_UP(List.of("shm"), Releases.before("2.0"),
            "with as many receives posted as fit, one message that matches none blocks all behind it",
            "smr_get_msg, smr_get_tag: no entry left", "keeps 64 entries free: `receive` answers false before; "
                    + "opens endpoints with 64 more, up to 1024 in all; docs: what is sent to a node ahead of its "
                    + "receives, also by groups, has to fit", "ShmSpinTest"),
    QUEUES_OF_NONE(List.of("shm"), Releases.ALL,
            "with `FI_SHM_TX_SIZE=0` no long message can be sent, with `FI_SHM_RX_SIZE=0` none at all",
            "smr_info.tx_attr->size: its queues have as many entries", "opening an endpoint throws; one with a size of "
                    + "0 of its own is opened with 1", "ShmSizesTest"),
    /** In a queue of one entry, the full entry looks like the free one of the next round. */
    QUEUES_OF_ONE_OVERFLOW(List.of("shm"), Releases.since("1.18"),
            "with a receive size of 1, two messages at a time: one is lost, and the receiver's poll never returns",
            "ofi_atomic_queue.h: a queue of one entry", "opens it with 2", "ShmSizesTest"),
    QUEUES_OF_MANY_OVERFLOW(List.of("shm"), Releases.ALL,
            "with `FI_SHM_TX_SIZE` or `FI_SHM_RX_SIZE` above 32,768 the first message crashes",
            "ofi_mem.h, smr_freestack: its indexes have 16 bits", "opens endpoints with 32,768", "ShmSizesTest"),
    EMPTY_NEVER_DELIVERED(List.of("shm"), Releases.before("2.0"),
            "a message of 0 bytes with `DELIVERY_COMPLETE` never completes, and blocks the way to its peer",
            "smr_do_sar: 0 bytes are never done", "refuses it with `FI_EOPNOTSUPP`", "ShmSpinTest"),
    EMPTY_NOT_AWAITED(List.of("shm"), Releases.between("2.0", "2.5"),
            "a message or write of 0 bytes with `DELIVERY_COMPLETE` completes before the other side has seen it",
            "smr_progress_resp_entry: 0 of 0 bytes are done; smr_progress_sar then sets the status of an entry that "
                    + "may be another operation's by then",
            "refuses it with `FI_EOPNOTSUPP`", "ShmSpinTest"),
    /** The target copies what it has on its stack, of the room that only memory of a device would use. */
    READS_FETCH_RUBBISH(List.of("shm"), Releases.between("1.20", "1.22"),
            "`ATOMIC_READ` fetches what lies on the target's stack", "smr_do_atomic: copies tmp_dst (until 1.21.0)",
            "answers that there is none: fetch with `BOR` or `SUM` of 0", "AtomicsTest"),
    /** Only atomics that fetch nothing: others take an entry of their own anyhow. */
    REFUSED_ATOMICS_SPOIL(List.of("shm"), Releases.since("2.6"),
            "an atomic of more than 200 bytes that fetches nothing crashes if the peer's own have taken all its "
                    + "buffers",
            "smr_generic_atomic: gives the peer's queue entry back as one of its own",
            "adds `DELIVERY_COMPLETE`, with which the entry is its own", "AtomicsBetweenTest"),
    /** A buffer that was given back twice is later used for two messages. */
    DELIVERED_ATOMICS_FREE_TWICE(List.of("shm"), Releases.before("2.5"),
            "an atomic that fetches nothing, with `DELIVERY_COMPLETE`, corrupts later messages to that peer",
            "smr_progress_inject_atomic, smr_progress_resp_entry: both give the buffer back",
            "refuses it with `FI_EOPNOTSUPP`, also as a default flag of endpoints with `ATOMIC`",
            "DeliveredAtomicsTest"),
    /** Messages above 4096 bytes are read from the sender's memory, and answered there. */
    CLOSED_PEERS_IN_USE(List.of("shm"), Releases.ALL,
            "closing an endpoint whose messages another endpoint of the process has not read, or answered, crashes",
            "smr_progress_iov, smr_progress_resp_entry: regions of the own process are pointers",
            "leaves it to the provider until no open endpoint of the process knows it", "ShmCloseTest"),
    /** Closing drops the messages that nobody received, and tells their senders. */
    DISCARDS_INTO_CLOSED_PEERS(List.of("shm"), Releases.since("1.20"),
            "closing an endpoint with large messages that nobody received crashes, if their sender is closed already",
            "smr_discard: writes to the sender's region", "maps unused memory in its place until all are closed",
            "ShmCloseTest"),
    /** The first message to a peer asks it to map the sender's file. */
    CLOSED_BEFORE_ANSWER(List.of("shm"), Releases.before("2.0"),
            "a process that closes an endpoint right after its first send crashes the receiver",
            "smr_progress_connreq: the file is not there any more",
            "waits half a second for the answer, then leaves the file; in builds whose regions have fields of another "
                    + "size, half a second in any case", "ShmCloseTest"),
    /** A spin lock in shared memory. */
    LOCK_OUTLIVES_PROCESS(List.of("shm"), Releases.before("2.5"),
            "after a process has died inside an endpoint's lock, polls and sends that need the lock never return",
            "smr_generic_sendmsg, smr_progress_cmd, since 1.18 smr_get_txbuf, smr_release_txbuf: pthread_spin_lock of "
                    + "the region",
            "a thread of its own finds the dead process, or that no living one can have the lock, frees it and takes "
                    + "the endpoint out of service; not while one that may have it is stopped, nor in builds whose "
                    + "regions have fields of another size", "ShmLockTest"),
    /** A spin lock in shared memory, of a list of buffers. */
    BUFFER_LOCK_OUTLIVES_PROCESS(List.of("shm"), Releases.since("2.6"),
            "after a process has died while it took a buffer from an endpoint, or gave one back, polls and sends that "
                    + "need one never return",
            "smr_get_inject_buf, smr_return_inject_buf, smr_return_sar_buf_by_index: fs_lock of the region",
            "the thread that watches for entries of dead processes frees the lock once no living thread that has the "
                    + "region mapped can have it; not where it would not discard entries; the buffer is lost",
            "ShmLockTest"),
    /** Entries of a queue are committed in two steps, and read in their order. */
    CLAIMS_OF_THE_DEAD(List.of("shm"), Releases.since("1.18"),
            "if a process is killed in the middle of a send, nothing comes to the receiver any more, from anybody",
            "smr_cmd_queue_next takes an entry, smr_cmd_queue_commit comes after the copy; since 2.5 "
                    + "smr_return_queue_next, too",
            "the thread that watches locks discards the entry, once no thread that has the region mapped can be its "
                    + "sender; not while such a process is stopped, nor where the kernel does not tell what threads "
                    + "wait for (`/proc/.../wchan`), nor before 1.20 while one polls without a pause, nor in a "
                    + "container next to regions of processes that were not seen there; then the log tells after ten "
                    + "seconds; nor in builds whose regions have fields of another size",
            "DeadClaimTest"),
    /** The answers of all peers share one queue. */
    ANSWERS_OF_THE_DEAD(List.of("shm"), Releases.before("2.5"),
            "a message above 4096 bytes (or a read, or an atomic with a result) that a process has not taken when it "
                    + "dies never completes, nor does anything of the kind that was sent later, to any peer; after "
                    + "1024 of them no more are sent",
            "smr_progress_resp: looks at the answers in their order, and waits for the first",
            "the thread that watches locks answers for dead processes: `FI_ECONNRESET`; not where the kernel forbids "
                    + "to read another process's memory (copies), nor for processes of other namespaces, nor in builds "
                    + "whose regions, or maps of peers, have fields of another size, nor for memory of devices, nor in "
                    + "1.17 if another process had taken the name before", "DeadAnswersTest"),
    /** Nothing can be answered in the receiver's place, which may still read the message. */
    SLOW_PEERS_HOLD_UP_OTHERS(List.of("shm"), Releases.before("2.5"),
            "a message above 4096 bytes to a peer that is alive but does not take it, as it has posted no receive, "
                    + "does not poll or is stopped, keeps later ones to other peers from completing; after 1024 of "
                    + "them no more are sent", "smr_progress_resp: as with dead peers",
            "those of groups wait until their receives are there, and what comes after an operation has failed is "
                    + "received and dropped; docs: keep messages to peers that may stop receiving at 4 KiB or less, or "
                    + "use `tcp`; limits for each peer do not help", "HeldUpGroupsTest"),
    /** Messages that wait are kept in entries that receives used before. */
    EARLY_TAGS_BY_OTHER_MASKS(List.of("shm"), Releases.before("1.19"),
            "a tagged message that is here before its receive is compared by the `ignore` bits of an older one: a "
                    + "receive with such bits may miss it, and one without may take another message for its own",
            "smr_match_tagged: looks at the entry's ignore, in place of the receive's",
            "the everyday layer's own receives take whole tags; docs: post receives before messages can come, or "
                    + "ignore no bits on that endpoint", "HeldUpGroupsTest"),
    /** Peers are found by name, and the file of a killed one is still there. */
    TOLD_TO_THE_DEAD(List.of("shm"), Releases.ALL,
            "if the first message to a peer is sent after its process was killed, the peer is not reached, even if it "
                    + "is started again with its name",
            "smr_send_name: name_sent stays set, and the new process's region does not have the name any more",
            "before 2.5: the thread that watches locks sees the new process, and has the name sent once more; not if "
                    + "the old file was removed first, as jfabric does if it had met others, nor if the new process "
                    + "was there within a tenth of a second, nor in builds whose regions, or maps of peers, have "
                    + "fields of another size", "DeadNameTest"),
    /** Peers are also known by the file that their name stood for first. */
    REMEMBERS_FILES(List.of("shm"), Releases.before("2.5"),
            "a peer that was closed in order and is started again with its name is not reached by those that knew it; "
                    + "one that was killed may take messages for another peer's",
            "smr_map_add: for a known name the region mapped at first, and the number that the one before gave this "
                    + "side",
            "`insert` of a name that now belongs to another process, or to another file, takes a new place, under the "
                    + "name with one more slash before it, which leads to the same file", "NameAgainTest"),
    /** What is mapped already is not mapped anew. */
    SUCCESSORS_UNMAP(List.of("shm"), Releases.before("2.0"),
            "a process that takes the name of an endpoint that was closed in order, and is the first to write to a "
                    + "process that knew that one, crashes it",
            "smr_progress_connreq: unmaps the region, and smr_map_to_region returns, as there is one",
            "closing an endpoint writes into its region that it is too large to be unmapped; not in builds whose "
                    + "regions have fields of another size, nor where the endpoint was not jfabric's. The new one is "
                    + "not heard before its name is inserted again", "SuccessorTest"),
    /** The only wait object that providers without file descriptors have. */
    UNSPEC_WAIT_IGNORES_TIMEOUT(List.of("shm", "sm2"), Releases.before("2.0"),
            "a blocking read ends only with an event", "util_wait_yield_run: no clock",
            "polls instead", "WaitTest"),
    YIELD_WAIT_IGNORES_TIMEOUT(List.of(), Releases.before("2.0"),
            "a blocking read with `WaitObject.YIELD` ends only with an event", "util_wait_yield_run: no clock",
            "polls instead", "WaitTest"),
    /** Endpoints are files, which only the provider's signal handlers would remove. */
    LEAVES_NAMES(List.of("shm"), Releases.ALL,
            "an endpoint is a file in `/dev/shm`, which only the provider's signal handlers remove",
            "smr_init_sig_handlers", "gives the JVM its handlers back and removes the files when the JVM ends",
            "SignalsTest"),
    /** Endpoints of one process use each other's memory. */
    PEERS_IN_PROCESS(List.of("shm"), Releases.ALL,
            "sending to a closed endpoint of the same process crashes",
            "smr_map: regions of the own process are pointers",
            "forgets the address when the endpoint closes; refuses addresses of another copy of jfabric in the process",
            "HostileUserTest"),
    /** Only who is spoken to maps the other one, and each speaks for itself once they seem to be of two processes. */
    ANSWERS_IN_PROCESS(List.of("shm"), Releases.since("2.5"),
            "messages of more than a few KiB to an endpoint of the same process that has spoken first crash",
            "smr_map_to_region: for regions of the own process it returns before smr_map_to_endpoint",
            "inserts the name with a slash before it, which leads to the same file, but to none of this process for "
                    + "the provider; and also as it is, with the same value, for what comes from there. So such peers "
                    + "take two places, and values are not consecutive; so do names that nobody has yet. Through `lnx` "
                    + "it still crashes", "AnswersInProcessTest"),
    /** Whose file cannot be opened is taken for one who is there; newer releases open their own without a look. */
    FILES_OF_ONE_USER(List.of("shm"), Releases.ALL,
            "only processes of one user reach each other: in 1.17 whoever gets the first message of another, whose "
                    + "file it cannot open, such as one of root, crashes, and in 2.6 an endpoint crashes whose name "
                    + "is another user's; otherwise nothing arrives",
            "smr_create: S_IRUSR, S_IWUSR; smr_progress_connreq: reads pid of NULL; smr_ep_ctrl: does not look at what "
                    + "smr_create has answered",
            "`insert`, `enable` and nodes throw `FI_EACCES`: use tcp between users", "ShmUserTest"),
    /** Another thread may use up the descriptors between the trial and the use. */
    NEEDS_A_FILE(List.of("shm"), Releases.since("2.2"),
            "enabling an endpoint crashes if its file cannot be made, as without free descriptors or with a slash in "
                    + "its name", "smr_ep_ctrl: does not look at what smr_create returned (2.6.0)",
            "first makes the file and removes it; if that fails, throws why: `FI_EMFILE`, `FI_EINVAL`", "OrderTest"),
    /** The code that clears away the file of a dead process does the same to one that is alive. */
    TAKES_NAMES(List.of("shm"), Releases.ALL,
            "an endpoint with the name of another process's takes that name away: new peers do not find the other one",
            "smr_retry_map: goes on to shm_unlink", "first checks who has the name, and throws `FI_EBUSY`",
            "ShmNameTest"),
    /** Those who have the file of the dead mapped go on writing to it, and never hear that it is another's. */
    OVERWRITES_THE_DEAD(List.of("shm"), Releases.before("2.5"),
            "a process that is started again with the name of a killed one gets its file: what peers of that one send, "
                    + "who have not inserted the name again, crashes it, is taken for another peer's, or has another "
                    + "peer's bytes",
            "smr_retry_map: \"Overwriting shm from dead process\"; smr_progress_iov: uses the number that the dead one "
                    + "gave", "removes that file first; not if the dead one had met nobody, as then its numbers do no "
                    + "harm, and who told it its name reaches the new one", "KilledNameTest"),
    /** A mapped page of a file that cannot grow any more has no memory behind it. */
    NEEDS_ROOM(List.of("shm"), Releases.ALL,
            "enabling an endpoint, or using it, while `/dev/shm` is full ends the process with SIGBUS",
            "smr_create: ftruncate takes no pages",
            "first checks that there is room for all of it, and reserves it where less than a GiB is free; else throws "
                    + "`FI_ENOSPC`", "ShmRoomTest"),
    /** The file that all share has its full length from the beginning, but no pages. */
    PLACE_NEEDS_ROOM(List.of("sm2"), Releases.ALL,
            "opening an address vector, enabling an endpoint or using it while `/dev/shm` is full ends the process "
                    + "with SIGBUS", "sm2_mmap_remap: ftruncate takes no pages",
            "first checks that there is room for the endpoint's part of the common file, and reserves it where less "
                    + "than a GiB is free; else throws `FI_ENOSPC`", "ShmRoomTest"),
    /** It counts the processors of the machine, not those that the process may use. */
    OFFERED_WITH_ROOM(List.of("shm"), Releases.ALL,
            "nothing is offered where `/dev/shm` has less room than an endpoint for each processor would need",
            "smr_shm_space_check", "the exception tells how much is needed, and how much there is", "ShmRoomTest"),
    /** What was received is given back to its sender. */
    RETURNS_TO_NAMES(List.of("shm"), Releases.since("2.5"),
            "a process that takes the name of a killed one crashes when peers give back what that one had sent",
            "smr_return_cmd: finds the sender by its name", "`insert` of a name whose process has changed or died, "
                    + "and which was not removed, throws `IllegalStateException`; the log warns when a name was "
                    + "another process's; default names are safe", "ShmRenameTest"),
    /** Each thread waits for the lock that the other one holds. */
    INSERTIONS_MEET_REQUESTS(List.of("shm"), Releases.since("2.5"),
            "if a thread inserts an address while another one polls, and reads the first message of a peer, neither "
                    + "returns",
            "smr_progress_connreq: takes av->lock in util_ep.lock; smr_av_insert: the other way round",
            "inserts while no thread is in an operation or a poll of the fabric", "FirstMessagesTest"),
    /** Unmapping the region of the process before takes a lock that is held already. */
    RETURNING_NAMES_LOCK(List.of("shm"), Releases.since("2.5"),
            "when a peer that was closed in order is started again with its name and writes first, the poll that reads "
                    + "its message never returns", "smr_progress_connreq: takes av->lock, a mutex, for a second time",
            "lets the thread that has the mutex take it again; not in builds whose vectors have fields of another "
                    + "size, nor with another C library than glibc", "ReturningNameTest"),
    /** The next packet is taken for a part of the message that was found last. */
    LATE_RECEIVES_MISLEAD(List.of("ofi_rxd"), Releases.ALL,
            "if a receive takes a message that came before it, while a longer one from the same peer is still "
                    + "arriving, the longer one goes astray, and polls may never return",
            "rxd_progress_unexp_list, rxd_progress_op: curr_rx_id",
            "calls send anything longer than a packet only when the other side has made room; docs: post receives "
                    + "before their messages come", "RxdCallsTest"),
    SENDS_BEYOND_SIZE_ARE_LOST(List.of("ofi_rxd"), Releases.before("2.4"),
            "sends beyond `tx().size()` under way are accepted, and lost",
            "rxd_ep_generic_sendmsg: answers 0 without an entry",
            "answers false; not where injected or unreported sends have used up the entries", "RxdSendsTest"),
    /** It is repeated, and given up after 50 times at best: see below. */
    UNANSWERED_KEEP_PLACES(List.of("ofi_rxd"), Releases.ALL,
            "what is sent to a peer that does not answer keeps its place among the 1,024 that there are for all peers: "
                    + "with none left, nothing is sent to anybody",
            "rxd_get_tx_entry: tx_msg_avail; rxd_progress_pkt_list",
            "nodes have at most 64 operations with the provider for each peer, and none for the next peer at an "
                    + "address before those for the last are done; `KeepAlive` asks nobody again before the last "
                    + "question is acknowledged; docs: open another node after many peers have died",
            "RxdDeadPeerTest"),
    /** Milliseconds, as a power of two, in 32 bits. */
    SILENCE_LASTS(List.of("ofi_rxd"), Releases.ALL,
            "what a peer has not acknowledged for some 80 seconds, as the network was down, is not sent again, nor "
                    + "reported, and what comes behind it waits: two endpoints that were cut off from each other for "
                    + "longer may never hear from each other again",
            "rxd_get_timeout: 1 << retry_cnt is negative at the 31st try, so that no other is due before the machine "
                    + "has run for 25 days",
            "`KeepAlive` says so when a peer does not answer; docs: open another node, and tell others its address",
            "RxdSilenceTest"),
    /** A table of 1,024 places, all of which are used once before one is used again. */
    PLACES_CHANGE_HANDS(List.of("sockets"), Releases.ALL,
            "an endpoint that has had 1,024 connections sends messages for a peer that has ended to whoever has "
                    + "connected last; with more at a time it sends to wrong peers, or crashes",
            "sock_conn_map_insert: takes a place that av_idm still leads to; sock_conn_map_increase: realloc moves "
                    + "what av_idm, epoll and operations under way point to",
            "sets `FI_SOCKETS_DEF_CONN_MAP_SZ` to 16,384, unless it is set, or a fabric for connected endpoints was "
                    + "the first of the process; docs: for more connections than that in its life, those of strangers "
                    + "too, open another endpoint or node", "ManyConnectionsTest"),
    /** After the timeout it goes on connecting by itself. */
    SENDS_CONNECT(List.of("sockets"), Releases.ALL,
            "the first operation to a peer whose host does not answer blocks its thread for 15 seconds, even one that "
                    + "drives a node, whose deadlines then wait, too",
            "sock_ep_connect: poll(.., sock_conn_timeout), after which it takes the socket for connected",
            "sets `FI_SOCKETS_CONN_TIMEOUT` to 100 ms, unless it is set; the operation then fails with `FI_EIO` once "
                    + "the system has given up", "NoAnswerTest"),
    /** Each send that is not acknowledged holds one of 128 entries, which later ones need. */
    SILENT_PEERS_STOP_OTHERS(List.of("sockets"), Releases.ALL,
            "128 operations to peers that do not answer, as they are stopped or cut off, keep everything else in their "
                    + "domain from being sent; operations that were under way when their endpoint was closed count for "
                    + "ever",
            "sock_pe_progress_tx_ctx: takes nothing out of the ring while free_list is empty; sock_ep_close: returns "
                    + "no entries",
            "nodes have at most 64 operations with the provider for each peer; docs: keep to as many, close endpoints "
                    + "when their operations are done, and open another domain after a peer was cut off",
            "SilentPeerTest"),
    /** Inserting goes through all endpoints that are bound to the vector. */
    INSERTS_INTO_ENABLED(List.of("shm", "sm2", "lnx"), Releases.ALL,
            "changing an address vector that is bound to an endpoint not yet enabled crashes",
            "smr_av_insert: ep->region is NULL until then", "throws `IllegalStateException`", "HostileUserTest"),
    /** Only unconnected endpoints, which connect by themselves, know their peer. */
    EARLY_TAGS_AT_CONNECTIONS(List.of("tcp"), Releases.since("1.18"),
            "on a connection with a shared receive context, a tagged message that comes before its receive crashes; so "
                    + "do tagged receives from one peer",
            "xnet_save_and_cont: ep->peer is NULL; xnet_get_rx_ep: so is srx->rdm",
            "refuses tagged messages on connections with `FI_EOPNOTSUPP`; untagged ones work, and unconnected "
                    + "endpoints have both; docs: do not connect programs in C that send them", "SharedContextTest"),
    EARLY_TAGS_AT_CONNECTIONS_OF_NET(List.of("net"), Releases.ALL, "as above",
            "xnet_get_save_rx, xnet_srx_trecv: as above", "as above", "SharedContextTest"),
    SHARED_TAKE_SEVERAL(List.of("tcp"), Releases.since("1.18"),
            "infos lack `MULTI_RECV`, which shared receive contexts nevertheless have",
            "xnet_get_info: offers first what has queues of its own; xnet_srx_recvmsg: looks at the flag alone",
            "allows it there, and refuses it where an endpoint without the capability would take one message",
            "MultiReceiveTest"),
    SHARED_TAKE_SEVERAL_IN_NET(List.of("net"), Releases.ALL,
            "infos lack `MULTI_RECV`, which shared receive contexts nevertheless have", "xnet_srx_recvmsg: as above",
            "as above", "MultiReceiveTest"),
    SHARED_CANCEL(List.of("tcp", "net"), Releases.ALL, "cancelling a receive of a shared receive context crashes",
            "tcpx_srx_cancel_rx, xnet_srx_cancel_rx: srx->cq is NULL", "throws `FI_ENOSYS`", "SharedContextTest"),
    /** It reports the message first, and only then looks at the receive, which may be gone. */
    CANCELS_IN_USE(List.of("sockets"), Releases.ALL,
            "cancelling a multi-receive while messages come for it crashes or stalls",
            "sock_pe_process_rx_send: follows the entry after is_busy = 0, when sock_rx_ctx_cancel may free it",
            "`cancel` throws `FI_ENOSYS`; where jfabric itself would cancel, these receives stay until the end of the "
                    + "endpoint", "SocketsCrashTest"),
    COUNTS_NO_SHARED(List.of("tcp"), Releases.since("1.18"),
            "a counter bound to a shared receive context stays at 0",
            "xnet_start_recv: takes the counter of the endpoint instead",
            "`bind` throws `FI_ENOSYS`: bind a counter for `RECV` to each endpoint", "SharedReportsTest"),
    SHARED_CANCEL_IS_SILENT(List.of("sockets"), Releases.ALL,
            "nothing reports that a receive of a shared receive context was cancelled",
            "sock_rx_ctx_cancel: the context has no queue", "the receive is over when `cancel` returns",
            "SharedContextTest"),
    /** They have no endpoint of their own, and their operations do not say which endpoint they are for. */
    SHARED_TRANSMIT_CONTEXTS(List.of("sockets"), Releases.ALL,
            "a connection that ends (by a peer's death, or closing either endpoint) while operations of a shared "
                    + "transmit context are under way on it crashes",
            "sock_pe_new_tx_entry: ep_attr is that of the context, NULL; sock_pe_progress_tx_entry locks its cmap",
            "`openSharedTransmitContext` throws `FI_ENOSYS`", "SharedContextTest"),
    /** Shared receive contexts exist there only for providers that are built on top. */
    SHARED_RECEIVE_FOR_COMBINED(List.of("shm", "sm2", "ofi_rxm"), Releases.ALL,
            "`fi_srx_context` crashes without the queue of a combining provider", "smr_srx_context",
            "throws `FI_ENOSYS`", "SharedContextTest"),
    DIRECTED_CANCEL(List.of("shm", "sm2", "efa"), Releases.since("1.19"),
            "cancelling an untagged receive from one peer crashes",
            "util_cancel_src takes the queues of untagged receives for those of tagged ones", "throws `FI_ENOSYS`",
            "MessagesTest"),
    DIRECTED_CANCEL_IN_RXM(List.of("ofi_rxm"), Releases.since("2.0"),
            "cancelling an untagged receive from one peer crashes",
            "util_cancel_src takes the queues of untagged receives for those of tagged ones", "throws `FI_ENOSYS`",
            "MessagesTest"),
    /** A pointer to a pointer is taken for an entry. */
    DIRECTED_AND_ANY(List.of("shm", "sm2", "efa"), Releases.since("1.19"),
            "with untagged receives from one peer and from any posted together, the next message destroys the "
                    + "provider's memory", "util_get_msg: container_of(&srx_ctx->msg_queue.head)",
            "while the one kind is under way, the other is refused with `FI_EOPNOTSUPP`", "DirectedReceiveTest"),
    DIRECTED_AND_ANY_IN_RXM(List.of("ofi_rxm"), Releases.since("2.0"),
            "as above", "util_get_msg: as above", "as above", "DirectedReceiveTest"),
    /** An insertion asks each waiting message without a known sender for its address. */
    UNKNOWN_SENDERS(List.of("ofi_rxm"), Releases.since("2.0"),
            "inserting an address while a message waits for its receive crashes, unless the capability `SOURCE` or "
                    + "`DIRECTED_RECV` was asked for",
            "rxm_get_addr: rx_buf->conn is NULL", "opens endpoints with `FI_SOURCE`", "RxmConnectionTest"),
    /** The name is cut, but its length is still that of the whole text. */
    LONG_NAMES(List.of("sm2"), Releases.ALL,
            "a long node or service gives an address shorter than the info says: copying or reading it goes beyond its "
                    + "end", "sm2_resolve_addr: takes the length from snprintf", "corrects the length", "FindInfoTest"),
    /** Closing looks for connections in the vector. */
    CLOSE_NEEDS_VECTOR(List.of("ofi_rxm", "net"), Releases.before("1.18"),
            "closing an endpoint that has no address vector crashes",
            "rxm_freeall_conns, xnet_freeall_conns: av is NULL", "binds one, then closes both", "NoVectorTest"),
    /** Closing frees what only enabling makes. */
    CLOSE_NEEDS_ENABLE(List.of("sm2"), Releases.ALL,
            "closing an endpoint that was never enabled crashes, and so does polling what is bound to an endpoint "
                    + "whose name is taken",
            "sm2_ep_close: mmap and self_region are NULL; sm2_progress_recv: self_region is anywhere",
            "the endpoint stays with the provider until the process ends, and what it is bound to must be opened anew",
            "Sm2Test"),
    /** Enabling again makes everything a second time. */
    FAILED_ENABLE_LEAKS(List.of("ofi_rxm"), Releases.before("2.0"),
            "an endpoint that is enabled again after enabling has failed never lets go of its domain", "rxm_ep_ctrl",
            "enabling it again is refused", "OpeningTest"),
    FAILED_ENABLE_FREES(List.of("ofi_rxm"), Releases.since("2.0"),
            "closing an endpoint whose enabling failed because its port was taken crashes",
            "rxm_ep_ctrl: rxm_ep_txrx_res_close frees the srx and keeps the pointer",
            "the endpoint stays with the provider until the process ends; enabling it again is refused", "OpeningTest"),
    /** Half of the domain is gone when it says that it is busy. */
    CLOSE_FREES_BUSY_DOMAIN(List.of("ofi_rxm"), Releases.ALL,
            "closing a busy domain destroys its buffers, then answers `FI_EBUSY`; one message above 16 KiB that was "
                    + "never received, or whose connection broke on its way, makes it busy, and with libfabric 2 its "
                    + "descriptors and memory stay",
            "rxm_domain_close; rxm_handle_comp_error, rxm_close_conn: the message stays registered",
            "does not try again", "CloseOrderTest"),
    /** An endpoint that could not be opened leaves those of its links open. */
    CLOSE_FREES_BUSY_LINKS(List.of("lnx"), Releases.ALL,
            "after an endpoint could not be opened, closing its domain and its fabric frees them and answers "
                    + "`FI_EBUSY`", "lnx_alloc_endpoint: does not close; lnx_domain_close, lnx_fabric_close",
            "does not try again", "LnxTest"),
    /** The provider below says that it is busy. */
    CLOSE_FREES_REFUSED_REGION(List.of("ofi_rxm", "lnx", "efa", "ucx"), Releases.ALL,
            "a memory region that could not be closed is freed nevertheless: closing it again crashes",
            "rxm_mr_close, lnx_mr_close, efa_mr_close, ucx_mr_close",
            "does not try again; an arena whose memory was registered keeps it until the process ends",
            "RefusedRegionTest"),
    /** Connections that were accepted, but not looked at yet, belong to nobody. */
    CLOSE_FORGETS_CONNECTIONS(List.of("ofi_rxm"), Releases.ALL,
            "closing an endpoint leaves a file descriptor open for each connection whose request it has not read",
            "tcpx_pep_fi_close, tcpx_eq_close (xnet_pep_close since 2.0): what was accepted is not closed",
            "drives the queues for 25 ms before it closes a domain, and once before an endpoint", "LeakTest"),
    /** A read under way is listed in two places. */
    REPORTS_READS_TWICE(List.of("tcp", "net"), Releases.before("1.18"),
            "closing an endpoint while data that it reads arrive: the read is reported and freed twice, and rxm, which "
                    + "reads large messages, crashes",
            "tcpx_ep_flush_all_queues: the entry is in rma_read_queue and in cur_rx, and has no context any more",
            "cancels receives and waits up to 2 s for what arrives; if that stalls, the endpoint stays with the "
                    + "provider", "ClosingWhileReadingTest"),
    /** These collectives are libfabric's own, in software. */
    SOFTWARE_COLLECTIVES(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "collectives call through tables without a check and number members by position; a set smaller than its "
                    + "range crashes; so do reductions of 16-byte elements into results that are not aligned to 16",
            "prov/coll",
            "checks reductions and the alignment of results, requires the own address in the set, always says how many "
                    + "members a set may have", "CollectivesTest"),
    /** The data are cut into equal chunks, and the last members seem to need none. */
    UNEVEN_BROADCASTS(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "a broadcast whose count of elements is no multiple of the members writes beyond the buffer; one of few "
                    + "elements, among 4 or more members, leaves some as they were, ends with wrong elements, or never",
            "coll_ep_broadcast: chunk_cnt is 0 at members whose chunk begins more than one behind the end, while the "
                    + "others send it", "broadcasts a copy that is padded to a multiple of the members",
            "CollectiveSizesTest"),
    /** With elements of size 0 there is nothing to move. */
    DATATYPES_WITHOUT_SIZE(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "collectives with `FLOAT16`, `BFLOAT16` or `FLOAT8_*` complete without moving anything",
            "ofi_datatype_size: 0 for all types after `UINT128`", "moves bytes; reductions of them are refused",
            "CollectivesTest"),
    /** Each domain decides whether messages have a header, and does not tell its peers. */
    TAGGED_WITHOUT_HEADER(List.of("tcp"), Releases.before("1.18"),
            "below `ofi_rxm`: a tagged message from an endpoint without `COLLECTIVE` crashes one that has it",
            "rxm_config_dyn_rbuf: leaves out rxm's header but for collectives, whose receiver takes the data for it",
            "logs a warning where `COLLECTIVE` is used; `FI_OFI_RXM_ENABLE_DYN_RBUF=0` in all processes mends it",
            "CollectiveTagsTest"),
    /** What collectives need is made when the domain is opened, or never. */
    COLLECTIVES_OF_DOMAIN(List.of("ofi_rxm"), Releases.since("1.18"),
            "opening an endpoint with the capability `COLLECTIVE` in a domain without it crashes",
            "rxm_endpoint: util_coll_domain is NULL", "throws `IllegalArgumentException`", "OpeningTest"),
    /** The domain starts its thread, which waits for descriptors that exist only if the endpoint's info says so. */
    PROGRESS_OF_DOMAIN(List.of("ofi_rxm"), Releases.ALL,
            "an endpoint with the capability `ATOMIC` whose info says another data progress than its domain's crashes, "
                    + "or makes no progress by itself; so does one of a domain with `AUTO` and without locks, and any "
                    + "where `FI_OFI_RXM_DATA_AUTO_PROGRESS` is 1 and infos say `MANUAL`",
            "rxm_cm_atomic_progress (since 2.2 rxm_cm_data_progress, without `ATOMIC`, too): takes any wait object for "
                    + "a descriptor; ofi_endpoint_init: a lock for FI_THREAD_SAFE alone; rxm_start_listen: starts the "
                    + "thread by the variable, too",
            "an endpoint's info gets the settings of its domain, with every provider; domains are opened with `AUTO` "
                    + "where the variable says so, and those with `AUTO` for `SAFE`", "ProgressThreadTest"),
    /** The provider below, which has the regions, was opened without that mode. */
    REGIONS_BY_OFFSET(List.of("ofi_rxm"), Releases.ALL,
            "with `MrMode.VIRT_ADDR` added to an info that was offered without it, writes complete and change nothing",
            "rxm_info_to_core_mr_modes: what is below goes by offsets all the same",
            "throws `IllegalArgumentException` when something is opened from it", "DemandsTest"),
    /** What is below goes by offsets there, and is always given 0. */
    SENDS_START_OF_REGION(List.of("ofi_rxm"), Releases.ALL,
            "over `tcp`, with `MrMode.LOCAL` added to an info that was offered without it, a message above 16 KiB from "
                    + "further inside registered memory brings what is at the start of that memory",
            "rxm_rndv_hdr_init: the address is 0 without FI_MR_VIRT_ADDR, whatever the region of the descriptor",
            "registers such a buffer once more, for the length of the operation", "RegionStartTest"),
    /** Only the domain's capability gives queues room for sources; the endpoint's has them written. */
    SOURCES_OF_DOMAIN(List.of("ofi_rxm"), Releases.before("2.0"),
            "the first message for an endpoint with the capability `SOURCE` in a domain without it crashes",
            "rxm_cq_write_src: cq->src is NULL", "throws `IllegalArgumentException` when such an endpoint is opened",
            "OpeningTest"),
    EFA_SOURCES_OF_DOMAIN(List.of("efa"), Releases.ALL,
            "as above", "efa_rdm_cq.c, ofi_cq_write_src: cq->src is NULL",
            "throws `IllegalArgumentException` when such an endpoint is opened", "EndpointInDomainTest"),
    /** The queue has room for sources, and an endpoint that writes none leaves the one that was there before. */
    STALE_SOURCES(List.of("ofi_rxm", "efa"), Releases.ALL,
            "in a domain with the capability `SOURCE`, messages for an endpoint without it are reported with the "
                    + "sources of others", "rxm_cq_write_recv_comp: ofi_cq_write leaves cq->src as it is",
            "opens endpoints there with `FI_SOURCE`", "EndpointInDomainTest"),
    /** The receive queue is made with the capabilities of the domain. */
    DIRECTED_BY_DOMAIN(List.of("shm", "sm2", "ofi_rxm", "efa"), Releases.ALL,
            "in a domain without the capability `DIRECTED_RECV`, receives from one peer take the messages of all",
            "util_srx_init: dir_recv is that of the domain",
            "throws `IllegalArgumentException` when an endpoint with it is opened", "EndpointInDomainTest"),
    /** Regions are found by their keys only if the domain has the capability. */
    ATOMICS_OF_DOMAIN(List.of("ofi_rxm"), Releases.ALL,
            "in a domain without the capability `ATOMIC`, every atomic to an endpoint ends in `FI_EACCES`",
            "rxm_mr_reg: not in the map, in which rxm_handle_atomic_req looks",
            "throws `IllegalArgumentException` when an endpoint with it is opened", "EndpointInDomainTest"),
    /** Group numbers are bits, which are never given back. */
    GROUPS_RUN_OUT(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "all groups that an endpoint joins after the 255th, counting closed ones, have the same number: "
                    + "collectives of one end those of another",
            "coll_join_comp, coll_close: OFI_MAX_GROUP_ID, and ofi_bitmask_unset alone", "`join` throws `FI_ENOSPC`",
            "GroupCloseTest"),
    /** The mask of free numbers is copied when a join begins, and changed when it is over. */
    JOINS_SHARE_A_NUMBER(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "groups that an endpoint is joining at the same time have the same number: collectives of one end those of "
                    + "the other, with wrong elements",
            "coll_join_collective: cid_mask is copied from the endpoint's, which coll_join_comp changes",
            "`join` throws `IllegalStateException` until the one before is complete", "GroupCloseTest"),
    /** A message that is too long to be sent eagerly is reported to the application's queue instead. */
    LONG_COLLECTIVES(List.of("tcp", "ofi_rxm", "coll"), Releases.ALL,
            "collectives above 16 KiB complete with context 0 and wrong elements, or never",
            "rxm_handle_coll_eager, rxm_finish_coll_eager_send: nothing like them for rendezvous and segments",
            "refuses what would send longer messages", "CollectiveLimitTest"),
    /** Atomics that fetch or have several targets do not say how many packets they are, nor can they connect. */
    FETCHES_GO_ALONE(List.of("ofi_rxd"), Releases.ALL,
            "an atomic that fetches, compares or has several targets crashes the peer, or never completes, when it is "
                    + "the first operation to it, when others are under way, or after an operation longer than a "
                    + "packet",
            "rxd_tx_entry_init_atomic: sends the num_segs of whatever had the entry before; and an entry that waits "
                    + "for the connection is taken for completed",
            "answers false until nothing else of the endpoint is under way; `IllegalStateException` if nothing short "
                    + "was sent alone and completed before, or something was injected and nothing completed after it; "
                    + "calls do not inject", "RxdFetchTest"),
    MULTI_RECEIVE_OVERRUNS(List.of("ofi_rxd", "shm", "sm2", "sockets"), Releases.ALL,
            "a message longer than what is left of a multi-receive buffer is written beyond its end; on shm of 1.17 "
                    + "the poll that does so may never return",
            "rxd_ep_post_buf; smr_adjust_multi_recv; sock_pe_process_buffered_msg",
            "asks for the size of the largest message in the option `MIN_MULTI_RECV`, which stays then; `MULTI_RECV` "
                    + "is no default flag of endpoints with `TAGGED`, whose tagged receives would have it, too",
            "HostileUserTest"),
    /** The receive queues are those of shm, which rxm uses since then. */
    MULTI_RECEIVE_OVERRUNS_IN_RXM(List.of("ofi_rxm"), Releases.since("2.0"),
            "a message longer than what is left of a multi-receive buffer: later ones are written beyond its end",
            "util_adjust_multi_recv: the length left wraps", "as above", "HostileUserTest"),
    /** The buffer is never marked as free again. */
    BROKEN_OFF_KEEP_BUFFERS(List.of("sockets"), Releases.ALL,
            "a multi-receive buffer into which a message was arriving when its sender died takes no others, and is "
                    + "never given back",
            "sock_pe_progress_rx_pe_entry: reports the error, and leaves rx_entry->is_busy set",
            "the error has the flag `MULTI_RECV`: the buffer is the program's again, which posts another",
            "BrokenMultiReceiveTest"),
    /** The next message may use the rest of the buffer as soon as the header of the one before is there. */
    MULTI_RECEIVE_ENDS_EARLY(List.of("tcp", "net"), Releases.before("1.20"),
            "the completion with `MULTI_RECV` comes while an earlier message is still arriving in the buffer",
            "xnet_alter_mrecv: does not count the parts, as since 1.20",
            "counts their bytes, and keeps the buffer until all are there; where it cannot, as after an error or with "
                    + "queues of less than `DATA`, until the endpoint is closed", "MultiReceiveTest"),
    MULTI_RECEIVE_ENDS_EARLY_IN_RXM(List.of("ofi_rxm"), Releases.before("2.0"),
            "as above", "rxm_adjust_multi_recv, rxm_post_mrecv", "as above", "MultiReceiveTest"),
    /** The parts are counted, not looked at. */
    SHARED_ENDS_WITH_ANY(List.of("tcp"), Releases.since("1.20"),
            "the message with `MULTI_RECV` is the last that has arrived, and may lie before others, which are read "
                    + "later where endpoints of a shared receive context have a queue each",
            "xnet_report_success: mrecv->ref_cnt",
            "knows the receive until less than 16 KiB are left, the provider's least there, and the bytes read add up",
            "SharedMultiReceiveTest"),
    /** The rest of the buffer is posted again without the flags of the receive. */
    MULTI_RECEIVES_FALL_SILENT(List.of("tcp"), Releases.since("1.18"),
            "over a queue that is bound with `SELECTIVE_COMPLETION`, only the first message of a multi-receive is "
                    + "reported, and the buffer is never given back",
            "xnet_alter_mrecv: cq_flags of the rest lack FI_COMPLETION; xnet_report_success: counts what is reported",
            "refuses it with `FI_EOPNOTSUPP`, unless the default flags of receives have `COMPLETION`",
            "MultiReceiveTest", Quirk::isAlone),
    /** The value is read once, when the endpoint is enabled. */
    EARLY_MIN_MULTI_RECV(List.of("shm", "ofi_rxm"), Releases.since("2.0"),
            "`MIN_MULTI_RECV` set after `enable()` is read back, but means nothing",
            "smr_setopt, rxm_ep_setopt: the receive queues have the older value",
            "`setOption` throws `IllegalStateException`", "EndpointControlTest"),
    /** The answer carries another operand. */
    ATOMIC_OPERAND_ADDRESS(List.of("verbs"), Releases.ALL,
            "fetching and comparing atomics use the operand's address for its value",
            "issue 10911, mended in 1.22.1 and 2.1.1", "refuses them with `FI_EOPNOTSUPP`", "AtomicsTest"),
    /** Compilers assume the alignment in every build that has such integers; other builds lack the type. */
    WIDE_ATOMICS_ALIGNED(List.of("sockets"), Releases.ALL,
            "atomics of 16-byte integers at addresses that are not multiples of 16 crash the target's process",
            "ofi_write_handlers and their like: whole elements, moved as aligned ones",
            "offers them with `MrMode.VIRT_ADDR` only: offsets do not tell the address", "WideAtomicsTest"),
    /** The fabric is filled in by a loop over the devices. */
    FABRIC_WITHOUT_DEVICE(List.of("verbs", "efa"), Releases.ALL,
            "a fabric opens where there is no device, and using or closing it crashes",
            "vrb_fabric, efa_fabric: return what they have not initialised", "throws `FI_ENODATA`", "DeviceTest"),
    /** A passive endpoint cannot be handed over. */
    HANDLE_IS_REQUEST(List.of("sockets"), Releases.ALL,
            "opening an endpoint from the handle of a passive endpoint crashes",
            "sock_ep_endpoint: takes every handle for a connection request", "throws `FI_ENOSYS`", "ConnectionTest"),
    /** All of the listener's domain attributes are copied over those of the request, with its pointers. */
    REQUESTS_SHARE_KEY(List.of("sockets"), Releases.ALL,
            "the info of a connection request has the listener's own authorization key: freeing both crashes",
            "sock_set_domain_attr: *attr = *hint_attr", "leaves the key out of the request's info", "SocketsCrashTest"),
    /** An accepted connection whose request is not there yet points to the listener. */
    REQUESTS_OUTLIVE_LISTENERS(List.of("tcp", "net"), Releases.ALL,
            "closing a passive endpoint to which somebody is connecting crashes when the event queue is read next",
            "tcpx_cm_recv_req, later xnet_handle_conn: the pep is freed by then (\"TODO\" in xnet_pep_close)",
            "puts an idle descriptor in the place of its socket, refuses requests that still come, and leaves it to "
                    + "the provider until its event queue is closed, which refuses the requests that were not read; a "
                    + "peer that has connected and sent nothing by then is not told, and keeps a file descriptor open",
            "ClosedListenerTest"),
    /** Whatever failed last in the thread is taken for the reason. */
    ENDS_TAKE_ERRNO(List.of("tcp", "net"), Releases.before("2.2"),
            "a connection attempt that the other side ends without an answer fails with whatever error, or is never "
                    + "reported; each peer that connects to a listener and closes without a word may leave a file "
                    + "descriptor open",
            "rx_cm_data, later xnet_recv_cm_msg: ofi_sockerr() where recv says 0; EAGAIN is to come again",
            "sets errno to 0 before it reads events: `FI_EIO`; since 1.18 polls of completion queues see such ends, "
                    + "too, and may say something else, or nothing while another connection has broken with a message "
                    + "that was not received: receive that, or close it", "UnansweredConnectTest"),
    /** The events are still there, but what they point to answers no more. */
    UNREAD_REQUESTS_FORGOTTEN(List.of("sockets"), Releases.ALL,
            "a peer whose connection request has not been read from the event queue when the passive endpoint is "
                    + "closed waits for ever; a file descriptor stays open",
            "sock_pep_fi_close: does not look at requests that were reported",
            "`close()` connects to the listener twice and waits, so that the provider's threads have read and answered "
                    + "all requests, and refuses those that nobody has read; a peer that connects meanwhile may still "
                    + "get no answer; one that has connected and sent nothing keeps a file descriptor open",
            "ClosedListenerTest"),
    /** They are read with a lock that all connections of the domain need. */
    HALF_ANSWERS_BLOCK(List.of("sockets"), Releases.ALL,
            "while an answer to a connection request has begun and does not go on, as of a server of another kind that "
                    + "sends a byte and stays, nothing else of the domain is connected, and no endpoint's `close()` "
                    + "returns; if one that asked is being closed, the end of its answer may crash",
            "sock_cm_recv: waits for the rest, with signal_lock, which sock_ep_cm_wait_handle_finalized takes; "
                    + "sock_ep_cm_connect_handler frees what that waits for",
            "finds the socket among the descriptors of the process, by the endpoint that the provider keeps with it, "
                    + "and shuts it down: before the endpoint is closed, and once a thread has been waiting for the "
                    + "rest for half a second, which is a refusal (`FI_ECONNREFUSED`)", "HalfAnswerTest"),
    /** As {@link #REQUESTS_OUTLIVE_LISTENERS}, for the listener that each unconnected endpoint has. */
    REQUESTS_OUTLIVE_ENDPOINTS(List.of("tcp", "net"), Releases.ALL,
            "closing an endpoint to which somebody is connecting crashes when another of the domain is used next",
            "xnet_rdm_close: closes the pep, which xnet_handle_conn follows",
            "first has the provider read the requests of all peers in this process; one from another process that has "
                    + "not arrived by then can still crash it", "ClosedListenerTest"),
    /** The sockets that it accepts are blocking ones until their request was read. */
    STRANGERS_STOP_PROGRESS(List.of("tcp", "net"), Releases.ALL,
            "if anybody sends 32 bytes that announce more to the port of a listener, or of an unconnected endpoint, "
                    + "polls do not return until more comes, or the socket is closed",
            "rx_cm_data, later xnet_handle_cm_msg: recv of seg_size bytes; seen in 1.17 and 2.1, the same in 2.6",
            "finds the listening socket among the descriptors of the process, by its address, and sets `SO_RCVTIMEO`, "
                    + "which accepted sockets inherit: what does not come within a millisecond is read later",
            "ListeningStrangerTest"),
    /** The listener's thread closes the socket, and there is no thread before it listens. */
    LISTENERS_LEFT_BEHIND(List.of("sockets"), Releases.ALL,
            "a passive endpoint that was given an address and is closed before it listens keeps the port, as it does "
                    + "for all addresses but its last; an address that it could not have leaves it deaf; `listen()` on "
                    + "a taken port says `FI_EINVAL`, and each attempt leaves a thread behind",
            "sock_pep_fi_close: closes no cm.sock; sock_pep_listen: starts the thread of cm_head first",
            "finds the socket among the descriptors of the process, by its address, and closes it; sets an address "
                    + "only once; `listen()` first checks that the address can be had, and throws `FI_EADDRINUSE` or "
                    + "`FI_EADDRNOTAVAIL`", "LeftListenerTest"),
    /** An interrupted poll is taken for an error. */
    SIGNALS_END_LISTENERS(List.of("sockets"), Releases.ALL,
            "once the thread of a passive endpoint got a signal, as from profilers that look at sleeping threads, "
                    + "nobody can connect to it any more, and nobody is told",
            "sock_pep_listener_thread: leaves its loop when poll returns -1",
            "has `listen()` start that thread with all signals blocked except those that a thread causes itself",
            "LeftListenerTest"),
    /** There is no connection before the event queue is read. */
    ANSWERS_WHEN_READ(List.of("tcp"), Releases.before("1.18"),
            "what is sent after `accept()` and before the event queue is read is taken for the answer: its completion "
                    + "says that it was sent, but there is no connection; nor is there one after `shutdown()`",
            "tcpx_ep_accept: leaves the answer to tcpx_cm_send_resp, which fi_eq_read calls",
            "operations and `shutdown()` throw `IllegalStateException` until `Connected` is read", "ConnectionTest"),
    /** One file descriptor is closed twice. */
    SHUTDOWN_CLOSES_TWICE(List.of("sockets"), Releases.ALL,
            "`fi_shutdown` closes a file descriptor, and closing the endpoint closes whatever has its number by then: "
                    + "somebody else's connection breaks, or crashes",
            "sock_ep_cm_shutdown: handle->sock_fd stays as it was",
            "`shutdown()` does not call it: the peer learns of the end when the endpoint is closed", "ConnectionTest"),
    /** Only the event queue is told. */
    RECEIVES_OUTLIVE_CONNECTIONS(List.of("sockets"), Releases.ALL,
            "receives that are posted when a connection ends, or is refused, never complete",
            "sock_ep_cm_shutdown_report, sock_ep_cm_report_connect_fail: leave the receives where they are",
            "`shutdown()` cancels them, as does reading the event of a refusal; if the peer has ended the connection, "
                    + "messages may still be arriving: docs: call `shutdown()` when there are enough, or close the "
                    + "endpoint", "PostedAtEndTest"),
    /** Later releases answer that they are busy, for ever. */
    ENDED_CONNECTIONS_TAKE_RECEIVES(List.of("tcp", "net"), Releases.before("1.20"),
            "a receive that is posted after its connection has ended, or was refused, does not complete until the "
                    + "endpoint is closed",
            "tcpx_queue_recv, xnet_queue_recv: do not look at the endpoint's state",
            "reading the event of the end, or of the refusal, cancels it; after that, as on all providers, receives "
                    + "throw `FI_ENOTCONN`", "PostedAtEndTest"),
    /** A socket is opened with the endpoint. */
    SOCKETS_OF_ONE_FAMILY(List.of("tcp", "net"), Releases.ALL,
            "connecting an IPv4 endpoint to an IPv6 listener, or the reverse, fails with error 97 or `FI_EINVAL`, "
                    + "which do not say why", "tcpx_endpoint, xnet_endpoint: ofi_socket of ofi_get_sa_family(info)",
            "`connect` throws `IllegalArgumentException` with both addresses", "ConnectedFamiliesTest"),
    /** The other direction works. */
    IPV4_NAMES_NOT_ANSWERED(List.of("sockets"), Releases.ALL,
            "an IPv6 listener cannot answer an IPv4 endpoint: the address in its request is too short for the "
                    + "listener's format",
            "sock_ep_msg_get_info: the hints of the listener with the address of who asks",
            "as above", "ConnectedFamiliesTest"),
    /** It has come, and is not looked at. */
    LOSES_WHAT_WAS_SENT(List.of("tcp"), Releases.since("1.19"),
            "what was sent last does not arrive if its sender is closed while the other side is sending to it",
            "xnet_run_ep: looks for errors first, and xnet_progress_async ends a connection that was reset with what "
                    + "it has in it", "`Group.abort` is done when the others have the word (`DELIVERY_COMPLETE`); "
                    + "docs: close after an answer", "ToldGroupTest"),
    /** All other errors are counted. */
    CANCELLED_UNCOUNTED(List.of("tcp", "net"), Releases.ALL,
            "sends, receives, reads and writes that end with their connection, and receives that are cancelled, are in "
                    + "no counter, and who waits for one is not told",
            "tcpx_ep_flush_all_queues, xnet_flush_xfer_queue, xnet_ep_cancel_rx: report `FI_ECANCELED` to the queue "
                    + "without cntr_incerr",
            "counts them as errors once the completion queue is polled; not injected ones, which no queue reports, nor "
                    + "those of raw contexts", "CountedEndsTest", Quirk::isNotUnderRxm),
    /** The message seems complete before what does not fit is read, unless an answer waits for that. */
    REST_IS_READ_AS_HEADER(List.of("sockets"), Releases.ALL,
            "after a message with `INJECT_COMPLETE` that is longer than its receive, what its sender sends next is "
                    + "lost",
            "sock_pe_process_rx_send: sets is_complete first; sock_pe_discard_field: drops only what has come already",
            "sends and default flags leave `INJECT_COMPLETE` out, so that the provider takes `TRANSMIT_COMPLETE`; "
                    + "docs: receive injected messages, and those of other programs, into enough room", "LeftOverTest"),
    WRITES_WITHOUT_DEFAULTS(List.of("tcp", "net"), Releases.before("1.20"),
            "writes complete before their bytes are there though the endpoint's flags say `DELIVERY_COMPLETE`",
            "tcpx_rma.c, xnet_rma.c: fi_write, fi_writev and fi_writedata do not look at tx_op_flags",
            "gives it to each write", "DeliveredTest"),
    /** The room that is looked for does not include the data. */
    DATA_OVERFLOWS_QUEUE(List.of("sockets"), Releases.ALL,
            "writes with data that are posted until the endpoint is busy crash",
            "sock_ep_rma_writemsg: leaves the data out of total_len, and the ring of operations overflows",
            "such a write is refused (false) while more than half of the ring is used, and with `FI_EOPNOTSUPP` if it "
                    + "is to start later (`Trigger`, `Deferral`), when nobody checks that; opens the ring with at "
                    + "least 2 entries. What other threads, or a counter, start at that moment may still fill more "
                    + "than half", "RoomForDataTest"),
    /** A fenced operation takes the connection before it waits, so that answers cannot use it. */
    FENCES_STALL(List.of("sockets"), Releases.ALL,
            "operations with `FENCE` in both directions of a connection wait for each other for ever",
            "sock_pe_progress_tx_entry: takes conn->tx_pe_entry before it waits, which acknowledgements need",
            "refuses the flag with `FI_EOPNOTSUPP`: wait for the completions of what must come before",
            "RefusalsTest"),
    /** With other providers a capability says whether the flag is honoured. */
    FENCES_UNANNOUNCED(List.of("verbs"), Releases.ALL,
            "connected endpoints honour `FENCE`, but never have the capability",
            "vrb_send_iov: IBV_SEND_FENCE, whatever the endpoint was opened for",
            "requests may have the flag there, on other endpoints only with `Capability.FENCE`", "UnkeptFlagsTest"),
    /** Only cxi and ucx look at the flag, and no capability tells. */
    MATCHES_UNSEEN(List.of("tcp", "net", "udp", "shm", "sm2", "sockets", "ofi_rxm", "ofi_rxd", "ofi_mrail", "lnx",
            "verbs", "efa", "psm", "psm2", "psm3", "opx", "bgq", "gni", "usnic", "lpp"), Releases.ALL,
            "a message with `MATCH_COMPLETE` completes though nobody has received it",
            "only cxip_send_common and ucx_do_sendmsg look at FI_MATCH_COMPLETE",
            "refuses the flag with `FI_EOPNOTSUPP`", "UnkeptFlagsTest"),
    /** All but cxi ignore what is to be counted. */
    BYTES_UNCOUNTED(List.of("tcp", "net", "udp", "shm", "sm2", "sockets", "ofi_rxm", "ofi_rxd", "ofi_mrail", "lnx",
            "verbs", "efa", "psm", "psm2", "psm3", "opx", "bgq", "gni", "usnic", "lpp", "ucx"), Releases.since("1.21"),
            "a counter that is opened for bytes counts operations",
            "ofi_check_cntr_attr: does not look at fi_cntr_attr::events",
            "refuses `CounterAttributes.Events.BYTES` with `FI_ENOSYS`", "UncountedTest"),
    /** For a message that was kept until its receive came. */
    EARLY_TAGGED_UNCOUNTED(List.of("net"), Releases.ALL,
            "on an unconnected endpoint with a counter, receiving a tagged message that came before its receive "
                    + "crashes",
            "xnet_recv_saved: takes over all of the receive but its cntr_inc, which xnet_report_cntr_success calls",
            "does not bind counters to endpoints with `Capability.TAGGED`: `FI_ENOSYS`", "UncountedTest",
            Quirk::isNotUnderRxm),
    DEFERRED_NEEDS_COUNTER(List.of("sockets"), Releases.ALL,
            "deferred work without a completion counter crashes", "sock_queue_work_op: adds without a check",
            "gives it a counter of its own", "DeferredWorkTest"),
    /** It keeps a copy of an atomic's description until that starts. */
    LATE_ATOMICS_LOSE_TARGETS(List.of("sockets"), Releases.ALL,
            "an atomic that starts later is lost if it has more targets than buffers; if it has fewer, memory behind "
                    + "the targets is read", "sock_queue_atomic_op: copies iov_count targets, not rma_iov_count",
            "refuses it with `FI_EOPNOTSUPP`: give it as many targets as buffers", "TriggeredOperationsTest"),
    /** It looks up the memory once, and then copies to it until the end. */
    ACCESS_OUTLIVES_REGION(List.of("tcp", "net", "sockets", "ofi_rxd", "shm"), Releases.ALL,
            "a write or read that a peer has begun goes on after the region is closed, and after its memory is freed; "
                    + "on shm even one that begins later",
            "xnet_process_remote_write, rxd_unpack_hdrs and others: look for the key once; fi_close(mr) waits for "
                    + "none; process_vm_writev: the peer asks nobody",
            "keeps the address space of such memory from a `FabricArena`, but not the memory behind it, until the "
                    + "endpoints are closed", "RegionCloseTest"),
    /** The address that a peer gives is compared with one range only. */
    FIRST_BUFFER_ALONE(List.of("shm", "sm2", "sockets"), Releases.ALL,
            "peers reach only the first buffer of a region of several: writes to others are lost, or fail with "
                    + "`FI_EACCES`",
            "ofi_mr_map_verify: looks at mr_iov[0]",
            "where peers get rights, registers each buffer with a key of its own: use `remote(index)`",
            "MemoryRegionTest"),
    /** Addresses of several providers in one. */
    ADDRESS_BLOBS(List.of("lnx"), Releases.ALL,
            "addresses are 512 bytes long while their format says `FI_SOCKADDR_IN`; inserting other bytes crashes",
            "lnx_getinfo: takes the format of the first provider; lnx_av_insert: follows lea_addr_size anywhere",
            "takes addresses that have all the parts that they say they have; else `IllegalArgumentException`",
            "PackedAddressesTest"),
    /** In these releases its name is made of those of its parts. */
    KEEPS_LENT_INFOS(List.of("lnx"), Releases.between("2.0", "2.2"),
            "opening a domain of `...:lnx` from a copy of its info after the list was closed crashes",
            "lnx_form_info: keeps the fi_info that it hands out, which fi_domain reads after it was freed",
            "`Fabric.open` throws `FI_ENOSYS`", "LnxTest"),
    /** An address refers to its endpoints by their numbers, and each number is given once. */
    ENDPOINTS_ARE_COUNTED(List.of("lnx"), Releases.since("2.2"),
            "sending never returns, or crashes, from the second endpoint of a domain, also after the first was closed, "
                    + "and to addresses that were inserted without an endpoint or after it was closed",
            "lnx_setup_ep_mapping: knows the endpoints bound then, up to the first that has none",
            "a domain has one endpoint in its life, and a vector takes addresses only while that is bound and enabled; "
                    + "else throws `IllegalStateException`", "LnxTest"),
    /** SIZE_MAX is meant to say that there may be many. */
    UNTRUE_INFOS(List.of("lnx"), Releases.between("2.2", "2.6"),
            "its infos say that endpoints use shared contexts, of which it has none, and not that they can do "
                    + "anything",
            "lnx_init.c: tx_ctx_cnt and rx_ctx_cnt are SIZE_MAX, which is FI_SHARED_CONTEXT; lnx_generate_link_info: "
                    + "caps",
            "does not ask for a shared context, nor for capabilities", "LnxReceivesTest"),
    /** What the name stands for is looked up once. */
    FIRST_DOMAIN_DECIDES(List.of("lnx"), Releases.since("2.2"),
            "where `FI_LNX_PROV_LINKS` has several links, all domains of a fabric are made of what the first one is, "
                    + "whatever their names; so are endpoints, with addresses of the other kind",
            "lnx_setup_fabrics: lf_fab_setup_complete; lnx_alloc_endpoint: does not look at the name",
            "throws `IllegalArgumentException`: open a fabric for each", "LnxTest"),
    /** They are counted before there is an array for them, which closing goes through. */
    MANY_PARTS_CRASH(List.of("lnx"), Releases.since("2.2"),
            "opening a domain that joins 16 or more of its providers' domains crashes",
            "lnx_open_core_domains: -FI_E2BIG; lnx_domain_close: ld_core_domains is NULL",
            "`Fabric.openDomain` throws `FI_E2BIG`: name the domain of each provider, as in "
                    + "`FI_LNX_PROV_LINKS=shm+tcp:lo`", "LnxTest"),
    /** It asks only the providers that it is told of. */
    OFFERED_WITH_LINKS(List.of("lnx"), Releases.ALL,
            "nothing is offered unless `FI_LNX_PROV_LINKS` says which providers it joins",
            "lnx_getinfo: fi_param_get_str", "the exception says so", "LnxTest"),
    /** It splits off the names of providers without a check that there are any. */
    LINKS_OF_NOTHING(List.of("lnx"), Releases.since("2.2"),
            "`fi_getinfo` crashes when `FI_LNX_PROV_LINKS` has a link without a provider, such as a blank, `+` or `:`",
            "lnx_getinfo: strtok_r gives NULL; lnx_generate_link_info: link->fi_link is NULL",
            "`Fabric.getInfo` throws `FI_EINVAL` where that provider would be asked", "LnxTest"),
    /** The text of the environment itself is split. */
    LINKS_ARE_CUT(List.of("lnx"), Releases.since("2.2"),
            "after a search that finds nothing for a link, only its first provider is left of it, for the rest of the "
                    + "process", "lnx_getinfo: strtok_r of what getenv has returned",
            "sets `FI_LNX_PROV_LINKS` again before it searches; of several links only the first may be left",
            "LnxTest"),
    /** Nothing checks that there is a way to the peer before something is sent. */
    UNREACHABLE_IS_TAKEN(List.of("lnx"), Releases.since("2.2"),
            "sending never returns, or crashes, to a peer none of whose providers is linked here, or which is on this "
                    + "host and has `shm` where there is none here",
            "lnx_av_insert: takes what it inserts nowhere; lnx_select_send_endpoints_peer looks for it without end",
            "`insert` throws `IllegalArgumentException`", "LnxReceivesTest"),
    /** The providers below do not know whose the receives are. */
    PARTS_CANCEL(List.of("lnx"), Releases.since("2.2"),
            "cancelling an operation crashes",
            "smr_ep_cancel, rxm_ep_cancel: srx->ep_fid.ops of lnx_enable_core_eps is NULL",
            "`cancel` throws `FI_ENOSYS`; where jfabric itself would cancel, receives stay until the end of the "
                    + "endpoint", "LnxReceivesTest"),
    /** The application's contexts are taken for the provider's own. */
    BUFFERED_RECEIVES(List.of("ofi_rxm"), Releases.before("2.0"),
            "the mode `FI_BUFFERED_RECV` makes every receive with flags crash",
            "rxm_ep_recvmsg: follows the context as a fi_recv_context", "refuses infos with that mode", "OpeningTest"),
    /** A vector has room for 256 peers, and checks that too late. */
    REMOVAL_UNMAPS(List.of("shm"), Releases.ALL,
            "removing a peer whose large message is unread, or that was inserted twice, crashes the next poll; more "
                    + "than 256 peers overwrite one another",
            "smr_map_del: unmaps whatever still uses it; smr_av_insert deletes the wrong entry",
            "removed peers are not used any more but stay with the provider; refuses the 257th", "VectorGateTest"),
    /** Removal also closes connections that never came about. */
    REMOVAL_CLOSES_NOTHING(List.of("ofi_rxm"), Releases.ALL,
            "where `FI_AV_REMOVE_CLEANUP` is set, removing an address crashes if connecting to it had failed at once",
            "rxm_av_remove_handler: closes conn->msg_ep without a check, which is NULL",
            "where it is set, removed peers are not used any more but stay with the provider, as do their connections",
            "AddressCleanupTest"),
    /** One of its links may be shm. */
    REMOVAL_UNMAPS_BELOW(List.of("lnx"), Releases.ALL,
            "over `shm`, removing a peer whose message above 4 KiB is unread crashes when that is received",
            "lnx_peer_av_remove, smr_map_del: unmaps whatever still uses it",
            "removed peers are not used any more but stay with the provider", "LnxTest"),
    /** The connection keeps the number that its peer had. */
    CONNECTIONS_KEEP_NUMBERS(List.of("tcp"), Releases.since("1.18"),
            "messages from a peer that was removed seem to come from whichever peer was inserted next, also to "
                    + "receives from one peer; if it is inserted again, its early messages are not found",
            "rxm_av_remove: leaves peer->fi_addr as it is; xnet_save_and_cont: so stays ep->saved_msg",
            "removed peers are not used any more but stay with the provider, at some hundred bytes each: nobody else "
                    + "gets their number, which messages of theirs still have", "RemovedPeersTest", Quirk::isAlone),
    CONNECTIONS_KEEP_NUMBERS_IN_NET(List.of("net"), Releases.ALL,
            "messages from a peer that was removed seem to come from whichever peer was inserted next",
            "rxm_av_remove: as above", "as above", "RemovedPeersTest"),
    /** When two connect to each other at once, the one with the larger address gives way; with wildcards both do. */
    WILDCARD_ENDPOINTS(List.of("tcp", "net", "ofi_rxm"), Releases.ALL,
            "where unconnected endpoints have a wildcard address such as 0.0.0.0, the first messages that two send to "
                    + "each other at the same time, or that one sends to itself, fail with `FI_ENOTCONN`, or are "
                    + "silently lost",
            "xnet_process_connreq, rxm_process_connreq: compare the peer's address with the own, which is nobody's",
            "a warning in the log: give the endpoint an address of the machine; getInfo without a node, but with a "
                    + "service, may offer the wildcard", "WildcardTest"),
    /** The first packet to a peer says where the answer goes. */
    WILDCARDS_SPEAK_IN_VAIN(List.of("ofi_rxd"), Releases.ALL,
            "what an endpoint with a wildcard address such as 0.0.0.0 sends to a peer that it has not heard of never "
                    + "arrives, and is never reported",
            "rxd_ep_send_rts: sends the address that fi_getname tells; rxd_handle_rts: cannot insert that",
            "a warning in the log: give the endpoint an address of the machine", "WildcardTest"),
    /** All addresses of a vector are taken to be as long as the one that was inserted last. */
    BOTH_FAMILIES_AT_WILDCARD(List.of("ofi_rxd"), Releases.ALL,
            "an endpoint at `::` that hears from one IPv4 peer is cut off from those of IPv6",
            "rxd_handle_rts, rxd_av_insert_dg_addr: insert what the peer says, and ofi_ip_av_insertv sets addrlen to "
                    + "its length",
            "`enable()` throws `IllegalStateException`", "RxdWildcardTest"),
    /** Most providers use libfabric's table, or one like it. Where there is a lock (sockets), the wait costs little. */
    INSERTION_MOVES_TABLE(List.of(), Releases.ALL,
            "sending while another thread inserts an address crashes if the table of addresses moves",
            "ofi_bufpool_grow: moves region_table, which ofi_bufpool_get_ibuf reads without a lock",
            "each 16th insertion waits for threads that send by the vector", "InsertedUnderSendersTest"),
    ABSENT_PEERS_SHARE(List.of("shm"), Releases.before("2.0"),
            "an address inserted before its endpoint is enabled stands for the one inserted next, too; messages from "
                    + "that endpoint, or insertions after a send to it, crash",
            "smr_map_add: only peers that are there take their place", "`insert` throws `FI_ENOENT`", "ShmAbsentTest"),
    REMOVES_AND_COMPLAINS(List.of("sockets"), Releases.since("2.5"),
            "removing a peer that was never contacted answers `FI_EINVAL`, but removes it", "sock_av_remove",
            "treats it as removed", "VectorGateTest"),
    /** Queues and counters drive all endpoints that are bound to them. */
    POLLS_WHAT_IS_BOUND(List.of("shm", "sm2", "ofi_rxm", "ofi_rxd", "net", "lnx"), Releases.ALL,
            "polling a queue or reading a counter that is bound to an endpoint not yet enabled crashes",
            "rxm_ep_do_progress: msg_cq is NULL until then; rxd_ep_bind: dg_cq is, after the queue knows the endpoint",
            "binds when the endpoint is enabled, while nobody polls, and closes it if enabling fails", "OrderTest"),
    /** Such a domain is a shell; each endpoint makes a domain of its own in it when it is enabled. */
    NO_PROGRESS_WITHOUT_ENDPOINT(List.of("tcp"), Releases.since("2.0"),
            "unconnected, with `Threading.COMPLETION`: polling a queue or reading a counter that no enabled endpoint "
                    + "is bound to crashes, and so does a shared receive context",
            "xnet_domain_mplex_open: makes no progress, whose lock xnet_progress and xnet_srx_close take",
            "opens the domain with `Threading.SAFE`, which promises more and takes locks", "DomainSettingsTest",
            Quirk::isAlone),
    /** The code of net, under its later name. */
    POLLS_WHAT_IS_BOUND_TO_TCP(List.of("tcp"), Releases.since("1.18"),
            "polling a queue or reading a counter that is bound to an endpoint not yet enabled crashes",
            "xnet_run_progress",
            "binds when the endpoint is enabled, while nobody polls, and closes it if enabling fails", "OrderTest"),
    FULL_IS_NO_MEMORY(List.of("shm", "sm2"), Releases.ALL,
            "a receive beyond the size of the endpoint answers `FI_ENOMEM` instead of `FI_EAGAIN`",
            "smr_generic_recv: the free stack is empty", "returns false", "OrderTest"),
    /** A name that fills its field has no NUL. */
    UNTERMINATED_NAMES(List.of("sm2"), Releases.ALL,
            "an endpoint's own address, and those in an info, may come without the NUL", "sm2_getname, sm2_getinfo",
            "adds it", "PackedAddressesTest"),
    /** A table has the numbers of the vector below, which begin with 0; but 0 also stands for no entry. */
    FIRST_IS_NOT_FOUND(List.of("ofi_rxd"), Releases.before("2.4"),
            "looking up a vector's first address fails with `FI_ENODATA`", "rxd_av_dg_addr: takes 0 for none",
            "`lookup` throws, and says so", "AddressVectorTest"),
    /** It takes an array of pointers instead of an array of texts. */
    POINTERS_TO_NAMES(List.of("psm", "psm2", "psm3"), Releases.ALL,
            "takes text addresses by pointers to them, as the man page says", "psmx_av_insert",
            "packs them so", "PackedAddressesTest"),
    /** The source is looked up among the peers that this side has sent to. */
    SOURCES_NEED_CONTACT(List.of("psm3"), Releases.ALL,
            "a message from a peer that nothing was sent to yet ends in `FI_EADDRNOTAVAIL`",
            "psmx3_av_translate_source: the connection has no context",
            "reads completions without their sources", "Psm3Test"),
    /** The ring is written to without a check that it has room. */
    QUEUES_OVERFLOW(List.of("udp"), Releases.before("2.4"),
            "a datagram that is received while the queue is full of completions overwrites one",
            "udpx_rx_comp: ofi_cirque_next",
            "opens queues for at least what four endpoints may have under way; sends and receives answer false while "
                    + "an endpoint has as many as its sizes say, unread ones included; an endpoint for which a queue "
                    + "has no room left is not bound to it", "CountedMessagesTest",
            Quirk::isAlone),
    /** The queue below has room for a packet of each operation, but a message is many packets. */
    PACKETS_OVERFLOW_QUEUE(List.of("ofi_rxd"), Releases.before("2.4"),
            "long messages over endpoints of small sizes never arrive, or arrive damaged; so may those to more than a "
                    + "dozen peers at a time",
            "rxd_dg_cq_open: tx_size + rx_size; udpx_rx_comp writes over what is not read yet",
            "opens endpoints with 1024 for both sizes, the most there is", "RxdQueueTest"),
    /** Only successful completions have a list for those that the ring cannot hold. */
    ERRORS_OVERFLOW(List.of("sockets"), Releases.ALL,
            "errors beyond the room of a queue are lost, and their operations never end",
            "sock_cq_report_error: FI_ENOSPC, at which nobody looks",
            "opens queues for 65,536 entries at least, which may take 13 MB", "ManyErrorsTest"),
    FAILED_BIND_KEEPS_SOCKET(List.of("udp"), Releases.ALL,
            "an endpoint that cannot be opened because its source address cannot be bound leaves its socket open",
            "udpx_ep_init: goes to err1 past ofi_close_socket", "tries the address first", "LeakTest"),
    FAILED_JOIN_IS_NEVER_LEFT(List.of("udp"), Releases.ALL,
            "a multicast group that could not be joined cannot be closed, nor can its endpoint, domain and fabric",
            "udpx_join_ip: reports an error, udpx_join gives a group; udpx_mc_close: cannot leave, and keeps it",
            "first checks for what would fail, and throws", "MulticastTest"),
    /** Both rings are rounded up to a power of two bytes, but their entries are of different sizes. */
    QUEUE_HOLDS_MORE_THAN_SOURCES(List.of("sockets"), Releases.ALL,
            "a full queue reports wrong sources, unless its entries fill a power of two bytes",
            "sock_cq_open: ofi_rbinit, ofi_rbfdinit", "opens it with as many entries as the rounding makes room for",
            "ManySourcesTest"),
    /** One bit tells its own messages from the application's. */
    COLLECTIVE_TAGS(List.of("ofi_rxm"), Releases.ALL,
            "a tagged message whose tag has bit 63 set crashes both sides, a receive that ignores it crashes its own",
            "OFI_COLL_TAG_FLAG: the context is taken for a step of a collective operation",
            "tags with that bit are refused, receives do not ignore it", "TaggedMessagesTest"),
    /** It answers like a provider that does not care; with others the format is the width that they carry. */
    ECHOES_TAG_FORMAT(List.of("ofi_rxm"), Releases.ALL, "offers the mem_tag_format of the hints, and carries 64 bits",
            "rxm_alter_info: the format is copied from the hints", "all bits are allowed", "TagBitsTest"),
    /** The replacement of a buffer that is kept for a while is posted twice. */
    EARLY_MESSAGES_STAY(List.of("ofi_rxm"), Releases.ALL,
            "a message above 16 KiB that comes before its receive leaves 16 KiB with the endpoint until it is closed",
            "rxm_replace_rx_buf: called when it comes, and when its receive does; 1 keeps only what tcp has room for",
            "long messages of calls and groups wait until their receives are there; docs: post receives before",
            "NothingIsLeftTest"),
    UNASKED_STOP_CONNECTIONS(List.of("tcp"), Releases.since("1.18"),
            "once an untagged message of a peer, or 64 tagged ones (in 1.18.0: 4; one if its address is not inserted), "
                    + "are here that nobody has asked for, nothing of it is read any more until one of them is "
                    + "received: no answers to calls either",
            "xnet_handle_msg; xnet_save_and_cont: keeps FI_TCP_MAX_SAVED messages",
            "`KeepAlive` asks who does not answer by a second endpoint, too; each group sends some 30 before their "
                    + "receiver has said that it has received some; payloads of calls that nobody wants are received "
                    + "for nobody; docs: post receives in time, or set `FI_TCP_MAX_SAVED` to "
                    + "more, each of which takes 16 KiB or more of the receiver's memory",
            "LateMembersTest", Quirk::isNotUnderRxm),
    BROKEN_OFF_MESSAGES(List.of("tcp"), Releases.since("1.18"),
            "if a peer dies, or closes its endpoint or node, in the middle of a tagged message that nobody has asked "
                    + "for, a receive of its tag crashes; if the message is above 16 KiB, so does closing the endpoint "
                    + "or node that it came to",
            "xnet_complete_rx: frees what has come of it, but leaves it in the list of saved messages, which "
                    + "xnet_srx_cleanup_saved frees again",
            "messages of calls and groups above 128 KiB wait until their receives are there; docs: post receives "
                    + "before, or set `FI_TCP_MAX_SAVED` to 0, and close senders only when their sends have completed",
            "BrokenOffTest"),
    ERROR_TEXTS_OF_ENDPOINT(List.of("ofi_rxm", "ofi_rxd"), Releases.ALL,
            "reading an error that outlived the last endpoint of its queue crashes",
            "rxm_cq_strerror, rxd_cq_strerror: ask the first endpoint in the list for the text",
            "takes libfabric's text for the error's number", "CloseOrderTest"),
    /** Whatever had failed last in the thread. */
    LEFTOVER_ERRNO(List.of("tcp", "net"), Releases.ALL,
            "the text of a failed operation is of another failure, such as \"No such file or directory\"",
            "tcpx_cq_report_error, xnet_report_error: prov_errno = ofi_sockerr()",
            "takes libfabric's text for the error's number", "RemedyTest"),
    /** Packets name their sender by the number that the receiver gave it. */
    PACKETS_OUTLIVE_ENDPOINTS(List.of("ofi_rxd"), Releases.ALL,
            "a packet for an endpoint that is closed crashes another one that has its port by then",
            "rxd_handle_recv_comp: rxd_peer is NULL for a number that this endpoint has not given",
            "ports of this process's closed endpoints are not used again: if asked for, `FI_EADDRINUSE`; docs: nor may "
                    + "another process use them while peers are left", "RxdRestartTest"),
    /** All results are written to the same place. */
    SYMMETRIC_TELLS_LAST(List.of("sockets"), Releases.ALL,
            "inserting numbered nodes and services gives the value of the last for the first, and none for the others",
            "sock_av_insertsym: passes fi_addr on as it is", "inserts them one by one", "AddressVectorTest"),
    /** The numbers go into copies that are not used. */
    SYMMETRIC_NAMES_STAY(List.of("tcp", "net", "udp", "ofi_rxm"), Releases.ALL,
            "inserting numbered nodes and services by a host name inserts the first node's first service every time",
            "ip_av_nodesym_getaddr: getaddrinfo of node and service, not of name and svc",
            "inserts names one by one", "AddressVectorTest"),
    /** A byte is carried on when it becomes 255, not when it becomes 0. */
    SYMMETRIC_ADDRESSES_SKIP(List.of("tcp", "net", "udp", "ofi_rxm"), Releases.ALL,
            "inserting numbered nodes by an IPv6 address gives others: fd00::fd and fd00::fe are followed by fd00::1ff",
            "ip_av_ip6sym_getaddr: if (++s6_addr[j] < 255) break", "counts them, and inserts them one by one",
            "AddressVectorTest"),
    /** With an IP address nothing is looked up. */
    SERVICES_ARE_NUMBERS(List.of("tcp", "net", "udp", "ofi_rxm"), Releases.ALL,
            "inserting an IP address with the name of a service inserts port 0; a port with leading zeros is octal",
            "ofi_ip_av_sym_getaddr: strtol(service, NULL, 0)",
            "`IllegalArgumentException`; leaves the zeros out", "AddressVectorTest"),
    /** Free places are in an ordered list that goes through chunks of 1,024. */
    FEW_ADDRESSES(List.of("ofi_rxd"), Releases.ALL,
            "a vector of more than 1,023 addresses, with senders that are not in it, never closes, nor removes one",
            "ofi_idx_remove_ordered: looks for all places in the chunk of the one that is removed",
            "the 1,001st different address that a vector has ever had is refused with `FI_ENOSPC`; docs: no more "
                    + "senders either", "FewAddressesTest"),
    /** An entry is taken out of a list for a second time. */
    CLAIMS_TWICE(List.of("ofi_rxd"), Releases.ALL,
            "claiming a message crashes when others came in meanwhile; dropping one that is still arriving does later",
            "rxd_ep_discard_recv, rxd_free_unexp_msg: the entry is unlinked twice, peer->curr_unexp stays",
            "refuses to claim and to discard with `FI_EOPNOTSUPP`; peeking alone is safe", "TaggedMessagesTest"),
    /** There is no segment that could end it. */
    EMPTY_READS(List.of("ofi_rxd"), Releases.ALL,
            "a read of 0 bytes never completes", "rxd_tx_entry_init_rma: num_segs is 0",
            "refuses it with `FI_EOPNOTSUPP`", "RefusalsTest"),
    /** Such an operation takes the path of those that report nothing. */
    INJECT_FLAG_LOSES(List.of("ofi_rxd"), Releases.ALL,
            "an operation with the flag `INJECT` reports another context and loses its data; a read with it hangs",
            "rxd_ep_generic_sendmsg: passes 0 and NULL to rxd_ep_generic_inject",
            "refuses the flag with `FI_EOPNOTSUPP`; `inject` works", "RefusalsTest"),
    /** The answer's error is positive by the time that it is looked at for an error of the provider's own. */
    ATOMIC_FAILURES_ECHO(List.of("ofi_rxm"), Releases.ALL,
            "an atomic that the target refuses is reported once more, without a context, to the queue for sends and to "
                    + "that for receives; counters count it as an error of messages, reads and writes, too",
            "rxm_handle_atomic_resp: returns the error, which rxm_ep_do_progress gives to rxm_cq_write_error_all",
            "drops reports of `FI_EACCES` without context and flags; the counters stay wrong", "AtomicsTest"),
    /** They are taken for operations that nobody waits for. */
    INJECTED_ATOMICS_ARE_SILENT(List.of("ofi_rxm"), Releases.ALL,
            "an atomic with the flag `INJECT` never completes, whatever it asks for",
            "rxm_handle_atomic_resp: writes no completion if the flag is there",
            "leaves the flag out, as operands are copied in any case; refuses it with `FI_EOPNOTSUPP` as a default of "
                    + "endpoints with `ATOMIC`", "AtomicsTest"),
    /** The target's address is taken for the number of the peer. */
    INJECTED_ATOMICS_GO_ASTRAY(List.of("ofi_rxd"), Releases.ALL,
            "an injected atomic goes to the peer whose number is the offset in the region; if there is none, the "
                    + "provider is busy forever", "rxd_atomic_inject: looks up addr in place of dest_addr",
            "`Atomics.inject` throws `FI_EOPNOTSUPP`; `apply` works", "RefusalsTest"),
    /** The first that is bound decides for all. */
    FIRST_QUEUE_DECIDES(List.of("ofi_rxd"), Releases.ALL,
            "binding a queue with a wait object after one without makes it wait for fd 0",
            "rxd_ep_bind: the first decides how the datagrams' queue is opened, dg_cq_fd stays 0",
            "`bind` throws `IllegalStateException`", "RefusalsTest"),
    /** Acknowledgements go through both, whatever the endpoint is for. */
    NEEDS_BOTH_QUEUES(List.of("ofi_rxd"), Releases.ALL,
            "an endpoint that only sends or only receives crashes without the other queue", "rxd_ep_generic_recvmsg",
            "`enable()` throws `IllegalStateException`", "HostileUserTest"),
    /** What waits for one of the two waits for both. */
    NEEDS_BOTH_QUEUES_OF_TCP(List.of("tcp"), Releases.before("1.18"),
            "an endpoint that only sends or only receives crashes without the other queue",
            "tcpx_tx_queue_insert: ep->util_ep.rx_cq->wait, and rx_cq is NULL",
            "`enable()` throws `IllegalStateException`", "ConnectedPartsTest"),
    /** Whatever it was opened for, the endpoint accepts writes with a key of the domain. */
    REMOTE_DATA_NEEDS_QUEUE(List.of("tcp"), Releases.since("1.18"),
            "a write with immediate data to a connected endpoint that only sends, and has no queue for receives, "
                    + "crashes",
            "xnet_handle_write: reports it to ep->util_ep.rx_cq, which is NULL",
            "`enable()` throws `IllegalStateException`", "ConnectedPartsTest"),
    REMOTE_DATA_NEEDS_QUEUE_OF_NET(List.of("net"), Releases.ALL, "as above", "xnet_op_write: as above",
            "as above", "ConnectedPartsTest"),
    /** All endpoints get a receive context, also those that only send. */
    NEEDS_RECEIVE_QUEUE(List.of("shm", "sm2"), Releases.ALL,
            "enabling an endpoint that only sends, without a queue for receives, crashes",
            "smr_ep_ctrl, sm2_ep_ctrl: util_srx_bind(.., &ep->util_ep.rx_cq->cq_fid.fid, ..), and rx_cq is NULL",
            "`enable()` throws `IllegalStateException`", "OneWayTest"),
    /** A table of functions that all providers of the process share. */
    REPLACES_COUNTER_WAITS(List.of("ofi_rxd"), Releases.ALL,
            "once a counter was opened, waits for counters of other providers take their endpoints for rxd's",
            "rxd_cntr_open: writes to the shared cntr_fid.ops->wait", "all waits for counters poll from then on",
            "RefusalsTest"),
    /** The hardware is to start something at the threshold, and is never told that nobody waits any more. */
    COUNTER_WAITS_USE_UP(List.of("cxi"), Releases.ALL,
            "each wait for a counter that ends before its threshold keeps one of the few hundred triggered operations "
                    + "of the job until the counter gets there; without any left, anything may happen",
            "cxip_cntr_wait: calls cxip_cntr_emit_trig_event_cmd (\"may get leaked on timeout\")",
            "`Counter.await` polls", "CxiTest"),
    /** The argument is ignored. */
    FLUSHES_ALL(List.of("cxi"), Releases.ALL,
            "cancelling the deferred work that waits for one counter cancels that for all counters of the domain",
            "cxip_dom_control: cxip_dom_dwq_flush_work takes no counter",
            "`Deferral.flush` throws `FI_ENOSYS`: use `flushAll`", "CxiTest"),
    /** Its lock is held while the work is done. */
    COUNTER_WORK_LOCKS(List.of("sockets"), Releases.ALL,
            "deferred work that changes the counter it waits for never ends, nor does what uses the counter",
            "sock_cntr_check_trigger_list: calls fi_cntr_set with the counter's mutex held",
            "refuses work on a counter that leads back to it with `IllegalArgumentException`", "DeferredWorkTest"),
    TRIGGERS_LOCK(List.of("sockets"), Releases.ALL,
            "a receive that an arrival triggers, or a transmit that a sent message does, stops all progress",
            "sock_cntr_check_trigger_list: locks what sock_pe_progress_buffered_rx and sock_pe_progress_tx_ctx hold",
            "refuses them on counters of what arrived or was sent with `IllegalArgumentException`",
            "TriggeredOperationsTest"),
    /** Its progress thread looks at a message after it has let go of the lock, and goes on from one that is gone. */
    CLAIMS_IN_USE(List.of("sockets"), Releases.ALL,
            "claiming or discarding a message whose last byte has just come crashes the progress thread; peeking and "
                    + "discarding in one also when more than 10 messages wait",
            "sock_pe_process_rx_send: reads rx_entry->is_buffered after it has let go of the lock; "
                    + "sock_pe_progress_buffered_rx: rx_ctx->progress_start is the entry that was freed",
            "refuses to claim and to discard with `FI_EOPNOTSUPP`; peeking alone is safe", "TaggedMessagesTest"),
    /** The rest of the message still goes there. */
    DISCARDS_INTO_FREED_MEMORY(List.of("tcp"), Releases.since("1.18"),
            "dropping a tagged message that is still arriving crashes",
            "xnet_recv_saved: frees the buffer that xnet_srx_claim made for the rest of the message",
            "refuses to discard with `FI_EOPNOTSUPP`; claiming it, then receiving it is safe", "DiscardTest"),
    /** The sender is not told. */
    DISCARDS_UNANSWERED(List.of("ofi_rxm"), Releases.ALL,
            "the sender of a message above 16 KiB that is dropped waits without end, and is in use when it closes",
            "rxm_discard: frees the request and does not answer it",
            "refuses to discard with `FI_EOPNOTSUPP`; claiming it, then receiving it is safe", "DiscardTest"),
    /** The sender is told that all is copied, and never finishes its half. */
    DISCARDS_HALF_COPIED(List.of("shm"), Releases.between("2.0", "2.5"),
            "the sender of a message above 4 KiB that is dropped may wait without end, with all that it sends later",
            "smr_discard: sets the status of a message that is still being copied; the sender's entry stays busy",
            "refuses to discard with `FI_EOPNOTSUPP`; claiming it, then receiving it is safe", "DiscardTest"),
    /** The thread that drops it holds that lock already. */
    DISCARDS_LOCK(List.of("sm2"), Releases.ALL,
            "dropping a tagged message never returns, with an endpoint that may be used by all threads",
            "sm2_discard: takes ep->util_ep.lock, which util_srx_peek and util_srx_generic_trecv have",
            "refuses to discard with `FI_EOPNOTSUPP`; claiming it, then receiving it is safe", "DiscardTest"),
    /** Its neighbours in the queue are others by then. */
    DISCARDS_LOSE_OTHERS(List.of("lnx"), Releases.ALL,
            "dropping a claimed message loses those that came since; its parts drop messages as they do alone",
            "lnx_discard: takes the entry out of the queue a second time",
            "refuses to discard with `FI_EOPNOTSUPP`; claiming it, then receiving it is safe", "LnxTest"),
    /** Any number is taken for an index. */
    SHARED_VECTOR_UNCHECKED(List.of("sockets"), Releases.ALL,
            "sending to or removing an address that is not in a named address vector crashes; removed ones still get "
                    + "messages",
            "sock_av_remove, sock_ep_get_conn: no bound, and no check of valid; nor does sock_av_lookup before 2.5; "
                    + "others insert too, so jfabric does not know what is there",
            "looks into the vector's table first", "SharedVectorTest"),
    /** The mapped file does not grow, and the addresses stay where they were. */
    SHARED_VECTOR_MOVES(List.of("sockets"), Releases.ALL,
            "a named address vector into which more is inserted than its count says loses all addresses that it had, "
                    + "or ends the process with a SIGBUS",
            "sock_resize_av_table: mremap alone; idx_arr, which is before the table, has other places then",
            "`insert` throws `FI_ENOSPC`", "SharedVectorTest"),
    /** Values and thresholds are compared as signed numbers of 32 bits. */
    COUNTERS_ARE_INTS(List.of("sockets"), Releases.ALL,
            "a counter past 2^31 is below every threshold: work and triggers that look as if started wait for it; "
                    + "values that are set or added are cut to 32 bits",
            "sock_cntr_check_trigger_list: (int) threshold; such a threshold is below every counter; sock_cntr_set: "
                    + "(int32_t) value",
            "what they need stays busy until the counter has got there by either comparison; refuses thresholds and "
                    + "values of 2^31 and more", "DeferredWorkTest"),
    /** Injected writes have a short path, which is not taken where writes are counted. */
    UNCOUNTED_INJECTED_WRITES(List.of("ofi_rxm"), Releases.ALL,
            "an injected write crashes when its connection breaks; one by request of more than 128 bytes writes past "
                    + "its entry",
            "rxm_ep_inject_write, rxm_ep_rma_inject_common: fi_inject_write of tcp reports errors with a NULL context",
            "binds a counter of its own to endpoints whose writes are not counted", "RxmConnectionTest"),
    /** An endpoint is never taken off the list of what a queue waits for. */
    WAITS_REMEMBER_ENDPOINTS(List.of("ofi_rxm", "ofi_rxd", "shm", "sm2"), Releases.ALL,
            "waiting for a queue or counter crashes once one of its endpoints was closed",
            "rxm_ep_close, smr_ep_close and others: the wait object keeps rxm_ep_trywait_cq of the endpoint",
            "waits by polling from then on", "LeftBehindTest"),
    /** That wait object has no such function. */
    CANNOT_TRY_TO_YIELD(List.of("shm", "sm2"), Releases.ALL,
            "`fi_trywait` with a queue whose wait object is `UNSPEC` crashes",
            "ofi_trywait: wait_try is NULL in util_wait_yield", "throws `IllegalArgumentException`, as for `YIELD`",
            "WaitTest"),
    /** Its tables still lead to contexts that are gone. */
    SCALABLE_KEEPS_CONTEXTS(List.of("sockets"), Releases.ALL,
            "enabling a scalable endpoint, or a message to it, crashes once one of its contexts was closed",
            "sock_ctx_close: leaves the context in tx_array and rx_array",
            "`close()` of a context throws `FI_EBUSY`; it closes with its endpoint, all of them or none",
            "ScalableEndpointTest"),
    SEGMENTS_DO_NOT_FIT(List.of("ofi_rxm"), Releases.ALL,
            "a message of 16 to 128 KiB into a receive too short for it, where messages are cut (verbs; tcp with the "
                    + "capability `COLLECTIVE`): the receiver crashes, from 2.0 its poll never returns",
            "rxm_process_seg_data: takes an entry out of a list that it is not in, or frees one that is in it",
            "sets `FI_OFI_RXM_SAR_LIMIT` to 0, unless it is set", "RxmConnectionTest"),
    /** Each event writes a byte into a socket that perhaps nobody reads. */
    SIGNALS_FILL_UP(List.of("sockets"), Releases.ALL,
            "anything in a wait set, or a counter with a file descriptor, hangs at its 279th event that nobody waited "
                    + "for, and all else with it",
            "sock_wait_signal: a blocking write; sock_cntr_wait, fi_cntr_read and fi_cq_read never read from there",
            "`WaitSet.open`, and `openCounter` with `WaitObject.FD`, throw `FI_ENOSYS`", "RefusalsTest"),
    /** Whatever the queue waits with is taken for an epoll descriptor. */
    POLLS_TAKEN_FOR_EPOLL(List.of("udp"), Releases.ALL,
            "binding a completion queue with `WaitObject.POLLFD` fails with `FI_EBADF`, and the endpoint takes no "
                    + "other",
            "udpx_ep_bind_cq: adds the socket to wait->epoll_fd, which such a wait does not have",
            "`openCompletionQueue` throws `FI_ENOSYS`", "RefusalsTest", Quirk::isAlone),
    /** The flag is bit 17 of what is passed on in 16 bits. */
    DATA_NOT_SAID(List.of("sm2"), Releases.ALL,
            "the completion of a receive with immediate data lacks the flag `REMOTE_CQ_DATA`",
            "sm2_rx_cq_flags: uint16_t op_flags", "adds it where the data are not 0", "Sm2Test"),
    /** Messages get the flags of their receives, and writes get none. */
    WRITE_NOT_SAID(List.of("shm"), Releases.since("2.0"),
            "the completion of a peer's write with immediate data lacks the flags `REMOTE_WRITE` and `RMA`",
            "smr_rx_cq_flags: leaves out ofi_rx_cq_flags", "adds them to data without `RECV`", "RmaTest"),
    /** The receiver's answer to the sender needs a place of its own, which is looked for when all else is done. */
    TAKES_WHAT_IT_REFUSES(List.of("sm2"), Releases.ALL,
            "with 1024 messages under way, the receive of a message above 4040 bytes that is here already is refused "
                    + "with `FI_EAGAIN` but takes the message, and the sender never hears of it",
            "sm2_start_common: gives the result of sm2_pop_xfer_entry after the completion",
            "treats the receive as posted; docs: let sends have deadlines", "Sm2Test"),
    /** All endpoints share one file. */
    PLACES_RUN_OUT(List.of("sm2"), Releases.ALL,
            "all endpoints of a machine share 256 places; those that did not end in order, and addresses of nobody, "
                    + "keep theirs until no process uses any; when all are taken, enabling fails with `FI_EAVAIL`, "
                    + "inserting with `FI_EINVAL`", "sm2_entry_allocate, sm2_file_attempt_shrink",
            "the exceptions say so", "Sm2Test"),
    /** Where there are no operands it sees nothing to do. */
    FETCHES_NOTHING(List.of("sm2"), Releases.ALL,
            "`ATOMIC_READ` completes without having read anything",
            "sm2_generic_atomic: iov_count is 0, and so is hdr.size",
            "answers that there is none: fetch with `BOR` or `SUM` of 0", "Sm2Test"),
    /** A prefix is room for the provider's own packets there, in one piece with the message. */
    PREFIX_IS_OPTIONAL(List.of("efa"), Releases.ALL,
            "RDM endpoints that are allowed a prefix (`FI_MSG_PREFIX`) report wrong lengths, and reads and atomics "
                    + "write to wrong places",
            "rxr_pkt_copy_data_to_op_entry, later efa_rdm_pke_copy_payload_to_ope: add msg_prefix_size always",
            "opens them without", "EfaTest"),
    EVENTS_WITHOUT_CONDITION(List.of("sockets"), Releases.ALL,
            "waiting for an event queue with `WaitObject.MUTEX_COND` may miss the event, or crash",
            "sock_wait_wait: waits for the condition without its mutex", "`openEventQueue` throws `FI_ENOSYS`",
            "RefusalsTest"),
    /** The signal is reset with the first error, if there is no event. */
    EVENT_ERRORS_WITHOUT_SIGNAL(List.of("sockets"), Releases.ALL,
            "the second of two errors in an event queue does not make its file descriptor readable",
            "sock_eq_readerr: dlistfd_reset of the events' list; sock_trywait: 0",
            "`tryWait` looks into event queues first", "EventErrorsTest"),
    /** In builds with --enable-profile. Only what has its number 0 is counted. */
    PROFILE_OF_NOTHING(List.of("tcp"), Releases.ALL,
            "reading any of a profile's variables but that of unexpected messages crashes",
            "xnet_prof_init: ofi_prof_add_common_vars lists variables that have no memory",
            "`Profile.read` of the others and `startReads` throw `FI_EOPNOTSUPP`", "ProfileCallbackTest"),
    /** The hook that the environment variable asks for stands between the program and every provider. */
    HOOKS_KEEP_COUNTERS(List.of("FI_HOOK"), Releases.ALL,
            "with a hook (`FI_HOOK`), triggered operations and deferred work crash",
            "hook_control, hook_msg_sendmsg: hand on structs that lead to the hook's counters and endpoints",
            "refuses them with `FI_ENOSYS`", "HooksTest"),
    /** The hook's own tables are all there. */
    HOOKS_LACK_NOTHING(List.of("FI_HOOK"), Releases.ALL,
            "with a hook, asking an endpoint that has no atomic operations for them crashes",
            "hook_atomic_writevalid: hep->atomic is NULL", "answers that there are none", "HooksTest"),
    /** Groups are not wrapped, and libfabric's own vectors do not know their wrapper. */
    HOOKS_LOSE_SOURCES(List.of("FI_HOOK"), Releases.ALL,
            "with a hook, events do not tell which multicast group was joined, or which vector has inserted",
            "hook_eq_map_fid: takes the context of the fid for the hook's object, which it is not for these",
            "`join` and `insertAsync` throw `FI_ENOSYS`", "HooksTest"),
    /** It was written for one program's use of libfabric. */
    HOOK_TAKES_CONTEXTS(List.of("ofi_hook_debug"), Releases.ALL,
            "with the hook `debug`, failed operations report contexts that are not theirs, and events of an "
                    + "application's own number are counted in somebody else's memory",
            "hook_debug_cq_ops: readerr gives away the hook's own entry; hook_debug_eq_read: event_cntr[*event]",
            "`Fabric.open` throws `FI_ENOSYS`: take `FI_HOOK=trace`", "HooksTest"),
    /** Messages that came before their receives are looked for in the whole domain. */
    EARLY_MESSAGES_GO_ASTRAY(List.of("tcp"), Releases.since("1.18"),
            "a tagged message that comes before its receive goes to whichever unconnected endpoint of the domain asks "
                    + "for its tag first, not to the one that it was sent to",
            "xnet_search_saved, xnet_srx_tag: look through progress->saved_tag_list, which is the domain's",
            "a warning in the log when the second endpoint is enabled: open a domain for each, as nodes do, or post "
                    + "receives first", "EarlyTaggedTest", Quirk::isNotUnderRxm),
    EARLY_MESSAGES_GO_ASTRAY_OF_NET(List.of("net"), Releases.ALL,
            "as above",
            "xnet_find_msg: as above", "as above", "EarlyTaggedTest");

    private final TableRow row;
    private final Predicate<List<String>> layering;

    Quirk(List<String> providers, Releases releases, String symptom, String cause, String answer, String test) {
        this(providers, releases, symptom, cause, answer, test, components -> true);
    }

    /** With a condition on all components of the provider's name, such as {@code tcp;ofi_rxm}. */
    Quirk(List<String> providers, Releases releases, String symptom, String cause, String answer, String test,
            Predicate<List<String>> layering) {
        this.row = new TableRow(providers, releases, symptom, cause, answer, test);
        this.layering = layering;
    }

    private static boolean isAlone(List<String> components) {
        return components.size() == 1;
    }

    private static boolean isOverTcp(List<String> components) {
        return components.contains("tcp");
    }

    /** Where there is rxm, it is rxm that looks for tags. */
    private static boolean isNotUnderRxm(List<String> components) {
        return !components.contains("ofi_rxm");
    }

    boolean appliesTo(List<String> components, int release) {
        return row.releases().include(release) && layering.test(components)
                && (row.providers().isEmpty() || components.stream().anyMatch(row.providers()::contains));
    }

    /** Its row in docs/quirks.md. */
    public TableRow row() {
        return row;
    }
}
