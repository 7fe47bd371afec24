// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma_getaddrinfo(3)}: which addresses, routes and connection data the RDMA connection manager has for a name.
 *
 * <p>{@link io.jfabric.rdmacm.RdmaAddressInfo} is where to begin. The site's {@code librdmacm.so.1} is loaded with the
 * first call.
 */
@NullMarked
package io.jfabric.rdmacm;

import org.jspecify.annotations.NullMarked;
