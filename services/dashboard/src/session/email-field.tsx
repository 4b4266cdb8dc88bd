import { TextInput } from '@mantine/core';

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
