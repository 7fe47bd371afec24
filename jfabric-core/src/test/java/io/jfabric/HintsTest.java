// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.Info;
import io.jfabric.info.Progress;
import io.jfabric.info.Protocol;
import io.jfabric.info.Version;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.testing.Contract;
import io.jfabric.testkit.Providers;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every hint that Java can set arrives in libfabric, and comes back through fi_dupinfo and fi_tostr. */
class HintsTest {
    /** Setters that set several fields or an object, tested on their own below. */
    private static final Set<String> SPECIAL = Set.of("provider", "endpointType", "capabilities", "addCapabilities",
            "sourceAddress", "destinationAddress", "addressFormat", "addressFormatCode");

    @BeforeEach
    void needsLibfabric() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    private record Setter(Object target, Method method) {
    }

    private static List<Setter> setters(Info<?> info) {
        List<Setter> setters = new ArrayList<>();
        for (Object target : List.of(info, info.tx(), info.rx(), info.endpoint(), info.domain(),
                info.domain().limits(), info.fabric())) {
            for (Method method : Contract.methods(target)) {
                if (method.getParameterCount() == 1 && (target != info || !SPECIAL.contains(method.getName()))) {
                    setters.add(new Setter(target, method));
                }
            }
        }
        return setters;
    }

    /** Older releases would take their numbers for something else, or for nothing. */
    @Test
    void constantsNewerThanTheLibraryAreRefused() {
        try (Hints hints = Hints.create()) {
            Map<FabricConstant, Runnable> setters = new LinkedHashMap<>();
            for (Progress value : Progress.values()) {
                setters.put(value, () -> hints.domain().controlProgress(value).dataProgress(value));
            }
            for (Protocol value : Protocol.values()) {
                setters.put(value, () -> hints.endpoint().protocol(value));
            }
            for (AddressFormat value : AddressFormat.values()) {
                setters.put(value, () -> hints.addressFormat(value));
            }
            setters.forEach((value, setter) -> {
                if (Fabric.version().atLeast(value.since())) {
                    if (!value.toString().equals("UNRECOGNIZED")) {
                        setter.run();
                    }
                } else {
                    assertThatThrownBy(setter::run).as(value.toString()).isInstanceOf(FabricException.class)
                            .hasMessageContaining("FI_ENOSYS").hasMessageContaining("needs libfabric "
                            + value.since());
                }
            });
            hints.domain().controlProgressCode((int) Progress.CONTROL_UNIFIED.code());
        }
    }

