import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate, CertificateFiles } from '../src/index.ts';

/** A directory like that of a mounted Secret: each file is a symbolic link, and all of them change atomically. */
export interface MountedSecret extends CertificateFiles {
  readonly directory: string;
  readonly authoritiesFile: string;
  write(files: { certificate?: Certificate; authorities?: string }): Promise<void>;
  remove(): Promise<void>;
}

export async function mountSecret(): Promise<MountedSecret> {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-secret-'));
  let version = 0;
  for (const name of ['tls.crt', 'tls.key', 'ca.crt']) await symlink(`..data/${name}`, join(directory, name));
  return {
    directory,
    certFile: join(directory, 'tls.crt'),
    keyFile: join(directory, 'tls.key'),
    authoritiesFile: join(directory, 'ca.crt'),
    async write({ certificate, authorities }) {
      const fresh = `..${(version += 1)}`;
      await mkdir(join(directory, fresh));
      const texts = { 'tls.crt': certificate?.cert, 'tls.key': certificate?.key, 'ca.crt': authorities };
      for (const [name, text] of Object.entries(texts)) {
        if (text !== undefined) await writeFile(join(directory, fresh, name), text, { mode: 0o600 });
      }
      await symlink(fresh, join(directory, '..new'));
      await rename(join(directory, '..new'), join(directory, '..data'));
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
