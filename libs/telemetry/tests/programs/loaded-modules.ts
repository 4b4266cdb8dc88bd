/** Starts telemetry with the variables of its argument, as JSON, and prints the packages that were loaded for a collector. */
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] =
      /@opentelemetry\/((?:exporter-\w+-otlp-\w+|sdk-logs|sdk-node|sdk-trace))\//.exec(url) ?? [];
    if (name !== undefined) loaded.add(name);
    return nextLoad(url, context);
  },
});

// Only now, so that the hooks see it.
const { startTelemetry } = await import('../../src/index.ts');
const { plainConfig } = await import('../plain-config.ts');
const variables = JSON.parse(process.argv[2] ?? '{}') as object;
await startTelemetry({
  service: 'ingest',
  version: '1',
  config: { ...plainConfig, ...variables },
});
process.stdout.write(JSON.stringify([...loaded].sort()), () => process.exit());
