// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import java.util.HexFormat;
import java.util.Optional;

/** Prints what {@link RdmaAddressInfo} answers, every field; src/test/c/twin.c prints the same of what C sees. */
public final class Answers {
    private Answers() {
    }

    /** For each case, in the form that twin.c explains. */
    public static void main(String[] args) {
        for (String arg : args) {
            String[] field = arg.split("\\|", -1);
            try (RdmaAddressInfo found = field[2].equals("0") ? RdmaAddressInfo.resolve(text(field[0]), text(field[1]))
                    : RdmaAddressInfo.resolve(text(field[0]), text(field[1]), hints(field))) {
                System.out.println(arg + " rc=0 errno=0");
                found.forEach(address -> System.out.println(line(address)));
            } catch (RdmaException e) {
                System.out.println(arg + " rc=" + e.code() + " errno=" + e.errno());
            }
        }
    }

    static RdmaHints hints(String[] field) {
        RdmaHints hints = RdmaHints.any()
                .withFamily(RdmaFamily.ofCode(Integer.parseInt(field[4])))
                .withQpType(QpType.ofCode(Integer.parseInt(field[5])))
                .withPortSpace(PortSpace.ofCode(Integer.parseInt(field[6])))
                .withFlags(Flags.ofBits(RdmaFlag.class, Integer.parseInt(field[3])));
        if (text(field[7]) != null) {
            hints = hints.withSource(Address.ofCode(0, HexFormat.of().parseHex(field[7])));
        }
        if (text(field[8]) != null) {
            hints = hints.withDestination(Address.ofCode(0, HexFormat.of().parseHex(field[8])));
        }
        return text(field[9]) == null ? hints : hints.withRoute(HexFormat.of().parseHex(field[9]));
    }

    private static String line(RdmaAddress it) {
        return "  flags=" + it.flags().bits() + " family=" + it.familyCode() + " qp=" + it.qpTypeCode()
                + " ps=" + it.portSpaceCode() + " src=" + hex(it.source()) + " dst=" + hex(it.destination())
                + " srcname=" + it.sourceName().orElse("-") + " dstname=" + it.destinationName().orElse("-")
                + " route=" + HexFormat.of().formatHex(it.route())
                + " connect=" + HexFormat.of().formatHex(it.connectData());
    }

    private static String hex(Optional<Address> address) {
        return address.map(a -> HexFormat.of().formatHex(a.bytes())).orElse("");
    }

    private static String text(String field) {
        return field.equals("-") ? null : field;
    }
}
