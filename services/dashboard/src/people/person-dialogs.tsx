import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { AccessFields } from '../access/access-fields.tsx';
import { accessChoiceOf, chosenAccess } from '../access/access-choice.ts';
import { describeCellars } from '../access/describe-access.ts';
import { api } from '../api/api.ts';
import type { Person } from '../api/resources.ts';
import { ConfirmDialog, FormDialog } from '../display/dialogs/dialogs.tsx';

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

/** Disables a user, or enables them again. */
export function DisableDialog({ person: { id, email, disabledAt }, close, finish }: PersonDialogProps) {
  const isDisabled = disabledAt === null;
  const [withCreated, setWithCreated] = useState(false);
  const change = async (): Promise<void> => {
    await api.patch('/api/v1/users/{id}', {
      params: { path: { id } },
      body: { isDisabled, ...(isDisabled && withCreated ? { revokeCreated: true } : {}) },
    });
    finish(
      !isDisabled
        ? `${email} can sign in again.`
        : withCreated
          ? `${email} is disabled and signed out. Their tokens and keys are revoked.`
          : `${email} is disabled and signed out.`,
    );
  };

  return isDisabled ? (
    <ConfirmDialog
      title={`Disable ${email}?`}
      submit="Disable"
      what="disable the user"
      work={change}
      close={close}
    >
      <Text>
        They are signed out everywhere and can't sign in until you enable them again. API keys and service
        tokens they created keep working unless you revoke them.
      </Text>
      <Checkbox
        label="Revoke the tokens and keys they created"
        description="Includes keys created by their tokens. Devices and scripts that use them are rejected. This can't be undone."
        checked={withCreated}
        onChange={(event) => setWithCreated(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      title={`Enable ${email}?`}
      submit="Enable"
      what="enable the user"
      work={change}
      close={close}
      isHarmful={false}
    >
      <Text>They can sign in again with their previous password and access.</Text>
    </ConfirmDialog>
  );
}
