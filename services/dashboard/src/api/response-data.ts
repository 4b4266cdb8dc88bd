import { ApiError } from './api-error.ts';

export interface FetchResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** @throws {ApiError} with the message of the service, or with our own if there was no response */
export async function responseData<Data>(request: Promise<FetchResult<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    const message = navigator.onLine ? "Can't reach Cellarman" : 'This device is offline';
    throw new ApiError({ status: 0, code: 'unreachable', message }, { cause });
  });
  if (response.ok) return data as Data;
  throw new ApiError({ status: response.status, ...reportedError(error, response) });
}

/** A proxy in between may respond with anything. */
function reportedError(error: unknown, response: Response): { code: string; message: string } {
  if (typeof error === 'object' && error !== null && 'error' in error && 'code' in error) {
    return { code: String(error.code), message: String(error.error) };
  }
  return { code: 'unknown', message: `Unexpected response: HTTP ${response.status}` };
}
