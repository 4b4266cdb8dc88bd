import { request } from 'undici';

/** Sends one reading. Answers the status, or the error of a request without an answer. */
export async function trySend(options: {
  url: string;
  apiKey: string;
  cellar: string;
}): Promise<number | string> {
  const { url, apiKey, cellar } = options;
  const timestamp = new Date().toISOString();
  try {
    const answer = await request(`${url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ cellar, rack: 'probe', keg: 'temperature', value: 1, timestamp }),
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'failed';
  }
}
