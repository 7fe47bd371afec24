// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What the processes of a job share. It never travels: both sides prove that they know it by an HMAC of nonces. */
final class Secret {
    static final int PROOF = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();
    private final SecretKeySpec key;

    Secret(String text) {
        // no key may be empty, and a job without a secret has an empty one
        key = new SecretKeySpec(("jfabric:" + text).getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    static byte[] nonce() {
        byte[] nonce = new byte[Frame.NONCE];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** The role keeps a proof from being played back to the one who made it. */
    byte[] proof(String role, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(role.getBytes(StandardCharsets.UTF_8));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    boolean proves(byte[] proof, String role, byte[]... parts) {
        return MessageDigest.isEqual(proof, proof(role, parts));
    }
}
