import type { ServiceToken } from '../api/resources.ts';
import { CopyField } from '../display/copy-field.tsx';
import { ShownOnceDialog } from '../display/dialogs/shown-once-dialog.tsx';

export interface NewToken {
  token: ServiceToken;
  secret: string;
}

/** Shows a service token once, with an example. */
export function TokenSecretDialog({
  created: { token, secret },
  close,
}: {
  created: NewToken;
  close: () => void;
}) {
  return (
    <ShownOnceDialog
      title={`Your new token “${token.name}”`}
      warning="You won't see this token again"
      advice="Copy it now and store it where your script can read it. Cellarman keeps only a hash. Anyone who has it can create and revoke API keys."
      done="I have stored it"
      close={close}
    >
      <CopyField label="Service token" text={secret} />
      <CopyField
        label="List the cellars with curl"
        text={`curl '${window.location.origin}/api/v1/cellars' \\\n  -H 'Authorization: Bearer ${secret}'`}
        isBlock
      />
    </ShownOnceDialog>
  );
}
