// Stores each reading of cellarman.readings.v1 once, in PostgreSQL. docs/topic.md describes the topic.
//
//	go run . -brokers 127.0.0.1:9092 -database postgres://127.0.0.1/readings
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The primary key is the identity of a reading.
const table = `CREATE TABLE IF NOT EXISTS readings (
  cellar text COLLATE "C", rack text COLLATE "C", keg text COLLATE "C", timestamp text COLLATE "C",
  value double precision, received_at timestamptz NOT NULL, trace_id text,
  PRIMARY KEY (cellar, rack, keg, timestamp, value))`
const insert = `INSERT INTO readings VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`

var (
	brokers  = flag.String("brokers", "127.0.0.1:9092", "host:port, separated by commas")
	database = flag.String("database", "", "URL of the PostgreSQL database")
	group    = flag.String("group", "readings-to-postgresql", "consumer group")
	from     = flag.String("from", "1970-01-01T00:00:00Z", "where a new group starts")
	topic    = flag.String("topic", "cellarman.readings.v1", "")

	name      = regexp.MustCompile(`^[^\x00-\x1f\x7f]+$`)
	timestamp = regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$`)
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	check := func(err error) {
		if err != nil && ctx.Err() == nil {
			log.Fatal(err)
		}
	}
	start, err := time.Parse(time.RFC3339, *from)
	check(err)
	store, err := pgx.Connect(ctx, *database)
	check(err)
	_, err = store.Exec(ctx, table)
	check(err)
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(*brokers, ",")...), kgo.ConsumerGroup(*group), kgo.ConsumeTopics(*topic),
		kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
		// Stops with an error if retention deleted messages that this group has not read.
		kgo.ConsumeStartOffset(kgo.NewOffset().AfterMilli(start.UnixMilli())), kgo.ConsumeResetOffset(kgo.NoResetOffset()),
	)
	check(err)
	defer client.CloseAllowingRebalance()
	for ctx.Err() == nil {
		messages := client.PollRecords(ctx, 1000)
		check(messages.Err())
		rows := &pgx.Batch{}
		messages.EachRecord(func(message *kgo.Record) {
			if row, err := toRow(message); err != nil {
				log.Printf("partition %d, offset %d is not a reading: %v", message.Partition, message.Offset, err)
			} else {
				rows.Queue(insert, row...)
			}
		})
		err = store.SendBatch(ctx, rows).Close() // One transaction.
		check(err)
		if err != nil {
			break // Interrupted.
		}
		// Only now: messages that are read again after a crash violate the primary key.
		if err = client.CommitUncommittedOffsets(ctx); err != nil {
			log.Printf("The offsets are not committed, so these messages will be read again: %v", err)
		}
		client.AllowRebalance()
	}
}

func toRow(message *kgo.Record) ([]any, error) {
	headers := map[string]string{}
	for _, header := range message.Headers {
		headers[header.Key] = string(header.Value)
	}
	if headers["schema-version"] != "1" {
		return nil, errors.New("the header schema-version is not 1")
	}
	// Unknown fields are ignored.
	var reading struct {
		Cellar, Rack, Keg, Timestamp string
		Value                        *float64
		ReceivedAt                   time.Time `json:"received_at"`
	}
	if err := json.Unmarshal(message.Value, &reading); err != nil {
		return nil, err
	}
	time := timestamp.FindStringSubmatch(reading.Timestamp)
	for _, text := range []string{reading.Cellar, reading.Rack, reading.Keg} {
		if !name.MatchString(text) || time == nil || reading.Value == nil || reading.ReceivedAt.IsZero() {
			return nil, errors.New("a field is missing or invalid")
		}
	}
	// 06:30:00.10Z and 06:30:00.1Z are the same time, 0 and -0 the same value.
	fraction := strings.TrimRight(strings.TrimRight(time[2], "0"), ".")
	var traceID *string
	if parts := strings.Split(headers["traceparent"], "-"); len(parts) > 3 {
		traceID = &parts[1]
	}
	identity := []any{reading.Cellar, reading.Rack, reading.Keg, time[1] + fraction + "Z", *reading.Value + 0}
	return append(identity, reading.ReceivedAt, traceID), nil
}
