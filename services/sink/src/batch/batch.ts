import { TOPIC_HEADERS } from '@cellarman/contracts';
import type { ConsumedHeaders, ConsumedMessage } from '@cellarman/kafka';
import type { LineBuffers } from './line-buffers.ts';

/** A run of messages of one partition that are stored or lost together. */
export interface OffsetRange {
  partition: number;
  /** First and last offset, both included. */
  first: number;
  last: number;
}

/** Where a row stands in the topic. */
export interface RowOrigin {
  partition: number;
  offset: number;
}

/** A message that is no reading, with the reason for a person. */
export interface BadRow extends RowOrigin {
  key: Buffer | null;
  /** null is a tombstone. */
  value: Buffer | null;
  headers: ConsumedHeaders;
  reason: string;
}

const LINE_FEED = 0x0a;
/** Links of a span: enough to find one's way, and few enough to look at. */
const MAX_TRACEPARENTS = 32;
/** The last character of a traceparent whose trace is recorded: 1. */
const SAMPLED = 0x31;

/**
 * Readings on their way into one insert.
 *
 * Lines are copied into one buffer as they come and the messages are let go: 100,000 messages with their keys and headers
 * as objects would take more than 100 MB.
 */
export class Batch {
  /** When its first message came, by the clock of the pipeline. */
  readonly since: number;
  /** Messages that never get as far as ClickHouse. */
  readonly bad: BadRow[] = [];
  /** Traces that readings in here belong to. */
  readonly traceparents: string[] = [];
  readonly #buffers: LineBuffers;
  readonly #ranges = new Map<number, OffsetRange>();
  readonly #ends: number[] = [];
  readonly #partitions: number[] = [];
  readonly #offsets: number[] = [];
  /** A row where each partition begins, or the one before it. */
  readonly #beginnings: number[] = [];
  #lines: Buffer;
  #length = 0;
  #badBytes = 0;

  constructor(options: { buffers: LineBuffers; now: number }) {
    this.#buffers = options.buffers;
    this.#lines = options.buffers.take();
    this.since = options.now;
  }

  /** Rows for ClickHouse. */
  get rows(): number {
    return this.#ends.length;
  }

  /** All messages, the bad ones included. */
  get messages(): number {
    return this.rows + this.bad.length;
  }

  /** Bytes that its messages take in memory. */
  get byteLength(): number {
    return this.#length + this.#badBytes;
  }

  /** What is stored or lost together, one range for each partition. */
  get ranges(): OffsetRange[] {
    return [...this.#ranges.values()];
  }

  /** About one line of each partition, the first that came: the oldest reading is among them. */
  get firstLines(): Buffer[] {
    return this.#beginnings.map((row) => this.lines(row, row + 1)).filter(({ length }) => length > 0);
  }

  addLine(partition: number, message: ConsumedMessage, line: Buffer): void {
    const end = this.#length + line.length;
    if (end >= this.#lines.length) this.#lines = this.#buffers.grow(this.#lines, this.#length, end + 1);
    line.copy(this.#lines, this.#length);
    this.#lines[end] = LINE_FEED;
    this.#length = end + 1;
    this.#ends.push(this.#length);
    this.#partitions.push(partition);
    this.#offsets.push(this.#note(partition, message));
  }

  addBad(partition: number, message: ConsumedMessage, reason: string): void {
    const { key, headers = {} } = message;
    // A copy, because the original is a slice of a whole fetch.
    const value = message.value === null ? null : Buffer.from(message.value);
    this.#badBytes += value?.length ?? 0;
    this.bad.push({ partition, offset: this.#note(partition, message), key, value, headers, reason });
  }

  /** The lines of the rows from `first` up to, but without, `end`. Shares memory with the batch. */
  lines(first = 0, end = this.rows): Buffer {
    return this.#lines.subarray(this.#startOf(first), this.#startOf(end));
  }

  origin(row: number): RowOrigin {
    return { partition: this.#partitions[row] ?? -1, offset: this.#offsets[row] ?? -1 };
  }

  /** Gives its memory back for the next batch. Nothing may read its lines after that. */
  release(): void {
    this.#buffers.giveBack(this.#lines);
    this.#lines = Buffer.alloc(0);
  }

  #startOf(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? this.#length);
  }

  #note(partition: number, message: ConsumedMessage): number {
    const offset = Number(message.offset);
    const range = this.#ranges.get(partition);
    if (range === undefined) {
      this.#ranges.set(partition, { partition, first: offset, last: offset });
      this.#beginnings.push(Math.max(this.rows - 1, 0));
    } else range.last = offset;

    const traceparent = message.headers?.[TOPIC_HEADERS.traceparent];
    if (traceparent instanceof Buffer && this.traceparents.length < MAX_TRACEPARENTS) {
      if (traceparent.at(-1) === SAMPLED) this.traceparents.push(traceparent.toString('latin1'));
    }
    return offset;
  }
}
