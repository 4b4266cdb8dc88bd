import { PasswordInput } from '@mantine/core';

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
