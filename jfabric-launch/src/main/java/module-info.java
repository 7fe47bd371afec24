/** Who am I, and where are the others: {@link io.jfabric.launch.Job} is where to begin. */
module io.jfabric.launch {
    requires io.jfabric.bindings;
    requires transitive io.jfabric;
    requires org.slf4j;

    exports io.jfabric.launch;
}
