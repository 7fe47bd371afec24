// SPDX-License-Identifier: Apache-2.0
/** Domains and fabrics, which open everything else; the door that static methods of contracts come in through. */
package io.jfabric.internal.domain;
