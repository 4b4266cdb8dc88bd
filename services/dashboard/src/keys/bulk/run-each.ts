export interface Outcome<Item, Result> {
  item: Item;
  /** Undefined: it failed. */
  result: Result | undefined;
  error: Error | undefined;
}

/** Few enough that the requests of other users are not delayed. */
const MOST_AT_A_TIME = 6;

/** Runs `work` for each item, several at a time. A failure does not stop the others. */
export async function runEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  onProgress: (done: number) => void,
): Promise<Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = [];
  const rest = items.entries();
  let done = 0;
  const worker = async (): Promise<void> => {
    // All workers take from the same iterator.
    for (const [index, item] of rest) {
      outcomes[index] = await work(item).then(
        (result) => ({ item, result, error: undefined }),
        (error: unknown) => ({ item, result: undefined, error: toError(error) }),
      );
      onProgress((done += 1));
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_A_TIME }, worker));
  return outcomes;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('Unexpected error');
}
