/* eslint-disable no-console -- the result goes to the terminal */
/** `pnpm --filter @cellarman/dashboard generate`: writes the types of the client from the OpenAPI documents. */
import { writeFile } from 'node:fs/promises';
import { API_TYPES, apiTypes } from './api-types.ts';

for (const { file, document } of API_TYPES) {
  await writeFile(file, await apiTypes(document));
  console.log(file.pathname);
}
