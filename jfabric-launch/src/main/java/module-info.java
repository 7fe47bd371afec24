/** Who am I, and where are the others: {@link io.jfabric.launch.Job} is where to begin. */
module io.jfabric.launch {
    requires transitive io.jfabric;
    requires org.slf4j;

    exports io.jfabric.launch;
}
