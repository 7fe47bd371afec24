/** Generated struct layouts and constants of libfabric, for {@code io.jfabric} only. */
module io.jfabric.bindings {
    exports io.jfabric.bindings to io.jfabric;
}
