import type { Static, TObject, TSchema } from '@sinclair/typebox';
import envSchema from 'env-schema';
import { readSecretFiles } from './secret-files.ts';

export interface ReadConfigOptions<Schema extends TObject> {
  /** Who reads, for the message: `ingest`. */
  service: string;
  /** One property per environment variable. */
  schema: Schema;
  env: Readonly<Record<string, string | undefined>>;
  /** Returns a sentence for each invalid combination of variables. Called if each variable is valid by itself. */
  conflicts?: (config: Static<Schema>) => readonly string[];
}

/** The environment is not usable. The message lists every problem, one to a line, and shows no secret. */
export class ConfigError extends Error {
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];

  constructor(service: string, problems: readonly string[]) {
    super(
      `${service} cannot start, its environment has ${count(problems)}:\n${problems.map((p) => `  - ${p}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads environment variables by a schema: texts become numbers, booleans and lists, defaults are filled in.
 *
 * A variable that is set to nothing counts as not set: Helm and Compose render absent values that way. A secret may stand
 * in a file, which the variable of its name with `_FILE` behind it names.
 *
 * @throws {ConfigError} that lists all problems
 */
export function readConfig<Schema extends TObject>(options: ReadConfigOptions<Schema>): Static<Schema> {
  const { service, schema, env, conflicts = () => [] } = options;
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  ) as Record<string, string>;
  const files = readSecretFiles(schema, set);
  if (files.problems.length > 0) throw new ConfigError(service, files.problems);
  const given = Object.fromEntries(
    Object.entries({ ...set, ...files.secrets }).filter(([name]) => name in schema.properties),
  );
  const config = parse(service, schema, given);
  const problems = conflicts(config);
  if (problems.length > 0) throw new ConfigError(service, problems);
  return config;
}

function parse<Schema extends TObject>(
  service: string,
  schema: Schema,
  given: Record<string, string | undefined>,
): Static<Schema> {
  try {
    // env-schema marks the schema that it is given; ours stays as it is.
    return envSchema<Static<Schema>>({
      schema: structuredClone(schema),
      data: given,
      env: false,
      ajv: {
        customOptions: { strictTypes: false, keywords: [envSchema.keywords.separator, 'secret'] } as never,
      },
    });
  } catch (error) {
    const { errors } = error as { errors?: Problem[] };
    if (errors === undefined) throw error;
    throw new ConfigError(service, [...new Set(errors.map((problem) => describe(problem, schema, given)))]);
  }
}

/** The part of an Ajv error that is read here. */
interface Problem {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

function describe(problem: Problem, schema: TObject, given: Record<string, string | undefined>): string {
  if (problem.keyword === 'required') {
    const name = String(problem.params['missingProperty']);
    return `${name} is missing: ${schema.properties[name]?.description ?? 'it is required'}`;
  }
  const name = problem.instancePath.split('/')[1] ?? '';
  const variable: (TSchema & { secret?: boolean }) | undefined = schema.properties[name];
  const shown = variable?.secret === true ? 'the given secret' : JSON.stringify(given[name]);
  const allowed = problem.params['allowedValues'];
  const detail = Array.isArray(allowed) ? ` (${allowed.join(', ')})` : '';
  return `${name} ${problem.message ?? 'is not valid'}${detail}, not ${shown}: ${variable?.description ?? ''}`;
}

function count(problems: readonly string[]): string {
  return problems.length === 1 ? 'one problem' : `${problems.length} problems`;
}
