import { useQuery } from '@tanstack/react-query';
import { cellarsQuery } from '../../cellars/cellars-query.ts';
import { keysQuery } from '../../keys/key-queries.ts';
import { withoutSecret } from '../../keys/keys-search.ts';
import { racksQuery } from '../../racks/racks-queries.ts';

const MOST_OF_A_KIND = 5;

interface Found {
  cellars: string[];
  racks: string[];
  keys: { name: string; displayPrefix: string }[];
}

/** What matches a search, of the whole service and of the open cellar. A pasted API key is reduced to its prefix. */
export function useFound(typed: string, cellar: string | undefined): Found {
  const search = withoutSecret(typed) ?? '';
  const options = {
    refetchInterval: false,
    meta: { isBeside: true },
  } as const;
  const cellars = useQuery({ ...cellarsQuery({ search }), ...options, enabled: search !== '' });
  const isWithin = search !== '' && cellar !== undefined;
  const racks = useQuery({ ...racksQuery(cellar ?? '', { search }), ...options, enabled: isWithin });
  const keys = useQuery({ ...keysQuery(cellar ?? '', { search }), ...options, enabled: isWithin });
  if (search === '') return { cellars: [], racks: [], keys: [] };
  return {
    cellars: (cellars.data?.cellars ?? []).slice(0, MOST_OF_A_KIND).map(({ name }) => name),
    racks: (racks.data?.racks ?? []).slice(0, MOST_OF_A_KIND).map(({ rack }) => rack),
    keys: (keys.data?.keys ?? []).slice(0, MOST_OF_A_KIND),
  };
}
