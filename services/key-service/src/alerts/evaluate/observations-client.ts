import { OBSERVATIONS } from '@cellarman/contracts';
import type { Observation, ObservationResponse, ObservationQuery } from '@cellarman/contracts';
import { ApiError } from '@cellarman/http-api';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';

/** Longer than a query may wait and run. */
const TIMEOUT_MS = 15_000;

/** Requests an observation of the query service. Rejects with `unavailable` when there is no valid response in time. */
export type RequestObservation = <Name extends Observation>(
  name: Name,
  query: ObservationQuery<Name>,
) => Promise<ObservationResponse<Name>>;

export function createRequestObservation(options: {
  queryUrl: string | undefined;
  token: string | undefined;
}): RequestObservation {
  const { queryUrl, token } = options;
  const checks = new Map<Observation, TypeCheck<TSchema>>(
    Object.entries(OBSERVATIONS).map(([name, { response }]) => [
      name as Observation,
      TypeCompiler.Compile(response as TSchema),
    ]),
  );

  return async <Name extends Observation>(name: Name, query: ObservationQuery<Name>) => {
    if (queryUrl === undefined || token === undefined) {
      throw new ApiError(
        'unavailable',
        'This installation does not evaluate readings: ALERTS_TOKEN is not set',
      );
    }
    const given = Object.entries(query).map(([field, value]): [string, string] => [field, String(value)]);
    const url = `${queryUrl.replace(/\/+$/, '')}${OBSERVATIONS[name].path}?${new URLSearchParams(given).toString()}`;
    const body: unknown = await getJson(url, token).catch((cause: unknown) => {
      throw new ApiError('unavailable', 'The query service is not available', { cause });
    });
    // A body of another version must not change states.
    if (checks.get(name)?.Check(body) !== true) {
      throw new ApiError('unavailable', 'The query service returned an unexpected response');
    }
    return body as ObservationResponse<Name>;
  };
}

async function getJson(url: string, token: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`query returned ${response.status}`);
}
