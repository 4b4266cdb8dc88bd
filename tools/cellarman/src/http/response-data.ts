import { EXIT, Failure } from '../failure.ts';

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @throws {Failure} in the words of the service that rejected */
export async function dataOf<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request;
  if (response.ok) return data as Data;
  throw rejectionOf(response.status, error);
}

/** A proxy in between may respond with any body, and the 401 of ingest has no code. */
export function rejectionOf(status: number, body: unknown): Failure {
  const told = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const code = typeof told['code'] === 'string' ? told['code'] : `HTTP ${status}`;
  const message = typeof told['error'] === 'string' ? told['error'] : 'the response has no message.';
  const isPassing = status === 408 || status === 429 || status >= 500;
  return new Failure(isPassing ? EXIT.unreachable : EXIT.rejected, message, { code });
}
