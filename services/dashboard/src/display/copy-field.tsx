import { Button, Code, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import classes from './copy-field.module.css';

export interface CopyFieldProps {
  label: string;
  text: string;
  /** Several lines, in a box that scrolls. */
  isBlock?: boolean;
}

type Outcome = 'none' | 'copied' | 'selected';

/** Monospace text with a copy button, which selects the text if the browser denies access to the clipboard. */
export function CopyField({ label, text, isBlock = false }: CopyFieldProps) {
  const [outcome, setOutcome] = useState<Outcome>('none');
  const field = useRef<HTMLElement>(null);
  const shown = outcome === 'copied' ? 'Copied' : 'Copy';

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      if (field.current !== null) window.getSelection()?.selectAllChildren(field.current);
      setOutcome('selected');
    }
  };

  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Group gap="xs">
          <Text span size="xs" c="dimmed" role="status">
            {outcome === 'copied' && <span className={classes.heard}>{label} copied</span>}
            {outcome === 'selected' && 'Selected. Press Ctrl+C or ⌘C to copy.'}
          </Text>
          <Button
            size="xs"
            variant={isBlock ? 'default' : 'filled'}
            aria-label={`${shown} ${label}`}
            onClick={() => void copy()}
            onBlur={() => setOutcome('none')}
          >
            {shown}
          </Button>
        </Group>
      </Group>
      <Code
        block
        ref={field}
        className={isBlock ? classes.block : classes.line}
        tabIndex={0}
        aria-label={label}
      >
        {text}
      </Code>
    </div>
  );
}
