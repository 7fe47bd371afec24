// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.bindings.fi_ops;
import io.jfabric.bindings.fi_ops_mr;
import io.jfabric.bindings.fid;
import io.jfabric.bindings.fid_domain;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * Lets functions of libfabric's objects fail now and then, as if the provider had: the object gets a copy of its table,
 * with a function in it that may answer itself. What is looked up once, such as how an endpoint sends, has to be
 * replaced before.
 */
public final class FailingCalls {
    private final int errno;
    private final AtomicInteger before = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    /** None fails yet. */
    public FailingCalls(int errno) {
        this.errno = errno;
    }

    /** So many fail from now on. */
    public void next(int count) {
        after(0, count);
    }

    /** So many fail, behind some that do not. */
    public void after(int some, int count) {
        left.set(0);
        before.set(some);
        left.set(count);
    }

    /** How many have failed. */
    public int failed() {
        return failed.get();
    }

    /** How many the provider has answered. */
    public int passed() {
        return passed.get();
    }

    /** {@code fi_close} of that object. */
    public void close(long object) {
        function(object, fid.ops$offset(), fi_ops.close$offset(), JAVA_INT, JAVA_LONG);
    }

    /**
     * {@code fi_close} of all regions that {@code fi_mr_reg} makes from now on in that domain.
     *
     * @param whose gets the region, and says which object it is whose close fails
     */
    public void closeRegions(long domain, LongUnaryOperator whose) {
        try {
            MethodHandle then = MethodHandles.lookup().findVirtual(FailingCalls.class, "registered",
                    MethodType.methodType(int.class, LongUnaryOperator.class, int.class).appendParameterTypes(
                            Collections.nCopies(9, long.class))).bindTo(this).bindTo(whose);
            replace(domain, fid_domain.mr$offset(), fi_ops_mr.reg$offset(), FunctionDescriptor.of(JAVA_INT,
                    Collections.nCopies(9, JAVA_LONG).toArray(MemoryLayout[]::new)),
                    original -> MethodHandles.foldArguments(then, original));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private int registered(LongUnaryOperator whose, int answer, long domain, long buffer, long length, long access,
            long offset, long key, long flags, long result, long context) {
        if (answer == 0) {
            close(whose.applyAsLong(Memory.getLong(result)));
        }
        return answer;
    }

    /**
     * Any function.
     *
     * @param object the address of the object
     * @param table where in it the address of the table is
     * @param slot where in that the function's is
     */
    public void function(long object, long table, long slot, MemoryLayout result, MemoryLayout... parameters) {
        try {
            MethodHandle test = MethodHandles.lookup().findVirtual(FailingCalls.class, "fails",
                    MethodType.methodType(boolean.class)).bindTo(this);
            replace(object, table, slot, FunctionDescriptor.of(result, parameters), original -> {
                MethodType type = original.type();
                MethodHandle failure = MethodHandles.constant(type.returnType(), type.returnType() == int.class
                        ? (Object) (-errno) : (Object) (long) -errno);
                return MethodHandles.guardWithTest(test,
                        MethodHandles.dropArguments(failure, 0, type.parameterList()), original);
            });
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private boolean fails() {
        if (left.get() > 0 && before.getAndUpdate(count -> Math.max(0, count - 1)) == 0
                && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
            failed.incrementAndGet();
            return true;
        }
        passed.incrementAndGet();
        return false;
    }

    /** Every table starts with its size. */
    private static void replace(long object, long table, long slot, FunctionDescriptor type,
            UnaryOperator<MethodHandle> with) {
        long ops = Memory.getLong(object + table);
        long size = Memory.getLong(ops);
        MemorySegment copy = Arena.global().allocate(size, 8).copyFrom(Memory.segment(ops, size));
        MethodHandle original = Linker.nativeLinker().downcallHandle(
                MemorySegment.ofAddress(copy.get(JAVA_LONG, slot)), type);
        copy.set(JAVA_LONG, slot, Linker.nativeLinker().upcallStub(with.apply(original), type, Arena.global())
                .address());
        Memory.putLong(object + table, copy.address());
    }
}
