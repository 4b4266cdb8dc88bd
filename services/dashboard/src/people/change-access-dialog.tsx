import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { accessChoiceOf, chosenAccess } from '../access/access-choice.ts';
import { describeCellars } from '../access/describe-access.ts';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { Person } from '../api/resources.ts';
import { FormDialog } from '../display/form-dialog.tsx';

export interface PersonDialogProps {
  person: Person;
  close: () => void;
  /** Closes too, and says what was done. */
  finish: (done: string) => void;
}

export function ChangeAccessDialog({ person, close, finish }: PersonDialogProps) {
  const { id, email } = person;
  const [access, setAccess] = useState(() => accessChoiceOf(person));

  const change = async (): Promise<void> => {
    const changed = await answerOf(
      keyService.PATCH('/api/v1/administrators/{id}', {
        params: { path: { id } },
        body: chosenAccess(access),
      }),
    );
    finish(
      changed.role === 'owner'
        ? `${email} is an owner now.`
        : `${email} is a member now. Cellars: ${describeCellars(changed)}.`,
    );
  };

  return (
    <FormDialog title={`What ${email} may do`} submit="Change" what="change it" work={change} close={close}>
      <AccessFields owner="everything, also people" value={access} onChange={setAccess} />
    </FormDialog>
  );
}
