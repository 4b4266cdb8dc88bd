/**
 * Lets calls with the same key share one result for a while: many streams of one session are confirmed by one lookup.
 *
 * @param forMs how old a result may be
 */
export function shareLookups<Result>(
  forMs: number,
): (key: string, look: () => Promise<Result>) => Promise<Result> {
  const recent = new Map<string, Promise<Result>>();
  return (key, look) => {
    const shared = recent.get(key);
    if (shared !== undefined) return shared;
    const result = look();
    recent.set(key, result);
    setTimeout(() => recent.delete(key), forMs).unref();
    return result;
  };
}
