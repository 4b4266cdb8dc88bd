import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Says what a press leads to. */
export function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`Use ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      {other === 'dark' ? 'Dark' : 'Light'}
    </Button>
  );
}
