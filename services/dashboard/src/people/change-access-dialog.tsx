import { useState } from 'react';
import { api } from '../api/api.ts';
import { AccessFields } from '../access/access-fields.tsx';
import { accessChoiceOf, chosenAccess } from '../access/access-choice.ts';
import { describeCellars } from '../access/describe-access.ts';
import type { Person } from '../api/resources.ts';
import { FormDialog } from '../display/dialogs/form-dialog.tsx';

export interface PersonDialogProps {
  person: Person;
  close: () => void;
  /** Closes the dialog and shows a notice. */
  finish: (done: string) => void;
}

export function ChangeAccessDialog({ person, close, finish }: PersonDialogProps) {
  const { id, email } = person;
  const [access, setAccess] = useState(() => accessChoiceOf(person));

  const change = async (): Promise<void> => {
    const changed = await api.patch('/api/v1/users/{id}', {
      params: { path: { id } },
      body: chosenAccess(access),
    });
    finish(
      changed.role === 'owner'
        ? `${email} is now an owner.`
        : `${email} is now a ${changed.role}. Cellars: ${describeCellars(changed)}.`,
    );
  };

  return (
    <FormDialog
      title={`Access of ${email}`}
      submit="Save"
      what="change the access"
      work={change}
      close={close}
    >
      <AccessFields owner="full access" value={access} onChange={setAccess} />
    </FormDialog>
  );
}
