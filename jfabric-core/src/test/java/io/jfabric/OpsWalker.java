// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.collective.CollectiveGroup;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.collective.Collectives;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Contract;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.trigger.Deferral;
import io.jfabric.trigger.Trigger;
import io.jfabric.wait.PollSet;
import io.jfabric.wait.WaitSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Calls every public method of the objects around one endpoint with small, valid arguments, and prints each call before
 * it is made: a crash leaves the culprit as the last line.
 */
final class OpsWalker {
    /** Which is also valid as offset, length, tag, number of elements and context: the first address is 0. */
    private static final long ADDRESS = 0;
    private static final Set<String> NOT_CALLED = Set.of("close", "equals", "hashCode", "toString", "escapeHatch");
    /** What other commands do with the argument is up to each provider. */
    private static final Set<String> COMMANDS = Set.of("control", "getValue", "setValue");
    /** Whose list is one of buffers. */
    private static final Set<String> BUFFERS = Set.of("register", "refresh");
    private static final Integer UNKNOWN_COMMAND = 424_242;
    private static final List<Class<?>> REFUSALS = List.of(FabricException.class, IllegalArgumentException.class,
            IllegalStateException.class, UnsupportedOperationException.class, IndexOutOfBoundsException.class);

    private final Providers.Choice choice;
    private final Runnable progress;
    private final Map<Class<?>, Supplier<Object>> arguments = new HashMap<>();
    private final List<Object> objects = new ArrayList<>();
    private int calls;

    @SuppressWarnings("deprecation")
    OpsWalker(Providers.Choice choice, Side side, FabricInfo info, Runnable progress) {
        this.choice = choice;
        this.progress = progress;
        Endpoint endpoint = side.endpoint;
        Domain domain = endpoint.domain();
        Fabric fabric = domain.fabric();
        EventQueue events = fabric.openEventQueue();
        Counter counter = orNull(domain::openCounter);
        MemoryRegion region = orNull(() -> endpoint.register(memory(), MemoryAccess.REMOTE_READ,
                MemoryAccess.REMOTE_WRITE));
        AddressVectorSet set = side.addresses == null ? null
                : orNull(() -> AddressVectorSet.open(side.addresses, AddressVectorSetAttributes.range(0, 0, 1)));
        WaitSet waitSet = orNull(() -> WaitSet.open(fabric, WaitObject.UNSPEC));
        PollSet pollSet = orNull(() -> PollSet.open(domain));
        Deferral deferral = counter == null ? null : Deferral.at(counter, 1);
        provide(RemoteRegion.class, region == null ? RemoteRegion.of(0, 8, 0) : region.remote());
        requests(endpoint);
        // data first, while everything is as it should be; what changes the endpoint itself last
        add(endpoint.messages(), endpoint.tagged(), endpoint.rma(), endpoint.atomics(),
                Collectives.of(endpoint), side.queue, counter, events, deferral,
                side.addresses, set, region, pollSet, waitSet);
        add(Contract.ENTRANCES.toArray());
        add(domain, fabric, endpoint);
        values(info);
        provide(CompletionQueue.class, side.queue);
        provide(AddressVector.class, side.addresses);
        provide(EventQueue.class, events);
        provide(Counter.class, counter);
        provide(Domain.class, domain);
        provide(Fabric.class, fabric);
        arguments.put(PassiveEndpoint.class, () -> choice.type() == EndpointType.MSG
                ? orNull(() -> fabric.openPassiveEndpoint(info)) : null);
        provide(Endpoint.class, endpoint);
        provide(FabricObject.class, endpoint);
        provide(AddressVectorSet.class, set);
        provide(WaitSet.class, waitSet);
        provide(Waitable[].class, new Waitable[] {side.queue});
        // for one operation each
        arguments.put(Trigger.class, () -> counter == null ? null : Trigger.at(counter, 0));
        arguments.put(Request.class, () -> endpoint.messages().sendRequest().buffers(memory()).peer(ADDRESS));
        provide(Address.class, endpoint.address());
        provide(List.class, List.of(endpoint.address()));
        // made where the provider has them, by the tests of each
        for (Class<?> type : List.of(CollectiveGroup.class, SharedReceiveContext.class, SharedTransmitContext.class,
                FabricEvent.ConnectionRequest.class)) {
            provide(type, null);
        }
    }

