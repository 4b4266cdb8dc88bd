import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.regex.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.*;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Stores each reading of cellarman.readings.v1 once, in PostgreSQL. docs/topic.md describes the topic.
 *
 *     mvn dependency:copy-dependencies -DoutputDirectory=lib
 *     java -cp 'lib/*' Consumer.java --brokers 127.0.0.1:9092 --database jdbc:postgresql://127.0.0.1/readings
 *
 * Java 17 or later. Optional: --group, --topic and --from 2026-11-21T06:00:00Z, where a new group starts.
 */
class Consumer {
    // The primary key is the identity of a reading.
    static final String TABLE = """
        CREATE TABLE IF NOT EXISTS readings (
          cellar text COLLATE "C", rack text COLLATE "C", keg text COLLATE "C", timestamp text COLLATE "C",
          value double precision, received_at timestamptz NOT NULL, trace_id text,
          PRIMARY KEY (cellar, rack, keg, timestamp, value))""";
    static final String INSERT = "INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?::timestamptz, ?) ON CONFLICT DO NOTHING";
    static final Pattern NAME = Pattern.compile("[^\\x00-\\x1f\\x7f\\ud800-\\udfff]+");
    static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(\\.\\d{1,9})?Z");
    static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    public static void main(String[] arguments) throws Exception {
        var options = new HashMap<>(Map.of("--group", "readings-to-postgresql",
            "--topic", "cellarman.readings.v1", "--from", "1970-01-01T00:00:00Z"));
        for (int i = 0; i + 1 < arguments.length; i += 2) options.put(arguments[i], arguments[i + 1]);
        // "none" throws if retention deleted messages that this group has not read.
        var settings = Map.<String, Object>of("bootstrap.servers", options.get("--brokers"),
            "group.id", options.get("--group"), "enable.auto.commit", false, "auto.offset.reset", "none");
        var closed = new CompletableFuture<Void>();
        try (var database = DriverManager.getConnection(options.get("--database"));
                var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> { consumer.wakeup(); closed.join(); }));
            database.createStatement().execute(TABLE);
            database.setAutoCommit(false);
            var insert = database.prepareStatement(INSERT);
            consumer.subscribe(List.of(options.get("--topic")), new ConsumerRebalanceListener() {
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    seekNew(consumer, partitions, Instant.parse(options.get("--from")));
                }
            });
            while (true) {
                var messages = consumer.poll(Duration.ofMillis(500));
                for (var message : messages) addRow(insert, message);
                insert.executeBatch();
                database.commit();
                // Only now: messages that are read again after a crash violate the primary key.
                try {
                    consumer.commitSync();
                } catch (CommitFailedException | RebalanceInProgressException error) {
                    System.err.println("The offsets are not committed, these messages are read again: " + error);
                }
            }
        } catch (WakeupException stopped) { // By the shutdown hook.
        } finally {
            closed.complete(null);
        }
    }

    /** Starts partitions without a committed offset, such as new ones, at a time. */
    static void seekNew(KafkaConsumer<?, ?> consumer, Collection<TopicPartition> partitions, Instant from) {
        var fresh = new HashMap<TopicPartition, Long>();
        for (var committed : consumer.committed(Set.copyOf(partitions)).entrySet())
            if (committed.getValue() == null) fresh.put(committed.getKey(), from.toEpochMilli());
        // First, so that a message that arrives in between is read.
        var ends = consumer.endOffsets(fresh.keySet());
        consumer.offsetsForTimes(fresh).forEach((partition, found) ->
            consumer.seek(partition, found == null ? ends.get(partition) : found.offset()));
    }

    static void addRow(PreparedStatement insert, ConsumerRecord<String, String> message) throws SQLException {
        try {
            if (!header(message, "schema-version").equals("1")) throw new IllegalArgumentException("unknown version");
            // Unknown fields are ignored.
            var reading = JSON.readTree(Objects.requireNonNullElse(message.value(), ""));
            var time = match(reading, "timestamp", TIME);
            // 06:30:00.10Z and 06:30:00.1Z are the same time; 0.0 and -0.0 are the same value.
            var fraction = Objects.requireNonNullElse(time.group(2), "").replaceFirst("\\.?0*$", "");
            double value = reading.path("value").isNumber() ? reading.get("value").doubleValue() + 0.0 : Double.NaN;
            if (!Double.isFinite(value)) throw new IllegalArgumentException("the value is not a number");
            insert.setString(1, match(reading, "cellar", NAME).group());
            insert.setString(2, match(reading, "rack", NAME).group());
            insert.setString(3, match(reading, "keg", NAME).group());
            insert.setString(4, time.group(1) + fraction + "Z");
            insert.setDouble(5, value);
            insert.setString(6, Instant.parse(reading.path("received_at").asText()).toString());
            var trace = header(message, "traceparent").split("-");
            insert.setString(7, trace.length > 3 ? trace[1] : null);
            insert.addBatch();
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException error) {
            System.err.printf("partition %d, offset %d is not a reading: %s%n",
                message.partition(), message.offset(), error);
        }
    }

    static Matcher match(JsonNode reading, String field, Pattern pattern) {
        var text = reading.path(field);
        var found = pattern.matcher(text.asText(""));
        if (!text.isTextual() || !found.matches()) throw new IllegalArgumentException(field + " is invalid");
        return found;
    }

    static String header(ConsumerRecord<?, ?> message, String name) {
        var header = message.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
