import { Refusal } from '../http/refusal.ts';

/** Without Redis nobody can be signed in: an answer for the person in front of the screen. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Refusal('unavailable', 'Sessions cannot be reached. Try again.', { cause: error });
  }
}
