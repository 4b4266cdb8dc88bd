import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How the engine is set up at its start: modest, because it shares a small machine with the stack. */
export async function engineArguments(dataDirectory: string, memoryBytes: number): Promise<string[]> {
  const file = join(dataDirectory, 'engine.xml');
  await writeFile(file, engineConfiguration(memoryBytes, join(dataDirectory, '..', 'backups')));
  return [
    `--config-file=${file}`,
    // The embedded engine accepts `1 + 1` as a statement; the server does not.
    '--implicit_select=0',
    '--allow_introspection_functions=0',
    // A streamed SELECT of 1 KB rows held 600 MB at the default of 65,409 rows, 340 MB at this.
    '--max_block_size=8192',
    // An INSERT of 1.5 GB peaked at 700 MB with these, one of 0.6 GB at 1.6 GB without.
    '--min_insert_block_size_bytes=67108864',
    '--storage_file_read_method=pread',
  ];
}

/** @param backups where `BACKUP … TO File('name')` writes, beside the data: a backup must outlive them */
function engineConfiguration(memoryBytes: number, backups: string): string {
  return `<clickhouse>
  <logger><level>none</level></logger>
  <max_server_memory_usage>${memoryBytes}</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
  <backups><allowed_path>${backups}</allowed_path></backups>
</clickhouse>
`;
}
