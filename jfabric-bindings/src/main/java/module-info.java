/** Generated struct layouts and constants of libfabric and librdmacm, for jfabric only. */
module io.jfabric.bindings {
    exports io.jfabric.bindings to io.jfabric;
    exports io.jfabric.bindings.rdmacm to io.jfabric.rdmacm;
}
