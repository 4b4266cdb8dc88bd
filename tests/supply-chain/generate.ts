/** A part of `pnpm generate`: docs/licences.md. */
import { writeFile } from 'node:fs/promises';
import { shippedPackages } from './installed-packages.ts';
import { LICENCES_PAGE, licencesPage } from './licences-page.ts';

await writeFile(LICENCES_PAGE, await licencesPage(await shippedPackages()));
