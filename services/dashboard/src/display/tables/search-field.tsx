import { TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';

export interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** From the URL. */
  value: string | undefined;
  /** Undefined: no search. */
  onSearch: (text: string | undefined) => void;
  maxLength: number;
}

/** Filters a list while typing. `/` focuses it. */
export function SearchField({ label, placeholder, value, onSearch, maxLength }: SearchFieldProps) {
  const [typed, setTyped] = useState(value ?? '');
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => field.current?.focus()]]);
  const searchFor = useDebouncedCallback((text: string) => onSearch(text === '' ? undefined : text), 200);
  return (
    <TextInput
      ref={field}
      aria-label={label}
      placeholder={`${placeholder}  ( / )`}
      type="search"
      maxLength={maxLength}
      w={{ base: '100%', xs: 280 }}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        searchFor(event.currentTarget.value);
      }}
    />
  );
}
