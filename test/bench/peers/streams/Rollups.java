import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Sums the trips in a topic by driver, day and week, in state stores, in the usual style of Kafka Streams. A driver's
 * trips share a partition, so the records do not have to be repartitioned. The program adds doubles and does not handle
 * revisions.
 *
 * Arguments: brokers, topic, application id, state directory, number of trips. When all trips are summed and the state
 * is on disk, the program prints the seconds since the first trip, the number of days, of weeks and of trips on all
 * days, and the total miles of all weeks.
 */
public final class Rollups {
    private static final String DAYS = "days";
    private static final String WEEKS = "weeks";
    private static final int SUMS = 11;
    private static final int FETCHED_BYTES = 8 * 1024 * 1024;

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Events(
        double phone_use_count,
        double rapid_acceleration_count,
        double hard_brake_count,
        double overspeeding_count,
        double phone_use_time_seconds,
        double overspeeding_time_seconds) {
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Trip(
        String fleet_id,
        String driver_id,
        long trip_start_time,
        double distance_miles,
        double duration_seconds,
        double night_driving_seconds,
        double highway_miles,
        Events event_summary) {
        double[] figures() {
            Events events = event_summary;
            return new double[] {
                1, distance_miles, duration_seconds, night_driving_seconds, highway_miles,
                events.phone_use_count, events.rapid_acceleration_count, events.hard_brake_count,
                events.overspeeding_count, events.phone_use_time_seconds, events.overspeeding_time_seconds,
            };
        }
    }

    private static final Serde<double[]> SUMS_SERDE = Serdes.serdeFrom(
        (topic, sums) -> {
            ByteBuffer bytes = ByteBuffer.allocate(SUMS * Double.BYTES);
            bytes.asDoubleBuffer().put(sums);
            return bytes.array();
        },
        (topic, bytes) -> {
            double[] sums = new double[SUMS];
            ByteBuffer.wrap(bytes).asDoubleBuffer().get(sums);
            return sums;
        });

    /** Adds each trip to its driver's day and week. */
    private static final class Adding implements Processor<byte[], byte[], Void, Void> {
        private final ObjectMapper json = new ObjectMapper();
        private final Runnable added;
        private KeyValueStore<String, double[]> days;
        private KeyValueStore<String, double[]> weeks;

        Adding(Runnable added) {
            this.added = added;
        }

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            days = context.getStateStore(DAYS);
            weeks = context.getStateStore(WEEKS);
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            Trip trip;
            try {
                trip = json.readValue(record.value(), Trip.class);
            } catch (IOException error) {
                throw new IllegalArgumentException(error);
            }
            LocalDate day = Instant.ofEpochMilli(trip.trip_start_time()).atOffset(ZoneOffset.UTC).toLocalDate();
            LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            String driver = trip.fleet_id() + "/" + trip.driver_id() + "/";
            double[] figures = trip.figures();
            add(days, driver + day, figures);
            add(weeks, driver + monday, figures);
            added.run();
        }

        private static void add(KeyValueStore<String, double[]> store, String key, double[] figures) {
            double[] sums = store.get(key);
            if (sums == null) sums = new double[SUMS];
            for (int place = 0; place < SUMS; place++) sums[place] += figures[place];
            store.put(key, sums);
        }
    }

    /** The store is on disk and has no changelog topic, because it can be rebuilt from the topic of trips. */
    private static StoreBuilder<KeyValueStore<String, double[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), SUMS_SERDE)
            .withCachingEnabled()
            .withLoggingDisabled();
    }

    /** Returns the number of rows in a store, and the sum of one of their columns. */
    private static double[] totals(KafkaStreams streams, String name, int column) {
        double[] totals = new double[2];
        var parameters = StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.<String, double[]>keyValueStore());
        try (var rows = streams.store(parameters).all()) {
            rows.forEachRemaining(row -> {
                totals[0] += 1;
                totals[1] += row.value[column];
            });
        }
        return totals;
    }

    public static void main(String[] arguments) throws InterruptedException {
        String topic = arguments[1];
        long trips = Long.parseLong(arguments[4]);
        Properties settings = new Properties();
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, arguments[2]);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, arguments[3]);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Runtime.getRuntime().availableProcessors());
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 64 * 1024 * 1024);
        settings.put("max.partition.fetch.bytes", FETCHED_BYTES);

        AtomicLong added = new AtomicLong();
        AtomicLong start = new AtomicLong();
        CountDownLatch all = new CountDownLatch(1);
        Runnable onAdded = () -> {
            long count = added.incrementAndGet();
            if (count == 1) start.set(System.nanoTime());
            if (count == trips) all.countDown();
        };
        Topology topology = new Topology()
            .addSource("trips", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), topic)
            .addProcessor("adding", () -> new Adding(onAdded), "trips")
            .addStateStore(store(DAYS), "adding")
            .addStateStore(store(WEEKS), "adding");
        KafkaStreams streams = new KafkaStreams(topology, settings);
        streams.setUncaughtExceptionHandler(error -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
            return null;
        });
        streams.start();
        all.await();
        long nanoseconds = System.nanoTime() - start.get();
        double[] days = totals(streams, DAYS, 0);
        double[] weeks = totals(streams, WEEKS, 1);
        long closing = System.nanoTime();
        // This writes what is still in the caches and commits the offsets.
        streams.close(Duration.ofMinutes(1));
        nanoseconds += System.nanoTime() - closing;
        System.out.printf("%.3f %.0f %.0f %.0f %.6f%n", nanoseconds / 1e9, days[0], weeks[0], days[1], weeks[1]);
    }
}
