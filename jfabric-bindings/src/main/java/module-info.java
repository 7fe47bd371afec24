/** Generated struct layouts and constants of libfabric, librdmacm and PMIx, for jfabric only. */
module io.jfabric.bindings {
    exports io.jfabric.bindings to io.jfabric;
    exports io.jfabric.bindings.pmix to io.jfabric.launch;
    exports io.jfabric.bindings.rdmacm to io.jfabric.rdmacm;
}
