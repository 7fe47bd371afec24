// SPDX-License-Identifier: Apache-2.0
/** The everyday layer: what most programs need above libfabric's own objects. */
package io.jfabric.async;
