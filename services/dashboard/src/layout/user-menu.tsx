import { Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { MenuItemProps } from '@mantine/core';
import {
  IconChevronDown,
  IconHeartbeat,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconRobot,
  IconSun,
  IconUser,
  IconUsers,
  ICON,
} from '../display/theme/icons.ts';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { useOwner } from '../session/roles.tsx';
import classes from './app-frame.module.css';

type MenuLinkProps = MenuItemProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof MenuItemProps> & { ref?: Ref<HTMLAnchorElement> };

const MenuLink = createLink((props: MenuLinkProps) => <Menu.Item component="a" {...props} />);

export interface UserMenuProps {
  email: string;
  showShortcuts: () => void;
  signOut: () => void;
}

/** Pages that do not belong to a cellar, and the way out. */
export function UserMenu({ email, showShortcuts, signOut }: UserMenuProps) {
  const isOwner = useOwner();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-md"
          variant="subtle"
          color="gray"
          className={classes.account}
          aria-label={`Account menu of ${email}`}
          rightSection={<IconChevronDown {...ICON} />}
        >
          <Text span inherit truncate visibleFrom="sm" className={classes.email}>
            {email}
          </Text>
          <Text span inherit hiddenFrom="sm" lh={0}>
            <IconUser {...ICON} />
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label hiddenFrom="sm">{email}</Menu.Label>
        <MenuLink to="/account" leftSection={<IconUser {...ICON} />}>
          Your account
        </MenuLink>
        {isOwner && (
          <>
            <MenuLink to="/pipeline" leftSection={<IconHeartbeat {...ICON} />}>
              Pipeline
            </MenuLink>
            <MenuLink to="/people" leftSection={<IconUsers {...ICON} />}>
              Users
            </MenuLink>
            <MenuLink to="/tokens" leftSection={<IconRobot {...ICON} />}>
              Service tokens
            </MenuLink>
            <MenuLink to="/audit" leftSection={<IconHistory {...ICON} />}>
              Audit log
            </MenuLink>
          </>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={other === 'dark' ? <IconMoon {...ICON} /> : <IconSun {...ICON} />}
          onClick={() => setColorScheme(other)}
        >
          {other === 'dark' ? 'Dark' : 'Light'} theme
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard {...ICON} />} onClick={showShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...ICON} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
