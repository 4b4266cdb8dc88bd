import { runCommand } from '../run-command.ts';
import { StartError } from '../start-error.ts';

const OLDEST_JAVA = 17;

/** @throws {StartError} when Kafka 4 cannot run on the Java that is there */
export async function requireJava(java: string): Promise<void> {
  const advice = `Kafka needs Java ${OLDEST_JAVA} or newer: install a JRE (https://adoptium.net) or set JAVA_HOME.`;
  const { exitCode, output } = await runCommand(java, ['-version']);
  if (exitCode !== 0) throw new StartError(`Java cannot be run (${java}). ${advice}`);
  const version = javaVersion(output);
  if (version === undefined || version < OLDEST_JAVA) {
    throw new StartError(`Java is ${version ?? 'of an unknown version'} (${java}). ${advice}`);
  }
}

/** The major version in the output of `java -version`: 17 for `"17.0.15"`, 8 for `"1.8.0_392"`. */
export function javaVersion(output: string): number | undefined {
  const version = /version "(?:1\.)?(\d+)/.exec(output)?.[1];
  return version === undefined ? undefined : Number(version);
}
