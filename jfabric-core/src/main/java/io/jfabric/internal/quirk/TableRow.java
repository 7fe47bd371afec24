// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.util.List;

/**
 * A quirk as docs/quirks.md describes it.
 *
 * @param providers names of the providers that have it, or of their components ({@code ofi_rxm}); empty for all
 * @param releases which releases of libfabric have it
 * @param symptom what a user would see
 * @param cause where in libfabric it comes from
 * @param answer what jfabric does
 * @param test the test that shows it
 */
public record TableRow(List<String> providers, Releases releases, String symptom, String cause, String answer,
        String test) {
}