    /** Sets one thing at a time, to a value that nothing else has, and expects to find it in the duplicate. */
    @Test
    void everySetterIsReadBackFromADuplicate() throws ReflectiveOperationException {
        int tested = 0;
        List<String> wrong = new ArrayList<>();
        try (Hints names = Hints.create()) {
            for (Setter named : setters(names)) {
                try (Hints hints = Hints.create()) {
                    Setter setter = setters(hints).stream().filter(s -> s.method.equals(named.method)
                            && s.target.getClass() == named.target.getClass()).findFirst().orElseThrow();
                    Object value = sample(setter.method);
                    if (value == null) {
                        continue;
                    }
                    String before = hints.toString();
                    if (!invoked(setter, value)) {
                        continue;
                    }
                    tested++;
                    try (Hints copy = Hints.copyOf(hints)) {
                        Object target = counterpart(copy, setter.target);
                        Object read = getter(setter.method).invoke(target);
                        if (!same(read, value)) {
                            wrong.add(setter.method + ": set " + show(value) + ", read " + show(read));
                        }
                        if (!copy.toString().equals(hints.toString())) {
                            wrong.add(setter.method + ": the duplicate prints something else");
                        }
                        assertThat(InfoRenderer.render(copy)).isEqualTo(InfoRenderer.known(copy.toString()));
                    }
                    if (before.equals(hints.toString()) && !isUnprinted(setter.method)) {
                        wrong.add(setter.method + ": fi_tostr shows no difference after " + show(value));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(tested).isGreaterThan(70);
    }

    /** What fi_tostr does not print. */
    private static boolean isUnprinted(Method method) {
        return Set.of("maxEndpointAuthKeys", "maxGroupId").contains(method.getName())
                || Fabric.version().atLeast(new Version(2, 0))
                && Set.of("completionOrder", "totalBufferedRecv", "controlProgress", "controlProgressCode")
                        .contains(method.getName());
    }

    /** Fields that the loaded library has not are refused. */
    private static boolean invoked(Setter setter, Object value) throws ReflectiveOperationException {
        try {
            setter.method.invoke(setter.target, value);
            return true;
        } catch (java.lang.reflect.InvocationTargetException e) {
            assertThat(e.getCause()).as("%s", setter.method).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ENOSYS");
            return false;
        }
    }

    private static Object counterpart(Hints copy, Object target) {
        return List.of(copy, copy.tx(), copy.rx(), copy.endpoint(), copy.domain(), copy.domain().limits(),
                copy.fabric()).stream().filter(t -> t.getClass() == target.getClass()).findFirst().orElseThrow();
    }

    private static Method getter(Method setter) throws NoSuchMethodException {
        return setter.getDeclaringClass().getMethod(setter.getName());
    }

    private static boolean same(Object read, Object value) {
        if (read instanceof byte[] bytes) {
            return Arrays.equals(bytes, (byte[]) value);
        }
        if (value.getClass().isArray()) {
            return ((Flags<?>) read).toSet().equals(Set.of((Object[]) value));
        }
        return (read instanceof Optional<?> there ? there.orElseThrow() : read).equals(value);
    }

    private static String show(Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes)
                : value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object sample(Method method) {
        Class<?> type = method.getParameterTypes()[0];
        if (type == long.class) {
            return 0x1234_5678_9ABCL;
        } else if (type == int.class) {
            return method.getName().endsWith("Code") ? 0x7654_3210 : 0x1234;
        } else if (type == String.class) {
            return "n\u00e4me";
        } else if (type == byte[].class) {
            return new byte[] {1, 0, 3};
        } else if (type == Version.class) {
            return new Version(7, 9);
        } else if (type == Flags.class) {
            Class constant = (Class) ((ParameterizedType) method.getGenericParameterTypes()[0])
                    .getActualTypeArguments()[0];
            // also a bit that nobody knows; mr_mode has 32
            return Flags.ofBits(constant, ((FabricConstant) lastKnown(constant)).code() | 1L << 30);
        } else if (type.isEnum()) {
            return lastKnown((Class) type);
        } else if (type.isArray() && type.getComponentType().isEnum()) {
            Object[] array = (Object[]) java.lang.reflect.Array.newInstance(type.getComponentType(), 1);
            array[0] = lastKnown((Class) type.getComponentType());
            return array;
        }
        throw new AssertionError("no sample value for " + method);
    }

    /** The last constant that the loaded library knows: not the default, which is the first. */
    private static <E extends Enum<E> & FabricConstant> E lastKnown(Class<E> type) {
        E[] all = type.getEnumConstants();
        for (int i = all.length - 1; i >= 0; i--) {
            if (!all[i].name().equals("UNRECOGNIZED") && all[i].code() != 0
                    && Fabric.version().atLeast(all[i].since())) {
                return all[i];
            }
        }
        throw new AssertionError(type + " has no constant");
    }

    @Test
    void addressesAndShortcutsArrive() {
        Address v4 = Address.of(new java.net.InetSocketAddress("127.0.0.1", 4711));
        Address v6 = Address.of(new java.net.InetSocketAddress("::1", 4712));
        Address text = Address.of("fi_shm://jfabric-hints");
        try (Hints hints = Hints.create().provider("sockets").endpointType(io.jfabric.info.EndpointType.MSG)) {
            for (Address address : List.of(v4, v6, text)) {
                hints.sourceAddress(address).destinationAddress(address);
                try (Hints copy = Hints.copyOf(hints)) {
                    assertThat(copy.sourceAddress()).contains(address);
                    assertThat(copy.destinationAddress()).contains(address);
                    assertThat(copy.sourceAddressLength()).isEqualTo(address.length());
                    assertThat(copy.addressFormat()).isEqualTo(address.format());
                    assertThat(copy.toString()).contains("src_addr: " + address).contains("dest_addr: " + address);
                }
            }
            hints.sourceAddress(null).destinationAddress(null).addressFormat(AddressFormat.SOCKADDR);
            assertThat(hints.sourceAddress()).isEmpty();
            assertThat(hints.toString()).contains("src_addr: (null)").contains("addr_format: FI_SOCKADDR\n")
                    .contains("prov_name: sockets").contains("type: FI_EP_MSG");
            assertThat(hints.fabric().providerName()).hasValue("sockets");
        }
    }

    @Test
    void unknownBitsAndNumbersSurvive() {
        try (Hints hints = Hints.create()) {
            long bits = 1L << 8 | 1L << 62 | Capability.MSG.code();
            hints.capabilities(Flags.ofBits(Capability.class, bits)).addressFormatCode(4321);
            hints.endpoint().protocolCode(0x7FFF_0001).typeCode(77);
            try (Hints copy = Hints.copyOf(hints)) {
                assertThat(copy.capabilities().bits()).isEqualTo(bits);
                assertThat(copy.capabilities().contains(Capability.MSG)).isTrue();
                assertThat(copy.capabilities().with(Capability.RMA).without(Capability.MSG).bits())
                        .isEqualTo(bits & ~Capability.MSG.code() | Capability.RMA.code());
                assertThat(copy.addCapabilities(Capability.RMA, Capability.MSG).capabilities().bits())
                        .isEqualTo(bits | Capability.RMA.code());
                assertThat(copy.addressFormat()).isEqualTo(AddressFormat.UNRECOGNIZED);
                assertThat(copy.addressFormatCode()).isEqualTo(4321);
                assertThat(copy.endpoint().protocolCode()).isEqualTo(0x7FFF_0001);
                assertThat(copy.endpoint().typeCode()).isEqualTo(77);
            }
        }
    }

    /** What libfabric makes of them is its own: shm's answer names the open fabric, whoever asks. */
    @Test
    void anOpenFabricAndDomainCanBeHints() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Fabric fabric = Fabric.open(infos.first());
             Domain domain = fabric.openDomain(infos.first()); Hints hints = Hints.copyOf(domain.info());
             FabricInfoList ofFabric = fabric.offers(hints); FabricInfoList ofDomain = domain.offers(hints);
             FabricInfoList all = domain.offers(null)) {
            for (FabricInfoList found : List.of(ofFabric, ofDomain)) {
                assertThat(found.first().provider()).isEqualTo("shm");
                assertThat(found.first().fabric().fabricHandle()).isEqualTo(((FabricImpl) fabric).handle());
                assertThat(found.first().domain().name()).isEqualTo(infos.first().domain().name());
            }
            assertThat(all.first().provider()).isNotEmpty();
            assertThat(hints.fabric().fabricHandle()).as("it may be closed before the hints are used again").isZero();
            assertThat(hints.domain().domainHandle()).isZero();
        }
    }
}
