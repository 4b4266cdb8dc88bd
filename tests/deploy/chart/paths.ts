import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const CHART = join(ROOT, 'deploy', 'helm', 'cellarman');
export const MANIFESTS = join(ROOT, 'deploy', 'manifests');
