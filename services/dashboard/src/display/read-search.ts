/** The query string of a URL. */
export type Search = Record<string, unknown>;

/** Returns the value of a parameter, or undefined if it is missing or invalid. */
type Reader = (search: Search, name: string) => unknown;

export type SearchOf<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined>;
};

/** Returns a function that reads the query string of a page. Missing and invalid values are left out. */
export function searchOf<Readers extends Record<string, Reader>>(readers: Readers) {
  return (search: Search): SearchOf<Readers> =>
    present(
      Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(search, name)])),
    ) as SearchOf<Readers>;
}

/** Accepts numbers too, for example a search for 17. */
export function text(search: Search, name: string): string | undefined {
  const value = search[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<Choice extends string>(...choices: readonly Choice[]) {
  return (search: Search, name: string): Choice | undefined =>
    choices.find((choice) => choice === search[name]);
}

/** Only `true` is a value. */
export function flag(search: Search, name: string): true | undefined {
  return search[name] === true ? true : undefined;
}

/** For pages with one list. */
export const readCursor = searchOf({ cursor: text });

/** Removes undefined values, so that they are not in the URL. */
export function present<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}
