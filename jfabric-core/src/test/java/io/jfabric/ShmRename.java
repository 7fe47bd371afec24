// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;

/** Has an endpoint with a name until its input ends: {@link ShmRenameTest}. */
final class ShmRename {
    private ShmRename() {
    }

    public static void main(String[] args) throws IOException {
        int[] count = {0};
        try (Pair pair = Pair.open(Providers.SHM, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                endpoint -> endpoint.setAddress(Address.of("fi_shm://" + args[0] + count[0]++)))) {
            System.out.println("ready " + pair.a.endpoint.address().toText());
            System.in.read();
        }
    }
}
