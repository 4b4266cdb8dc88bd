import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { KegSettings } from '../api/resources.ts';

const STALE_MS = 60_000;

/** The settings of the kegs of a cellar, by the name of the keg. */
export type KegSettingsByName = ReadonlyMap<string, KegSettings>;

const NONE: KegSettingsByName = new Map();

export function kegSettingsQuery(cellar: string) {
  return queryOptions({
    queryKey: ['keg settings', cellar],
    queryFn: async ({ signal }): Promise<KegSettingsByName> => {
      const { kegs } = await api.get('/api/v1/cellars/{cellar}/kegs', {
        params: { path: { cellar } },
        signal,
      });
      return new Map(kegs.map((settings) => [settings.keg, settings]));
    },
    staleTime: STALE_MS,
  });
}

/** Returns the settings of the kegs of a cellar: `.get(keg)`. Empty while they load, because values matter more than their units. */
export function useKegSettings(cellar: string): KegSettingsByName {
  return useQuery(kegSettingsQuery(cellar)).data ?? NONE;
}

/** The most that the service returns at a time, and as many as can have settings. */
const MOST_KEGS = 1_000;

/** The kegs that a cellar has sent, by name. */
export function kegsQuery(cellar: string) {
  return queryOptions({
    queryKey: ['sent kegs', cellar],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { limit: MOST_KEGS } };
      return (await api.get('/api/v1/query/cellars/{cellar}/kegs', { params, signal })).kegs;
    },
    staleTime: 60_000,
  });
}
