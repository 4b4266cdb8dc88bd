import { readFile } from 'node:fs/promises';
import { format } from 'oxfmt';
import type { FormatConfig } from 'oxfmt';

interface Settings extends FormatConfig {
  overrides: [{ options: FormatConfig }];
  ignorePatterns: string[];
}

/** Formats a generated text as check:format requires it of a file of that name. */
export async function formatText(name: string, text: string): Promise<string> {
  const file = new URL('../.oxfmtrc.json', import.meta.url);
  const { overrides, ignorePatterns: _, ...options } = JSON.parse(await readFile(file, 'utf8')) as Settings;
  const [markdown] = overrides;
  const { code, errors } = await format(name, text, {
    ...options,
    ...(name.endsWith('.md') ? markdown.options : {}),
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
