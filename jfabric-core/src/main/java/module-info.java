/** libfabric for Java: {@link io.jfabric.Fabric} is where to begin. */
module io.jfabric {
    requires io.jfabric.bindings;
    requires static jdk.jfr;
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.jfabric;
    exports io.jfabric.async;
    exports io.jfabric.collective;
    exports io.jfabric.info;
    exports io.jfabric.option;
    exports io.jfabric.trigger;
    exports io.jfabric.wait;
}
