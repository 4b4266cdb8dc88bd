import { Text } from '@mantine/core';
import { api } from '../api/api.ts';
import type { OwnSession } from '../api/resources.ts';
import { ConfirmDialog } from '../display/dialogs/dialogs.tsx';
import { plural } from '../display/describe-number.ts';
import { Moment } from '../display/time/moment.tsx';
import { describeBrowser } from './describe-browser.ts';

interface EndProps {
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: string) => void;
}

export function EndSessionDialog({ session, close, finish }: EndProps & { session: OwnSession }) {
  const { id, userAgent, address, lastUsedAt } = session;
  const browser = describeBrowser(userAgent);
  const end = async (): Promise<void> => {
    await api.delete('/api/v1/sessions/{id}', { params: { path: { id } } });
    finish(`Ended the session in ${browser}.`);
  };
  return (
    <ConfirmDialog
      title={`Sign out ${browser}?`}
      submit="Sign out"
      what="sign out the session"
      work={end}
      close={close}
    >
      <Text>
        From {address ?? 'an unknown IP address'}, last used <Moment at={lastUsedAt} />. This browser will
        have to sign in again. If the session is not yours, change your password too.
      </Text>
    </ConfirmDialog>
  );
}

export function EndOthersDialog({ close, finish }: EndProps) {
  const end = async (): Promise<void> => {
    const { ended } = await api.delete('/api/v1/sessions');
    finish(`Signed out ${plural(ended, 'other session')}.`);
  };
  return (
    <ConfirmDialog
      title="Sign out other sessions?"
      submit="Sign out others"
      what="sign out the sessions"
      work={end}
      close={close}
    >
      <Text>All your other browsers will have to sign in again.</Text>
    </ConfirmDialog>
  );
}
