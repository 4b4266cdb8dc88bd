/**
 * Builds the package in `dist`: JavaScript, because Node runs no TypeScript in node_modules.
 *
 * `node clients/node/build.ts && npm pack ./clients/node/dist`
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = import.meta.dirname;
const dist = join(folder, 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '--project', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });

const source = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
const { name, version, description, license, type, engines } = source;
const exports = { '.': { types: './index.d.ts', default: './index.js' } };
const published = { name, version, description, license, type, engines, exports };
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'));
copyFileSync(join(folder, '..', '..', 'LICENSE'), join(dist, 'LICENSE'));
