/** Addresses as the RDMA connection manager resolves them: {@link io.jfabric.rdmacm.RdmaAddressInfo}. */
module io.jfabric.rdmacm {
    requires io.jfabric.bindings;
    requires transitive io.jfabric;

    exports io.jfabric.rdmacm;
}
