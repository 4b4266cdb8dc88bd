import type { ClickHouseSettings } from '@clickhouse/client';

export interface QueryBounds {
  timeoutSeconds: number;
  maxMemoryBytes: number;
}

/** The settings that every statement of query is sent with. A profile of its user must allow them. */
export function querySettings({ timeoutSeconds, maxMemoryBytes }: QueryBounds): ClickHouseSettings {
  return {
    // No statement of query may write, whatever its user may do. With 1 ClickHouse would reject the other settings, and a
    // user whose profile says 2 may not set 1.
    readonly: '2',
    max_execution_time: timeoutSeconds,
    max_memory_usage: String(maxMemoryBytes),
    result_overflow_mode: 'throw',
    // A client that has left needs no response.
    cancel_http_readonly_queries_on_client_close: 1,

    output_format_json_quote_64bit_integers: 0,
    date_time_output_format: 'iso',
    // The partition is derived from the identity of a reading, so its copies are never in two of them.
    do_not_merge_across_partitions_select_final: 1,
    // It would divide the infinite sum of large values, instead of the values.
    optimize_arithmetic_operations_in_aggregate_functions: 0,
  };
}
