// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.AtomicAttributes;
import io.jfabric.AtomicForm;
import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.MrMode;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.AtomicOps;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which atomic operations an endpoint can do, and on how many elements at once. Remembers what the provider said:
 * providers trust the caller to have asked, and one that is given a combination it lacks calls a null pointer, on the
 * target's side.
 */
public final class AtomicSupport {
    private static final int OPS = AtomicOp.values().length;
    private static final int FORM = OPS * Datatype.values().length;
    private static final Set<MrMode> ADDRESSES = EnumSet.of(MrMode.VIRT_ADDR, MrMode.BASIC);

    private final EndpointState endpoint;
    /** Elements by form, type and operation; 0 if not asked yet. Racing threads write the same values. */
    private long[] limits = new long[0];

    public AtomicSupport(EndpointState endpoint) {
        this.endpoint = endpoint;
    }

    /** The most elements in one operation. */
    public long limit(String operation, AtomicForm form, Datatype type, AtomicOp op) {
        requireGiven(operation, form, type, op);
        int index = form.ordinal() * FORM + type.ordinal() * OPS + op.ordinal();
        long[] known = limits;
        long limit = index < known.length ? known[index] : 0;
        return limit != 0 ? limit : ask(operation, form, type, op, index);
    }

    private long ask(String operation, AtomicForm form, Datatype type, AtomicOp op, int index) {
        endpoint.rights().require(Capability.ATOMIC, null);
        long limit = query(form, type, op);
        if (limit <= 0) {
            throw FabricException.of(operation, limit == 0 ? Errno.EOPNOTSUPP : limit, "provider "
                    + endpoint.info().provider() + ", " + endpoint.info().endpoint().type()
                            .nativeName() + ": " + (limit == -Errno.ENOSYS
                            ? "it has no atomic operations, though it offers Capability.ATOMIC: take another info, "
                                    + "such as one with a provider above this one that adds them"
                            : "no " + op + " of " + type + " in the form " + form
                            + why(endpoint.info(), form, type, op)));
        }
        long[] known = limits.length == 0 ? new long[AtomicForm.TAGGED.ordinal() * FORM] : limits;
        known[index] = limit;
        limits = known;
        return limit;
    }

    private static void requireGiven(String operation, AtomicForm form, Datatype type, AtomicOp op) {
        Arguments.given(form, operation, "the form");
        Arguments.given(type, operation, "the datatype");
        Arguments.given(op, operation, "the operation");
    }

    /** The most elements in one operation; 0 if the provider lacks it, negative if the query failed. */
    public long query(AtomicForm form, Datatype type, AtomicOp op) {
        requireGiven("fi_atomicvalid", form, type, op);
        requireUsable(type, op);
        if (!Known.since(type.since()) || !Known.since(op.since())) {
            return 0;
        }
        endpoint.object().handle();
        if (!fits(form, op) || !why(endpoint.info(), form, type, op).isEmpty()
                || endpoint.domain().quirks().has(Quirk.HOOKS_LACK_NOTHING)
                && !endpoint.info().capabilities().contains(Capability.ATOMIC)) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
            int t = (int) type.code();
            int o = (int) op.code();
            int result = endpoint.object().call(fid -> switch (form) {
                case BASE -> AtomicOps.writevalid(fid, t, o, count.address());
                case FETCH -> AtomicOps.readwritevalid(fid, t, o, count.address());
                case COMPARE -> AtomicOps.compwritevalid(fid, t, o, count.address());
                case TAGGED -> throw new IllegalArgumentException("TAGGED: ask Domain.queryAtomic");
            });
            return result == 0 ? count.get(ValueLayout.JAVA_LONG, 0) : isNo(result) ? 0 : result;
        }
    }

    /** Providers keep operations that compare in another table, and do not check which table they look one up in. */
    private static boolean fits(AtomicForm form, AtomicOp op) {
        boolean compares = op.compareTo(AtomicOp.CSWAP) >= 0 && op.compareTo(AtomicOp.MSWAP) <= 0;
        return compares == (form == AtomicForm.COMPARE) && (form != AtomicForm.BASE || op != AtomicOp.ATOMIC_READ);
    }

    /** As {@link #query}, for all endpoints of a domain. */
    public static Optional<AtomicAttributes> query(DomainState domain, AtomicForm form, Datatype type, AtomicOp op) {
        requireGiven("fi_query_atomic", form, type, op);
        requireUsable(type, op);
        if (!Known.since(type.since()) || !Known.since(op.since())) {
            return Optional.empty();
        }
        domain.handle();
        if (!why(domain.info(), form, type, op).isEmpty()) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            // struct fi_atomic_attr: count, size
            MemorySegment attr = arena.allocate(ValueLayout.JAVA_LONG, 2);
            int result = domain.object().call(d ->
                    DomainOps.queryAtomic(d, (int) type.code(), (int) op.code(), attr.address(), form.code()));
            if (isNo(result) || result == -Errno.ENOSYS) {
                return Optional.empty();
            }
            Results.check("fi_query_atomic", result, "provider " + domain.info().provider());
            return Optional.of(new AtomicAttributes(attr.get(ValueLayout.JAVA_LONG, 0),
                    attr.get(ValueLayout.JAVA_LONG, 8)));
        }
    }

    /** Why the provider must not do what it offers; empty if it may. */
    private static String why(FabricInfoImpl info, AtomicForm form, Datatype type, AtomicOp op) {
        if (isUnplaced(info, type)) {
            return ": at other addresses than multiples of 16 it crashes the target's process, and only with "
                    + "MrMode.VIRT_ADDR are the addresses known";
        }
        if (op == AtomicOp.ATOMIC_READ
                && (info.quirks().has(Quirk.FETCHES_NOTHING) || info.quirks().has(Quirk.READS_FETCH_RUBBISH))) {
            return ": it would not read the target; fetch with BOR or SUM, and operands that are 0";
        }
        return !isWrong(info, form, op) ? ""
                : ": until libfabric 1.22.1 and 2.1.1 it takes the operand's address for it";
    }

    private static boolean isUnplaced(FabricInfoImpl info, Datatype type) {
        return (type == Datatype.INT128 || type == Datatype.UINT128) && info.quirks().has(Quirk.WIDE_ATOMICS_ALIGNED)
                && ADDRESSES.stream().noneMatch(info.domain().mrMode()::contains);
    }

    /** Whether the provider would do it, but with operands that are not ours (libfabric's issue 10911). */
    private static boolean isWrong(FabricInfoImpl info, AtomicForm form, AtomicOp op) {
        // a provider above it does them in software
        return form != AtomicForm.BASE && op != AtomicOp.ATOMIC_READ && info.endpoint().type() == EndpointType.MSG
                && info.quirks().takesOperandAddresses(info.fabric().providerVersion());
    }

    private static boolean isNo(int result) {
        return result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL || result == -Errno.ENOENT;
    }

    private static void requireUsable(Datatype type, AtomicOp op) {
        if (type == Datatype.VOID || op == AtomicOp.NOOP) {
            throw new IllegalArgumentException((type == Datatype.VOID ? "VOID" : "NOOP")
                    + " is for collective operations only");
        }
    }
}
