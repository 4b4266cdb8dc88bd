import type { EngineUrls } from '@cellarman/local-stack';

/** Runs a statement in ClickHouse and returns the response as text. */
export async function ask(
  access: Pick<EngineUrls, 'clickhouseUrl' | 'clickhouseUser' | 'clickhousePassword'>,
  statement: string,
  database = 'default',
): Promise<string> {
  const answer = await fetch(`${access.clickhouseUrl}/?database=${database}`, {
    method: 'POST',
    headers: {
      'X-ClickHouse-User': access.clickhouseUser,
      'X-ClickHouse-Key': access.clickhousePassword,
    },
    body: statement,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}
