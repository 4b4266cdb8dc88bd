import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { API_TYPES, apiTypes } from '../build/api-types.ts';

describe('the types of the client', () => {
  it.each(API_TYPES)(
    '$file.pathname is what its OpenAPI document says; else run: npx -y pnpm@12 generate',
    async ({ file, document }) => {
      expect(await readFile(file, 'utf8')).toBe(await apiTypes(document));
    },
  );
});
