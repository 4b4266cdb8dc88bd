import { Title, VisuallyHidden } from '@mantine/core';

/** The heading of a tab. The menu above shows the same word, so that this one is for screen readers only. */
export function PageHeading({ children }: { children: string }) {
  return (
    <VisuallyHidden>
      <Title order={2}>{children}</Title>
    </VisuallyHidden>
  );
}
