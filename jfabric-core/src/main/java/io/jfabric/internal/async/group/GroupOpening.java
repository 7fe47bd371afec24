// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.group.GroupImpl;
import io.jfabric.internal.group.Registry;
import io.jfabric.internal.group.Tags;
import io.jfabric.internal.quirk.Quirks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Opens the groups of a node. */
public final class GroupOpening {
    private final Registry registry = new Registry();
    private final GroupMemory memory;
    private final Lane receives;
    private Words words;
    /** Each is null if the node's provider does not need it. */
    private ClearToSend clearance;
    private Allowance allowance;
    private Leftovers leftovers;

    private GroupOpening(NodeImpl node) {
        this.memory = new GroupMemory(node.memory());
        this.receives = node.drive().flow().manyReceivesLane();
    }

    /** {@link Group#ofPeers} */
    public static Group ofPeers(Node node, String name, List<Peer> members, int rank) {
        return open("Group.ofPeers", node, name, members, rank);
    }

    private static Group open(String operation, Node node, String name, List<Peer> members, int rank) {
        NodeImpl owner = (NodeImpl) Arguments.given(node, operation, "the node");
        Arguments.given(name, operation, "the name");
        Set<PeerImpl> peers = new LinkedHashSet<>();
        for (Peer peer : Arguments.given(members, operation, "the list of members")) {
            PeerImpl known = (PeerImpl) Arguments.given(peer, operation, "a member");
            known.check(operation, owner);
            if (!peers.add(known)) {
                throw new IllegalArgumentException(operation + ": two members are the same peer, " + known
                        + "; each has a node of its own");
            }
        }
        if (rank < 0 || rank >= peers.size()) {
            throw new IllegalArgumentException(operation + ": rank " + rank + " is not one of " + peers.size()
                    + " members");
        }
        owner.requireTagged(operation);
        return owner.attached(GroupOpening.class, GroupOpening::new).make(owner, name, List.copyOf(peers), rank);
    }

    private Group make(NodeImpl node, String name, List<PeerImpl> peers, int rank) {
        Words spoken = words(node);
        GroupTransport members = new GroupTransport(node, memory, spoken, clearance, allowance, leftovers,
                receives, peers, rank);
        return new GroupImpl(members, registry, name, node.options().deadline());
    }

    /** The words of all groups of the node, made when the first one opens. */
    private synchronized Words words(NodeImpl node) {
        if (words == null) {
            Words made = new Words(node, memory);
            Quirks quirks = Quirks.of(node.info().provider());
            long above = quirks.longestUnaskedMessage();
            if (above < Long.MAX_VALUE) {
                leftovers = new Leftovers(node, memory, receives);
                clearance = new ClearToSend(node, made, leftovers, above);
            }
            if (quirks.mostUnaskedMessages() < Integer.MAX_VALUE) {
                allowance = new Allowance(node, made, quirks.mostUnaskedMessages());
            }
            made.listen(clearance, allowance, failure -> registry.heard(failure, this::leave), registry::heard);
            words = made;
        }
        return words;
    }

    /** Receives what has come for that group, which would keep some providers from going on with what follows. */
    private void leave(int group) {
        if (leftovers != null) {
            leftovers.receiveAll(Tags.ofGroup(group), Tags.ANY_OF_GROUP);
        }
    }

    /** {@link Group#ofAddresses(Node, String, List)} */
    public static Group ofAddresses(Node node, String name, List<byte[]> addresses) {
        String operation = "Group.ofAddresses";
        Arguments.given(node, operation, "the node");
        Arguments.given(name, operation, "the name");
        byte[] own = node.address().bytes();
        int rank = -1;
        List<Peer> members = new ArrayList<>();
        for (byte[] address : Arguments.given(addresses, operation, "the list of addresses")) {
            if (Arrays.equals(Arguments.given(address, operation, "an address"), own)) {
                rank = members.size();
            }
            members.add(node.peer(address));
        }
        if (rank < 0) {
            throw new IllegalArgumentException(operation + ": the node's own address " + node.address() + " is not "
                    + "among those of the members; each member gives the addresses of all, in the same order");
        }
        return open(operation, node, (name.isEmpty() ? "" : name + ' ') + name(addresses), members, rank);
    }

    /** So that groups of other addresses have other names. */
    private static String name(List<byte[]> addresses) {
        long hash = addresses.size();
        for (byte[] address : addresses) {
            for (byte one : address) {
                hash = (hash ^ one) * 0x100_0000_01B3L;
            }
            hash = (hash ^ address.length) * 0x100_0000_01B3L;
        }
        return "of addresses " + Long.toHexString(hash);
    }
}
