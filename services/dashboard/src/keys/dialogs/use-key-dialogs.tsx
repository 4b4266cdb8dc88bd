import { lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import type { Key } from '../../api/resources.ts';
import { useNotice } from '../../display/use-notice.tsx';
import { KEY_TOPICS } from '../key-queries.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import type { NewSecret } from './secret-dialog.tsx';

/** With a parser of CSV, which nobody else needs. */
const ImportDialog = lazy(() => import('../import/import-dialog.tsx'));

/** The open dialog. A secret is only kept here, until its dialog closes. */
type KeyDialog =
  | { dialog: 'create' | 'import' }
  | { dialog: 'revoke' | 'rotate' | 'edit'; key: Key }
  | { dialog: 'secret'; secret: NewSecret };

export interface KeyDialogs {
  open: (dialog: KeyDialog) => void;
  /** Shows a notice, and loads again what shows keys. */
  finish: (done: ReactNode) => void;
  /** What was done last. */
  notice: ReactNode;
  /** The open dialog. */
  dialog: ReactNode;
}

/** The dialogs that create and change API keys. Lists that show keys are loaded again afterwards. */
export function useKeyDialogs(cellar: string): KeyDialogs {
  const { notice, finish } = useNotice(...KEY_TOPICS);
  const [open, setOpen] = useState<KeyDialog>();
  const close = (): void => setOpen(undefined);
  const closeAndFinish = (done: ReactNode): void => {
    close();
    finish(done);
  };
  const showSecret = (secret: NewSecret): void => {
    setOpen({ dialog: 'secret', secret });
    finish();
  };
  return {
    open: setOpen,
    finish: closeAndFinish,
    notice,
    dialog: (
      <>
        {open?.dialog === 'create' && (
          <CreateKeyDialog cellar={cellar} close={close} showSecret={showSecret} />
        )}
        {open?.dialog === 'import' && (
          <Suspense>
            <ImportDialog cellar={cellar} close={close} refresh={finish} />
          </Suspense>
        )}
        {open?.dialog === 'revoke' && (
          <RevokeDialog apiKey={open.key} close={close} finish={closeAndFinish} />
        )}
        {open?.dialog === 'rotate' && (
          <RotateDialog apiKey={open.key} close={close} showSecret={showSecret} />
        )}
        {open?.dialog === 'edit' && <EditKeyDialog apiKey={open.key} close={close} finish={closeAndFinish} />}
        {open?.dialog === 'secret' && <SecretDialog secret={open.secret} close={close} />}
      </>
    ),
  };
}
