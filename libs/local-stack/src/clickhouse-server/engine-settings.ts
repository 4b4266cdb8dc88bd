import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How the engine is set up at its start: modest, because it shares a small machine with the stack. */
export async function engineArguments(dataDirectory: string, memoryBytes: number): Promise<string[]> {
  const file = join(dataDirectory, 'engine.xml');
  await writeFile(file, engineConfiguration(memoryBytes));
  // The embedded engine accepts `1 + 1` as a statement; the server does not.
  return [`--config-file=${file}`, '--implicit_select=0', '--allow_introspection_functions=0'];
}

function engineConfiguration(memoryBytes: number): string {
  return `<clickhouse>
  <logger><level>none</level></logger>
  <max_server_memory_usage>${memoryBytes}</max_server_memory_usage>
  <mark_cache_size>67108864</mark_cache_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
</clickhouse>
`;
}
