import { Anchor, TextInput } from '@mantine/core';
import { isCellarName, suggestName } from './suggest-name.ts';

export interface CellarNameFieldProps {
  value: string;
  onChange: (name: string) => void;
}

/** The name of a new cellar, with a valid one in place of "Harbour Brewery". */
export function CellarNameField({ value, onChange }: CellarNameFieldProps) {
  const isInvalid = value !== '' && !isCellarName(value);
  const suggestion = suggestName(value);
  return (
    <TextInput
      label="Name"
      description="Part of every reading; can't be changed later. Letters, digits, dots, underscores and hyphens."
      required
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      maxLength={64}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={
        isInvalid && (
          <>
            This name has other characters.{' '}
            {suggestion !== '' && (
              <Anchor component="button" type="button" inherit onClick={() => onChange(suggestion)}>
                Use {suggestion}
              </Anchor>
            )}
          </>
        )
      }
    />
  );
}
