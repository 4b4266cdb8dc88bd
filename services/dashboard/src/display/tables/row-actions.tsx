import { Button, Menu } from '@mantine/core';

export interface RowAction {
  label: string;
  /** For screen readers. @default the label and the name of the row */
  name?: string;
  isDisabled?: boolean;
  run: () => void;
}

export interface RowActionsProps {
  /** The name of the row. */
  of: string;
  actions: readonly RowAction[];
  size?: 'xs' | 'compact-sm';
}

/** The actions of a row: the first one visible, the others in a menu. */
export function RowActions({ of, actions: [first, ...others], size = 'xs' }: RowActionsProps) {
  if (first === undefined) return null;
  return (
    <>
      <Button
        size={size}
        variant="default"
        aria-label={first.name ?? `${first.label} ${of}`}
        disabled={first.isDisabled === true}
        onClick={first.run}
      >
        {first.label}
      </Button>
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size={size} variant="subtle" aria-label={`More actions for ${of}`}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
