import { TextInput } from '@mantine/core';

export interface NameFieldProps {
  description?: string;
  /** @default true */
  withAsterisk?: boolean;
  value: string;
  onChange: (name: string) => void;
}

/** The name of a key, a token, a rule or a destination: the first field of its dialog. */
export function NameField({ onChange, ...props }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      required
      data-autofocus
      autoComplete="off"
      maxLength={100}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
