/** Sends one reading. Returns the status, or the error of a request without a response. */
export async function trySend(options: {
  url: string;
  apiKey: string;
  cellar: string;
}): Promise<number | string> {
  const { url, apiKey, cellar } = options;
  const timestamp = new Date().toISOString();
  try {
    const response = await fetch(`${url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ cellar, rack: 'probe', keg: 'temperature', value: 1, timestamp }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
