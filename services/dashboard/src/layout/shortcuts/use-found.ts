import { useQueries, useQuery } from '@tanstack/react-query';
import { cellarsQuery } from '../../cellars/cellars-query.ts';
import { keysQuery } from '../../keys/key-queries.ts';
import { withoutSecret } from '../../keys/keys-search.ts';
import { racksQuery } from '../../racks/racks-queries.ts';

const MOST_OF_A_KIND = 5;
/** On a page of no cellar, racks are searched in this many. */
const MOST_CELLARS = 8;

interface Found {
  cellars: string[];
  racks: { cellar: string; rack: string }[];
  keys: { name: string; displayPrefix: string }[];
}

/** What matches a search: cellars, racks of the open cellar or of the first ones, and keys of the open cellar. A pasted API key is reduced to its prefix. */
export function useFound(typed: string, cellar: string | undefined): Found {
  const search = withoutSecret(typed) ?? '';
  const options = {
    refetchInterval: false,
    meta: { isBeside: true },
  } as const;
  const cellars = useQuery({ ...cellarsQuery({ search }), ...options, enabled: search !== '' });
  const isWithin = search !== '' && cellar !== undefined;
  const all = useQuery({ ...cellarsQuery({}), ...options, enabled: search !== '' && !isWithin });
  const names = isWithin ? [cellar] : (all.data?.cellars ?? []).map(({ name }) => name);
  const racks = useQueries({
    queries: (search === '' ? [] : names.slice(0, MOST_CELLARS)).map((name) => ({
      ...racksQuery(name, { search }),
      ...options,
    })),
    combine: (found) =>
      found.flatMap(({ data }, index) =>
        (data?.racks ?? []).map(({ rack }) => ({ cellar: names[index] ?? '', rack })),
      ),
  });
  const keys = useQuery({ ...keysQuery(cellar ?? '', { search }), ...options, enabled: isWithin });
  if (search === '') return { cellars: [], racks: [], keys: [] };
  return {
    cellars: (cellars.data?.cellars ?? []).slice(0, MOST_OF_A_KIND).map(({ name }) => name),
    racks: racks.slice(0, MOST_OF_A_KIND),
    keys: (keys.data?.keys ?? []).slice(0, MOST_OF_A_KIND),
  };
}
