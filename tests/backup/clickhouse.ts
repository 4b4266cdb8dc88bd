import type { RunFile } from '@cellarman/local-stack';

/** Asks ClickHouse and gives back its words. */
export async function ask(
  { clickhouseUrl }: Pick<RunFile, 'clickhouseUrl'>,
  statement: string,
  database = 'default',
): Promise<string> {
  const answer = await fetch(`${clickhouseUrl}/?database=${database}`, { method: 'POST', body: statement });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}
