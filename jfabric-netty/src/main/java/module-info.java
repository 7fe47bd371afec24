/** Messages out of and into the buffers of Netty: {@link io.jfabric.netty.ByteBufs}. */
module io.jfabric.netty {
    requires transitive io.jfabric;
    requires transitive io.netty.buffer;
    requires io.netty.common;

    exports io.jfabric.netty;
}
