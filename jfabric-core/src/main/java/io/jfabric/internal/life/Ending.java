// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.util.List;

/** How an object is closed, with what was opened from it. Under the family's lock, while others are kept out. */
final class Ending {
    private Ending() {
    }

    /** A child that cannot be closed does not keep its siblings from being closed. */
    static void closeAll(FidObject object) {
        object.checkClosable();
        Failures failures = new Failures();
        failures.collect(object::closingChildren);
        for (FidObject child : object.children.toClose()) {
            // one may have closed another
            if (child.isOpen()) {
                failures.collect(() -> closeAll(child));
            }
        }
        List<FidObject> left = object.children.copy();
        if (left.isEmpty()) {
            failures.collect(() -> closeAlone(object));
        }
        if (object.isOpen()) {
            object.closingRefused();
        }
        failures.rethrow(object, left);
    }

    private static void closeAlone(FidObject object) {
        if (!object.users.isEmpty()) {
            throw failure(object, Errno.EBUSY, "bound to " + object.users + "; close what uses it first, then close it "
                    + "again");
        }
        object.closing();
        long fid = object.entry().object();
        boolean knewOfLoss = object.keepsLost;
        Parking parking = object.family.parking();
        boolean later = parking.mustWait(object);
        long left = later ? 0 : closingLast(object);
        if (left < 0) {
            throw failure(object, left, "something in it that jfabric has made for itself stays; close it again later");
        }
        long result = later ? 0 : parking.close(object, fid);
        if (isRefusal(object, result)) {
            throw failure(object, result, null);
        }
        if (later) {
            parking.add(object, fid);
        } else {
            end(object, fid, result);
        }
        if (!object.isApart()) {
            // for an object apart, only its own users are kept out, and nothing waits for it
            parking.closeSome();
        }
        if (isLost(object, result) && !knewOfLoss) {
            throw failure(object, result, "the provider says that something uses it still, such as an operation under "
                    + "way, or one that was cut off. "
                    + "It is closed now; what the provider keeps of it is lost until the process ends");
        }
    }

    /** Removes what jfabric itself has in the object, unless something lost stays in it, which may use that. */
    static long closingLast(FidObject object) {
        return object.keepsLost ? 0 : object.closingLast();
    }

    static FabricException failure(FidObject object, long result, String detail) {
        return FabricException.of("fi_close(" + object.kind() + ")", result, detail);
    }

    private static boolean isLost(FidObject object, long result) {
        return result < 0 && (object.keepsLost || object.failsForGood());
    }

    /** Whether the object can be closed again after that answer; one without a close operation cannot. */
    static boolean isRefusal(FidObject object, long result) {
        return result < 0 && !isLost(object, result) && result != -Errno.ENOSYS;
    }

    /** Ends the object: the provider has answered, and will not be asked again. */
    static void end(FidObject object, long fid, long result) {
        if (object.isOpen()) {
            object.gone(fid);
        }
        if (!isLost(object, result)) {
            object.closed();
            return;
        }
        if (object.parent != null) {
            object.parent.keepsLost = true;
        }
        object.lost();
    }
}
