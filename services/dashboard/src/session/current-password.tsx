import { PasswordInput } from '@mantine/core';

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