    /** As they are now they go to the vector functions; what the walk does to them, they say to the others. */
    private void requests(Endpoint endpoint) {
        RemoteRegion remote = (RemoteRegion) arguments.get(RemoteRegion.class).get();
        List<Supplier<Request<?>>> makers = List.of(
                () -> endpoint.messages().receiveRequest().buffers(memory(), memory()).peer(ADDRESS),
                () -> endpoint.messages().sendRequest().buffers(memory(), memory()).peer(ADDRESS),
                () -> endpoint.tagged().receiveRequest().buffers(memory(), memory()).peer(ADDRESS),
                () -> endpoint.tagged().sendRequest().buffers(memory(), memory()).peer(ADDRESS),
                () -> endpoint.rma().writeRequest().buffers(memory()).range(remote, 0, 8).peer(ADDRESS),
                () -> endpoint.rma().readRequest().buffers(memory()).range(remote, 0, 8).peer(ADDRESS),
                () -> endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM).buffers(memory())
                        .target(remote, 0, 8).peer(ADDRESS),
                () -> endpoint.atomics().request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.SUM).buffers(memory())
                        .results(memory()).target(remote, 0, 8).peer(ADDRESS),
                () -> endpoint.atomics().request(AtomicForm.COMPARE, Datatype.INT64, AtomicOp.CSWAP).buffers(memory())
                        .comparands(memory()).results(memory()).target(remote, 0, 8).peer(ADDRESS));
        for (Supplier<Request<?>> maker : makers) {
            try {
                Request<?> request = maker.get();
                add(request);
                request.post(ADDRESS);
            } catch (FabricException | IllegalStateException refused) {
                refused("a request", refused);
            }
            progress.run();
        }
    }

    private void values(FabricInfo info) {
        arguments.put(MemorySegment.class, OpsWalker::memory);
        arguments.put(MemoryRegionAttributes.class,
                () -> MemoryRegionAttributes.of(memory()).withAccess(MemoryAccess.REMOTE_READ));
        provide(long.class, ADDRESS);
        provide(long[].class, new long[] {ADDRESS});
        provide(int.class, 1);
        provide(boolean.class, false);
        provide(String.class, "1");
        provide(byte[].class, new byte[8]);
        provide(Flags.class, Flags.of(OperationFlag.COMPLETION));
        provide(Duration.class, Duration.ofMillis(10));
        provide(CompletionHandler.class, (CompletionHandler) completion -> { });
        provide(FabricInfo.class, info);
        provide(Hints.class, Hints.create());
        provide(BindFlag.class, BindFlag.TRANSMIT);
        provide(Direction.class, Direction.TRANSMIT);
        provide(MemoryAccess.class, MemoryAccess.REMOTE_READ);
        provide(Datatype.class, Datatype.INT64);
        provide(AtomicOp.class, AtomicOp.SUM);
        provide(AtomicForm.class, AtomicForm.FETCH);
        provide(CollectiveOperation.class, CollectiveOperation.BARRIER);
        provide(CompletionFormat.class, CompletionFormat.MSG);
        provide(WaitObject.class, WaitObject.UNSPEC);
        provide(EndpointOption.class, EndpointOption.MIN_MULTI_RECV);
        provide(Object.class, 64L);
        provide(AddressVectorAttributes.class, AddressVectorAttributes.DEFAULT);
        provide(AddressVectorSetAttributes.class, AddressVectorSetAttributes.range(0, 0, 1));
        provide(CompletionQueueAttributes.class, CompletionQueueAttributes.of(CompletionFormat.MSG));
        provide(CounterAttributes.class, CounterAttributes.DEFAULT);
        provide(EventQueueAttributes.class, EventQueueAttributes.DEFAULT);
    }

    /** Posted buffers belong to the provider for longer than any scope here. */
    private static MemorySegment memory() {
        return Arena.global().allocate(64, 64).asSlice(0, 8);
    }

    private static <T> T orNull(Supplier<T> open) {
        try {
            return open.get();
        } catch (FabricException lacking) {
            return null;
        }
    }

    private void provide(Class<?> type, Object value) {
        arguments.put(type, () -> value);
    }

    private void add(Object... all) {
        Arrays.stream(all).filter(object -> object != null).forEach(objects::add);
    }

    /** How many calls were made. */
    int walk(List<Object> more) {
        objects.addAll(more);
        for (Object object : List.copyOf(objects)) {
            methods(object).filter(call -> !NOT_CALLED.contains(call.method().getName()))
                    .sorted(Comparator.comparing((Call call) -> parameters(call.method()))
                            .thenComparing(call -> call.method().getName()))
                    .forEach(this::visit);
        }
        return calls;
    }

    /** The target is null for a static method. */
    private record Call(String owner, Object target, Method method) {
        @Override
        public String toString() {
            return owner + '.' + method.getName() + parameters(method);
        }
    }

    private static Stream<Call> methods(Object object) {
        if (object instanceof Class<?> entrance) {
            return Contract.statics(entrance).stream()
                    .map(method -> new Call(entrance.getSimpleName(), null, method));
        }
        String name = Contract.of(object).getSimpleName();
        Stream<Call> own = Contract.methods(object).stream().map(method -> new Call(name, object, method));
        if (!(object instanceof FabricObject open)) {
            return own;
        }
        EscapeHatch hatch = open.escapeHatch();
        return Stream.concat(own, Contract.methods(hatch).stream()
                .map(method -> new Call(name + ".escapeHatch()", hatch, method)));
    }

    private static String parameters(Method method) {
        List<String> types = Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
        return '(' + String.join(", ", types) + ')';
    }

    private void visit(Call call) {
        Method method = call.method();
        String name = call.toString();
        for (OpsWalkTest.Known known : OpsWalkTest.KNOWN) {
            if (known.covers(choice, name)) {
                System.out.println("skips " + name + ": " + known.reason());
                return;
            }
        }
        Object[] values = new Object[method.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            values[i] = type == int.class && COMMANDS.contains(method.getName()) ? UNKNOWN_COMMAND
                    : type == List.class && BUFFERS.contains(method.getName()) ? List.of(memory()) : argument(type);
            if (values[i] == null) {
                System.out.println("lacks " + name + ": no " + method.getParameterTypes()[i].getSimpleName());
                return;
            }
        }
        System.out.println("calls " + name);
        calls++;
        try {
            finish(method.invoke(call.target(), values));
            System.out.println("works " + name);
        } catch (InvocationTargetException e) {
            refused(name, e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < 20; i++) {
            progress.run();
        }
    }

    private Object argument(Class<?> type) {
        Supplier<Object> supplier = arguments.get(type);
        if (supplier != null) {
            return supplier.get();
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        throw new AssertionError("OpsWalker has no argument of type " + type + ": add one");
    }

    private static void refused(String name, Throwable reason) {
        if (REFUSALS.stream().noneMatch(type -> type.isInstance(reason))) {
            throw new AssertionError(name + " threw what no user expects", reason);
        }
        System.out.println("throws " + name + ": " + reason);
    }

    /** Closes what was opened, and only that: many methods return an object that was there already. */
    private void finish(Object result) {
        if (result instanceof FabricInfoList found) {
            found.close();
        }
        if (!(result instanceof FabricObject opened) || objects.contains(opened)) {
            return;
        }
        opened.close();
    }
}
