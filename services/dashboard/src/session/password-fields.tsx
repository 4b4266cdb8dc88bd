import { TextInput, PasswordInput } from '@mantine/core';

export interface EmailFieldProps {
  value: string;
  onChange: (email: string) => void;
  hasFocus?: boolean;
}

/** The user's own email address, which the browser saves with the password. */
export function EmailField({ value, onChange, hasFocus = false }: EmailFieldProps) {
  return (
    <TextInput
      label="Email"
      type="email"
      name="email"
      autoComplete="username"
      required
      withAsterisk={false}
      autoFocus={hasFocus}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export interface CurrentPasswordProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
}

/** The current password, hidden by default. */
export function CurrentPassword({ label, value, onChange }: CurrentPasswordProps) {
  return (
    <PasswordInput
      label={label}
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The service also rejects common passwords. */
const PASSWORD_LENGTH = { minimum: 12, maximum: 1024 } as const;

export interface NewPasswordProps {
  label?: string;
  value: string;
  onChange: (password: string) => void;
}

export function NewPassword({ label = 'Password', value, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description={`At least ${PASSWORD_LENGTH.minimum} characters; four or five words work well.`}
      name="new-password"
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={PASSWORD_LENGTH.minimum}
      maxLength={PASSWORD_LENGTH.maximum}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
