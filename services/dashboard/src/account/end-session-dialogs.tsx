import { Text } from '@mantine/core';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { OwnSession } from '../api/resources.ts';
import { ConfirmDialog } from '../display/confirm-dialog.tsx';
import { plural } from '../display/describe-number.ts';
import { Moment } from '../display/moment.tsx';
import { describeBrowser } from './describe-browser.ts';

interface EndProps {
  close: () => void;
  /** Closes too, and says what was done. */
  finish: (done: string) => void;
}

export function EndSessionDialog({ session, close, finish }: EndProps & { session: OwnSession }) {
  const { id, userAgent, address, lastUsedAt } = session;
  const browser = describeBrowser(userAgent);
  const end = async (): Promise<void> => {
    await answerOf(keyService.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } }));
    finish(`${browser} is signed out.`);
  };
  return (
    <ConfirmDialog
      title={`Sign out ${browser}?`}
      confirm="Sign out there"
      keep="Leave it"
      what="end the session"
      work={end}
      close={close}
    >
      <Text>
        From {address ?? 'an address that is not known'}, last used <Moment at={lastUsedAt} />. Whoever uses
        it has to sign in again. If that was not you, change your password too.
      </Text>
    </ConfirmDialog>
  );
}

export function EndOthersDialog({ close, finish }: EndProps) {
  const end = async (): Promise<void> => {
    const { ended } = await answerOf(keyService.DELETE('/api/v1/sessions'));
    finish(`${plural(ended, 'other session has', 'other sessions have')} ended.`);
  };
  return (
    <ConfirmDialog
      title="Sign out everywhere but here?"
      confirm="End all others"
      keep="Leave them"
      what="end the sessions"
      work={end}
      close={close}
    >
      <Text>Every other browser in which you are signed in has to sign in again.</Text>
    </ConfirmDialog>
  );
}
