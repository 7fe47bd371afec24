// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.internal.library.NativeLibrary;
import java.util.List;

/**
 * What providers do wrong and no code asks for, as jfabric leaves it to the program or does the same on every provider.
 * For the tables in docs/quirks.md.
 */
public enum Fault {
    UNKNOWN_LOG_LEVELS(List.of(), Releases.since("2.0"),
            "a `FI_LOG_LEVEL` that it does not know crashes the first call",
            "fi_convert_log_str: its table has no end", "throws `IllegalStateException` if it is in the environment; "
                    + "docs: nothing looks into libfabric.conf", "LoadingTest"),
    UNKNOWN_SENDERS_SEEM_KNOWN(List.of("shm"), Releases.before("1.19"),
            "receives from one peer take messages of senders that are not in the address vector; in 1.17 the source of "
                    + "such a message is the vector's first address",
            "smr_map_add: FI_ADDR_UNSPEC for who was not inserted", "docs: insert the address of whoever may send",
            "SenderTest"),
    /** Also those that are not in the vector, as it is the place by which they are answered. */
    SENDERS_TAKE_PLACES(List.of("shm"), Releases.ALL,
            "with 256 peers, inserted or only heard from, the next one that writes takes the place of another: what is "
                    + "sent to that one's address then goes to the new one",
            "smr_map_add: that a place is free is only asserted",
            "docs: for more than some 200 peers in the life of an endpoint or node, also one after the other, open "
                    + "another, or use `tcp`", "ManySendersTest"),
    UNKNOWN_SENDERS_TAKEN(List.of("sockets"), Releases.ALL,
            "receives from one peer take messages of senders that are not in the address vector",
            "sock_rx_get_entry: takes no address for any address", "as above", "SenderTest"),
    WRONG_SOURCES(List.of("ofi_rxd"), Releases.ALL,
            "the source of a message of a second known peer is the vector's first address", "not found out",
            "docs: have the message say who sends it", "SenderTest"),
    /** Its memory is accessed without its help, and nothing answers that it is not there. */
    ACCESS_TO_THE_DEAD(List.of("shm"), Releases.ALL,
            "reads and writes to a process that died, or of memory that is not mapped or cannot be written there, are "
                    + "never reported: before 2.0 they end as an error without a context on the queue for receives, "
                    + "later they are refused (false) for ever, or complete (2.1; up to 4 KiB, 2.5)",
            "smr_rma_fast, smr_rma_emulate: what the kernel says of the process is no completion of the operation",
            "docs: let operations have deadlines; nodes notice who died, and fail what went there",
            "UnreportedAccessTest"),
    /** The target looks the key up, and tells nobody. */
    REFUSED_ATOMICS_UNREPORTED(List.of("shm"), Releases.ALL,
            "an atomic that the target refuses, as its region is closed or does not grant it, is no error: one with "
                    + "a result never completes before 2.5, and later returns its own operand; since 1.18, a "
                    + "thousand of them from 193 to 4096 bytes leave the target without buffers for messages of that "
                    + "length",
            "smr_progress_cmd_atomic: answers, and frees the buffer, only where the key is known",
            "docs: tell peers before a region is closed", "UnreportedAccessTest"),
    /** The sender repeats it, for minutes, and whatever comes behind it is not its turn. */
    REFUSED_ACCESS_BLOCKS(List.of("ofi_rxd"), Releases.ALL,
            "a read, write or atomic that the target refuses, as its region is closed or does not grant it, does not "
                    + "complete, and nothing that goes to that peer later arrives",
            "rxd_handle_op: neither answers a packet whose key is not there nor counts it",
            "docs: tell peers before a region is closed, and let operations have deadlines", "RefusedAccessTest"),
    UNTAGGED_FROM_ANY(List.of("tcp"), Releases.since("1.18"),
            "an untagged receive from one peer takes messages of any, in spite of `DIRECTED_RECV`",
            "xnet_recvmsg: has one list for all peers", "docs: use tagged receives, which are right", "SenderTest"),
    /** A receive looks at whoever has waited longest in the domain, and leaves it there. */
    EARLY_MESSAGES_WAIT(List.of("tcp"), Releases.since("1.18"),
            "an untagged message that comes before its receive may not be received while one waits for another "
                    + "endpoint of the domain, or for another shared receive context, nor afterwards until another "
                    + "receive is posted",
            "xnet_srx_msg: looks at the first of progress->unexp_msg_list, which is the domain's",
            "the warning of tagged messages, which go astray there; docs: open a domain for each, as nodes do, or post "
                    + "receives first", "EarlyUntaggedTest"),
    EARLY_MESSAGES_WAIT_IN_NET(List.of("net"), Releases.ALL, "as above", "xnet_srx_msg: as above",
            "as above", "EarlyUntaggedTest"),
    /** What is kept says who has claimed it, but not what waits outside. */
    CLAIMED_TAKEN_BY_OTHERS(List.of("tcp"), Releases.since("1.18"),
            "a message that was claimed goes to any receive of its tag that is posted before `claim`, which fails with "
                    + "`FI_ENOMSG`, if its sender is not in the address vector, or 64 others of its sender wait",
            "xnet_handle_tag: does not look at cur_rx.claim_ctx",
            "docs: insert the address of whoever sends what is claimed", "ClaimedFromStrangersTest"),
    /** The connection stops there. */
    EARLY_MESSAGES_HOLD_UP(List.of("tcp", "net"), Releases.ALL,
            "while an untagged message waits for its receive, nothing else of its sender arrives: tagged messages, nor "
                    + "what was read from it, nor what tells that something has arrived there; so with the 65th tagged "
                    + "message that waits, with the first if its sender is not in the address vector, and with reads",
            "xnet_handle_msg: leaves the connection until there is a receive",
            "docs: post receives before messages can come, and do not wait for reads in between", "EarlyUntaggedTest"),
    /** Progress entries keep them. */
    STALE_DATA(List.of("sockets"), Releases.ALL,
            "a message with immediate data that came before its receive lacks the flag `REMOTE_CQ_DATA`, and one "
                    + "without shows those of an earlier one, so that the two look alike",
            "sock_pe_progress_buffered_rx: leaves the flag out; sock_pe_release_entry: leaves the data in",
            "docs: post receives before messages whose data count can come", "SenderTest"),
    /** It is read from its sender when it is received, and nobody looks whether that is there. */
    LONG_MESSAGES_OF_THE_DEAD(List.of("ofi_rxm"), Releases.ALL,
            "posting the receive of a message above 16 KiB that is here already crashes if the connection with its "
                    + "sender has ended meanwhile",
            "rxm_rndv_xfer: rx_buf->conn->msg_ep is null",
            "docs: post receives of long messages before those can come, or use another provider; calls and groups of "
                    + "nodes do the former by themselves",
            "EarlyLongTest"),
    /** The sender is told by a write to its memory, also where the place is one in the receiver's. */
    DISCARDING_CHANGES_MESSAGES(List.of("shm"), Releases.between("1.20", "2.5"),
            "closing an endpoint that has an unread message of 193 to 4096 bytes may put 8 zeros into a message of "
                    + "that size that its sender has not polled yet",
            "smr_discard: compares src_data with smr_src_iov, in place of op_src",
            "docs: receive what was sent before closing, or send nothing that nobody receives", "ShmDiscardTest"),
    /** What is to be thrown away is thrown away with the lock of the endpoint, which is held by then. */
    UNREAD_LOCKS_CLOSE(List.of("sm2"), Releases.ALL,
            "closing an endpoint that may be used by all threads, and has an unread message that was polled, never "
                    + "returns; nor does closing its node",
            "sm2_discard: takes ep->util_ep.lock, which util_srx_close holds",
            "docs: receive what was sent before closing, or open the domain with `Threading.DOMAIN`",
            "Sm2DiscardTest"),
    /** They are in the sender's memory, and the receiver gives them back. */
    CLOSED_PEERS_KEEP_SENDS(List.of("sm2"), Releases.ALL,
            "what is sent to a peer that has closed or died completes, if it has at most 4040 bytes, and stays under "
                    + "way: after 1024 such messages the endpoint can send to nobody",
            "sm2_verify_peer: startup_ready stays true, and nobody returns what sm2_fifo_write gives",
            "docs: stop sending to who has ended; open another endpoint or node", "Sm2Test"),
    PLACES_OF_THE_CLOSED(List.of("sm2"), Releases.ALL,
            "what is sent to a peer that has closed goes to whoever opens an endpoint next",
            "sm2_entry_allocate: takes its place; sm2_verify_peer: \"TODO: Check for PID that changes\"",
            "docs: stop sending to who has ended, or have messages say whom they are for", "Sm2Test"),
    UNAWAITED_DELIVERY(List.of("sm2"), Releases.ALL,
            "a message up to 4040 bytes with `DELIVERY_COMPLETE` completes before the other side has seen it",
            "sm2_proto_imm_send_comp: does not look at the flags", "docs: have it answer", "Sm2Test"),
    REFUSED_ATOMICS_SUCCEED(List.of("sm2"), Releases.ALL,
            "an atomic that the target refuses, as its region is closed, is no error, and fetches its own operand",
            "sm2_progress_atomic: forgets what ofi_mr_verify said", "docs: tell peers before a region is closed",
            "Sm2Test"),
    READS_OVERTAKE_DATA(List.of("shm"), Releases.ALL,
            "a read up to 4096 bytes may overtake an earlier write with immediate data: it finds what was there before",
            "smr_generic_rma: copies at once where it can, but not what tells the target",
            "docs: have the owner say that it was told", "WrittenTest"),
    /** The connection's memory is the next one's. */
    SOURCES_OF_THE_CLOSED(List.of("ofi_rxm"), Releases.ALL,
            "a message that came before its receive, and whose sender has closed or died since, seems to come from "
                    + "whoever has connected after that",
            "rxm_cq_write_recv_comp, earlier rxm_cq_write_src: rx_buf->conn was freed by rxm_free_conn",
            "docs: post receives before messages can come, or have the message say who sends it", "SenderTest"),
    /** A pointer into an entry is taken for one to its middle. */
    DIRECTED_BEFORE_ANY(List.of("shm", "sm2", "efa", "ofi_rxm"), Releases.since("2.3"),
            "a tagged receive from one peer takes a message that an earlier one from any should have; while there are "
                    + "both, the tag -1 crashes",
            "util_get_tag: container_of(any_item, .., peer_entry), which is s_entry since then",
            "docs: use different tags for receives from one peer and from any, and not -1", "SenderTest"),
    /** What asks for the connection seems to be a connected endpoint until its first tagged message. */
    LISTENERS_ACCEPT_UNCONNECTED(List.of("tcp"), Releases.ALL,
            "an unconnected endpoint or node of 1.18 or later that sends to the address of a listener is taken for one "
                    + "that connects; its first tagged message, or 32 bytes of anybody whose request was accepted, "
                    + "crash the side that has accepted it",
            "tcpx_op_tagged, later xnet_handle_tag: ep->srx_ctx, later ep->srx, is NULL; xnet_rdm_connect uses the "
                    + "requests of connected endpoints",
            "docs: hand out the address of a listener to what connects, and to nobody else", "PlainTagsTest"),
    LISTENERS_ACCEPT_UNCONNECTED_OF_NET(List.of("net"), Releases.ALL,
            "as above",
            "xnet_op_tagged: as above", "as above", "PlainTagsTest"),
    /** They are freed when the connection ends, and again when it is closed. */
    FREES_WAITING_TWICE(List.of("tcp"), Releases.since("1.20"),
            "where `FI_TCP_MAX_SAVED_SIZE` is set, a peer that ends before it has asked for longer tagged messages "
                    + "takes operations of others with it: they are lost, or crash",
            "xnet_flush_byte_idx: leaves in ep->rts_queue what it has freed", "docs: leave it alone",
            "DeadReceiverTest"),
    /** Seen by jfabric alone, at the end; see Quirk.ENDLESS_TRUNCATION and SILENT_TRUNCATION. */
    TRUNCATION_COUNTS(List.of("shm", "sm2", "ofi_rxd"), Releases.ALL,
            "a counter takes a message longer than its receive for a good one",
            "what jfabric puts behind the receive takes the rest",
            "docs: poll the queue that is bound for receives: the poll that reports `FI_ETRUNC` takes the message from "
                    + "the count and adds it to the errors. Whoever looks at the counter before, or has bound no queue "
                    + "for receives, sees no error; triggers may have gone off", "SilentTruncationTest"),
    TRUNCATION_COUNTS_OF_TCP(List.of("tcp", "net", "ofi_rxm"), Releases.before("1.18"),
            "a counter takes a message longer than its receive for a good one, at first",
            "what jfabric puts behind the receive takes the rest",
            "as above", "SilentTruncationTest"),
    COLLECTIVES_NEED_RECEIVES(List.of("ofi_rxm"), Releases.before("1.18"),
            "a join or collective that finds the queue of receives full never completes",
            "process_progress_queue: what gets -FI_EAGAIN for its receive is not queued again",
            "docs: have fewer receives and collectives under way than `rx().size()`", "CollectivesTest"),
    PEERS_UNCOUNTED(List.of("tcp", "net"), Releases.ALL,
            "counters count none of what peers read, nor what they write without immediate data, although "
                    + "`Capability.RMA_EVENT` is granted: who waits for that waits for ever",
            "xnet_op_read_req, xnet_op_write: no cq_flags, by which the counter is found, unless there is data",
            "docs: use `writeData`, or have the peer send a message", "UncountedTest"),
    INJECTED_UNCOUNTED(List.of("tcp"), Releases.before("1.18"),
            "counters count none of the injected sends and writes of connections",
            "tcpx_inject: sets no cq_flags, by which tcpx_get_cntr finds the counter",
            "docs: count those without `inject`", "UncountedTest"),
    /** Whoever it is may be sending yet. */
    CONNECTIONS_OF_THE_FORGOTTEN(List.of("sockets"), Releases.ALL,
            "an address that is removed, or whose `Peer` is closed, leaves its connection open; one that is inserted "
                    + "again makes another, so that both sides run out of file descriptors in time",
            "sock_av_remove: takes the connection from the address, and sock_ep_get_conn finds none",
            "docs: keep the peer and use it again, or close the endpoint or node, which closes all; or use `tcp`",
            "ForgottenPeersTest"),
    ERRORS_START_NO_WORK(List.of("sockets"), Releases.ALL,
            "errors that a counter has counted do not count towards the threshold of deferred work",
            "sock_cntr_check_trigger_list: looks at successes only", "docs: have an operation that fails start none",
            "DeferredWorkTest"),
    /** The list is looked at when the counter changes, not when there is room again. */
    TRIGGERS_STAY_BEHIND(List.of("sockets"), Releases.ALL,
            "where more operations wait for a counter than are sent at once, or their peer reads nothing, the rest "
                    + "start when the counter changes again; closing their endpoint first reads freed memory then",
            "sock_cntr_check_trigger_list: leaves what meets a full ring",
            "docs: have fewer than `tx().size()` operations wait, or add to the counter again; close the counter "
                    + "before the endpoint", "LateTriggersTest"),
    TRIGGERS_DROPPED(List.of("sockets"), Releases.ALL,
            "a triggered or deferred operation that cannot start, as its peer is gone, is forgotten: nothing reports "
                    + "it, and no counter counts it", "sock_cntr_check_trigger_list: frees it on every error",
            "docs: let what waits for it have a deadline", "LateTriggersTest"),
    /** It reads with a lock that closing and other requests need, and takes all types of messages. */
    STRANGERS_STOP_LISTENERS(List.of("sockets"), Releases.ALL,
            "a byte that anybody sends to the port of a passive endpoint keeps others from being connected, and "
                    + "`close()` from returning, until that socket is closed; eight bytes with the type of an answer "
                    + "crash", "sock_cm_recv: waits for the rest; sock_ep_cm_handle_rx: follows an endpoint that a "
                    + "listener's request does not have",
            "docs: listen where strangers cannot reach the port, or with `tcp`", "StrangersTest"),
    /** A request is read for a listener, which a connection that was asked for does not have. */
    WRONG_SERVERS_CRASH(List.of("sockets"), Releases.ALL,
            "whoever connects to a server of another kind crashes if that answers with a byte of 0, as one does that "
                    + "sends back what it gets", "sock_pep_req_handler: sock_ep_msg_get_info follows handle->pep, "
                    + "which is NULL",
            "docs: connect only to what is known to be a listener of sockets, or use `tcp`", "StrangersTest"),
    /** The thread that looks at connections is told of this one before it is one. */
    EARLY_ENDS_FORGOTTEN(List.of("sockets"), Releases.ALL,
            "the end of a connection is often not reported where the other side had given up its connect before it was "
                    + "accepted, or gives it up at that moment", "sock_ep_cm_accept: sets SOCK_CM_STATE_CONNECTED "
                    + "after sock_ep_cm_monitor_handle; sock_ep_cm_shutdown_report ignores what has no such state",
            "docs: send to it, which fails; have a deadline for the first message of whoever was accepted, and close "
                    + "the connection then", "EarlyEndTest"),
    /** Opening is not asking whether it is there. */
    SHARED_NAMES_VANISH(List.of("sockets"), Releases.ALL,
            "the name of a shared address vector is gone once one process has closed it, or could not open it; one "
                    + "that opens it for inserting starts it anew, also for those that have it",
            "ofi_shm_unmap, ofi_shm_map: shm_unlink, whoever calls; sock_av_open: stored = 0",
            "docs: have one process insert, and close it last; open it everywhere with the same count, before any "
                    + "closes it", "SharedVectorTest"),
    /** It leads to a queue by the endpoint it came to. */
    SHARED_RECEIVES_OF_THE_CLOSED(List.of("sockets"), Releases.ALL,
            "where an endpoint with a shared receive context was closed before a message to it was received, the "
                    + "receive that takes that crashes",
            "sock_pe_progress_buffered_rx: rx_buffered->comp is part of the rx_ctx that sock_ep_close has freed",
            "docs: have receives posted for all that may come before an endpoint is closed",
            "SharedOfClosedTest"),
    /** The one that the address leads to is told; each side may have opened one. */
    SOURCES_OF_THE_REMOVED(List.of("sockets"), Releases.ALL,
            "what still comes from a peer that was removed may seem to be from one that was inserted since, and be "
                    + "taken by its receives: once 256 were inserted, or as many as the vector was opened for",
            "sock_av_remove: av_index of the peer's other connection stays, and the next address gets that number",
            "docs: tell peers before they are removed, or have the message say who sends it", "RemovedSourceTest"),
    /** What has come of it stays, and has the provider look at it all the time. */
    BROKEN_OFF_STAY(List.of("sockets"), Releases.ALL,
            "a message without a receive whose sender dies in the middle of it is an error with context 0, stays in "
                    + "memory, and keeps a processor busy until the endpoint is closed; a complete one also keeps "
                    + "it busy until it is received",
            "sock_pe_progress_rx_pe_entry: leaves rx_entry in rx_buffered_list; sock_pe_wait_ok: waits for nothing "
                    + "while there is one",
            "docs: post receives before messages can come", "BrokenMultiReceiveTest"),
    /** Regions have a number of their layout, at which nobody looks. */
    LAYOUT_OF_RELEASE(List.of("shm"), Releases.ALL,
            "processes with different releases of libfabric destroy each other's memory",
            "SMR_VERSION: compared only where a file is used again, and the same in 1.17 and 1.18",
            "`insert` throws `IllegalStateException`",
            "ShmLayoutTest"),
    /** They are found by their names, forever. */
    REMEMBERS_NAMES(List.of("shm"), Releases.ALL,
            "a closed endpoint of the process, or a new one with its name, is sent to where its memory was",
            "ep_name_list keeps its entries", "`insert` throws `IllegalStateException`", "HostileUserTest"),
    /** What they need is looked for, and its absence forgotten. */
    COLLECTIVES_LEFT_OUT(List.of("ofi_rxm"), Releases.since("1.18"),
            "where `FI_PROVIDER` leaves out `off_coll`, as `tcp` does, opening a domain with the capability "
                    + "`COLLECTIVE` succeeds without opening one",
            "rxm_domain_open: goes to err4, where ret is still 0", "`openDomain` throws `FI_ENODATA`",
            "LeftOutTest"),
    /** Descriptors are the domain's business for who registers, and the endpoint's for who looks for them. */
    REGISTRATION_BY_ENDPOINT(List.of("ofi_rxm"), Releases.ALL,
            "messages above 16 KiB of an endpoint whose info has `MrMode.LOCAL`, in a domain without it, crash",
            "rxm_alloc_rndv_buf: follows descriptors if rdm_mr_local, which is what the endpoint's info says",
            "an endpoint's info gets the `mrMode` of its domain, with every provider", "EndpointInDomainTest"),
    /** The entry is as long as the longest, and on the stack. */
    ACCEPTED_WITH_GARBAGE(List.of("tcp"), Releases.since("2.2"),
            "who has accepted a connection finds data in its event: its own answer, then up to 256 bytes of whatever "
                    + "was in memory there", "xnet_ep_accept: writes sizeof(cm_entry), of which it set the beginning",
            "on every provider, only the event of who has asked has data", "ConnectionTest"),
    /** A list that a context is put into, but not taken out of. */
    CONTEXT_STAYS_IN_QUEUE(List.of("sockets"), Releases.ALL,
            "a transmit context bound to a queue for receives, or the other way, is used after it was freed",
            "sock_ctx_bind_cq: adds it always, sock_tx_ctx_close removes it where send_cq is set",
            "`bind` throws `IllegalArgumentException`, on every provider", "SocketsCrashTest"),
    /** Even where there is none. */
    PEEK_REPORTS_TO_QUEUE(List.of("sockets"), Releases.ALL,
            "a peek at an endpoint without a queue for receives crashes",
            "sock_rx_peek_recv: reports to comp.recv_cq without a look",
            "throws `IllegalStateException`, on every provider", "SocketsCrashTest"),
    /** A list without a lock. */
    POLL_SETS_CHANGE(List.of("sockets"), Releases.ALL,
            "adding to a poll set, or removing from it, while another thread looks at it crashes",
            "sock_poll_poll, sock_poll_add, sock_poll_del: go through fid_list, and free what is in it",
            "a poll set lets one thread in at a time, on every provider", "SetsTest"),
    /** The target's flags are none. */
    SELECTIVE_HIDES_WRITES(List.of("sockets"), Releases.ALL,
            "a queue that is bound for receives with `SELECTIVE_COMPLETION` is not told of writes with data",
            "sock_pe_report_recv_cq_completion: wants FI_COMPLETION in pe_entry->flags, which a target never has",
            "docs: bind it without, where peers write with data", "SelectiveWriteTest"),
    /** What waits is sent up to the next read at a time; what is posted meanwhile goes at once. */
    READS_LET_OTHERS_PASS(List.of("ofi_rxd"), Releases.ALL,
            "messages that are posted behind a read to a peer which is not connected yet may overtake those posted "
                    + "before them, whatever `messageOrder()` says",
            "rxd_progress_tx_list: ends with a read; rxd_ep_generic_sendmsg looks at nothing that waits",
            "docs: complete a message with the peer before the first read, where the order counts", "RxdOrderTest"),
    /** The answer is filled before the operation is carried out, whose own result nobody takes. */
    FETCHES_THE_PAST(List.of("ofi_rxd"), Releases.ALL,
            "a fetching atomic returns a value from before what the owner of the memory has changed meanwhile: two are "
                    + "given the same number, or the same lock",
            "rxd_rx_atomic_fetch: copies the old value before rxd_do_atomic",
            "docs: the owner changes such words through a node, too", "OwnersUpdatesTest"),
    /** Nothing tells when the other side has read what was sent, but an answer of its own. */
    LOSES_WHAT_WAS_SENT(List.of("ofi_rxm"), Releases.since("1.19"),
            "messages that were reported as sent do not arrive if the sender is closed soon after them",
            "xnet_progress_async, from 1.20 to 2.0: ends a connection that was reset before it has read what had come; "
                    + "the others not found out: with 2.6 most of some hundred small messages, too, with 2.1 one, in 1 "
                    + "of 10 runs on busy processors, with 1.19 seven, in 1 of 60",
            "docs: close after an answer; with earlier releases what was reported has left", "SentAndClosedTest"),
    /** With C it would look no different; nothing above it can tell a lost message from one that was never sent. */
    LOSES_MESSAGES(List.of("ofi_rxd"), Releases.ALL,
            "with thousands of messages under way on busy processors some never arrive, or arrive damaged",
            "not found out; seen with calls in about 1 of 50 runs of 5,000, on 1.17 and 2.1",
            "docs: calls end with their deadlines, damaged ones are counted by `Service.invalid`", "CallTest"),
    /** The rest of the header waits for room in the receive buffer, and the room for somebody who reads. */
    STALLS_UNDER_LOAD(List.of("sockets"), Releases.ALL,
            "with megabytes under way, a connection over loopback may stall permanently, and hold up what is sent to "
                    + "others",
            "sock_pe_peek_hdr: leaves a part of a header where it is; TCP then never opens its window",
            "docs: operations end with their deadlines; use `tcp` for load", "CallTest");

    private final TableRow row;

    Fault(List<String> providers, Releases releases, String symptom, String cause, String answer, String test) {
        this.row = new TableRow(providers, releases, symptom, cause, answer, test);
    }

    TableRow row() {
        return row;
    }

    /** Whether a provider has it, by its full name: for tests that it would fail. */
    public boolean isOf(String provider) {
        return row.releases().include(NativeLibrary.version())
                && List.of(provider.split(";")).stream().anyMatch(row.providers()::contains);
    }
}
