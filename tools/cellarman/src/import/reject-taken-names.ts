import { EXIT, Failure } from '../failure.ts';
import { dataOf } from '../http/response-data.ts';
import { PAGE_SIZE, pagesOf } from '../http/key-service.ts';
import type { KeyService } from '../http/key-service.ts';
import { rowKey } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';

/**
 * Importing the same rows with another file for the secrets would create every key a second time.
 *
 * @throws {Failure} when a name belongs to an active key already
 */
export async function rejectTakenNames(keyService: KeyService, rows: readonly KeyRow[]): Promise<void> {
  const wanted = new Map(rows.map((row) => [rowKey(row), row]));
  const taken: KeyRow[] = [];
  for (const cellar of new Set(rows.map((row) => row.cellar))) {
    const pages = pagesOf((cursor) =>
      dataOf(
        keyService.GET('/api/v1/cellars/{cellar}/keys', {
          params: { path: { cellar }, query: { state: 'active', limit: PAGE_SIZE, ...cursor } },
        }),
      ),
    );
    for await (const { keys } of pages) {
      for (const key of keys) {
        const row = wanted.get(rowKey(key));
        if (row !== undefined && wanted.delete(rowKey(key))) taken.push(row);
      }
    }
  }
  const [first] = taken;
  if (first === undefined) return;
  const what = `${taken.length} names are used by active keys, such as “${first.name}” in line ${first.line}`;
  const advice =
    'To continue an earlier import, specify its --out. To create more keys with these names, specify --allow-same-names.';
  throw new Failure(EXIT.usage, `no key was created: ${what}. ${advice}`);
}
