/** What a live stream is about. All undefined: the whole cellar. */
export interface LiveFilter {
  rack?: string | undefined;
  rackPrefix?: string | undefined;
  keg?: string | undefined;
}

/** @param limit readings per event; 0: they are only counted */
export function liveUrl(cellar: string, filter: LiveFilter, limit: number): string {
  const search = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(filter)) if (typeof value === 'string') search.set(name, value);
  return `/api/v1/query/cellars/${encodeURIComponent(cellar)}/live?${search.toString()}`;
}
