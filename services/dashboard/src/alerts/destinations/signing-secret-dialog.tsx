import { CopyField } from '../../display/copy-field.tsx';
import { ShownOnceDialog } from '../../display/dialogs/dialogs.tsx';

/** Shows the signing secret of a webhook once. */
export function SigningSecretDialog(props: { name: string; secret: string; close: () => void }) {
  const { name, secret, close } = props;
  return (
    <ShownOnceDialog
      title={`Signing secret of “${name}”`}
      warning="You won't see this secret again"
      advice="Use it to verify that notifications come from Cellarman, with any library for Standard Webhooks. Chat services do not need it."
      done="I have stored it"
      close={close}
    >
      <CopyField label="Signing secret" text={secret} />
    </ShownOnceDialog>
  );
}
