import { ApiError } from './api-error.ts';

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @throws {ApiError} with the words of the service, or with ours when it did not answer */
export async function answerOf<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    const message = navigator.onLine ? 'The service does not answer.' : 'This device is offline.';
    throw new ApiError({ status: 0, code: 'unreachable', message }, { cause });
  });
  if (response.ok) return data as Data;
  throw new ApiError({ status: response.status, ...toldBy(error, response) });
}

/** A proxy in between may answer with anything. */
function toldBy(error: unknown, response: Response): { code: string; message: string } {
  if (typeof error === 'object' && error !== null && 'error' in error && 'code' in error) {
    return { code: String(error.code), message: String(error.error) };
  }
  return { code: 'unknown', message: `The service answered ${response.status} ${response.statusText}.` };
}
