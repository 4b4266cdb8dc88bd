import { Button, Menu, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { useOwner } from '../session/use-owner.ts';
import classes from './app-frame.module.css';

type MenuLinkProps = MenuItemProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof MenuItemProps> & { ref?: Ref<HTMLAnchorElement> };

const MenuLink = createLink((props: MenuLinkProps) => <Menu.Item component="a" {...props} />);

/** Pages that do not belong to a cellar. */
export function UserMenu({ email }: { email: string }) {
  const isOwner = useOwner();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<span aria-hidden>▾</span>}>
          <Text span inherit truncate visibleFrom="sm" className={classes.email}>
            {email}
          </Text>
          <Text span inherit hiddenFrom="sm">
            Menu
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuLink to="/account">Your account</MenuLink>
        {isOwner && (
          <>
            <MenuLink to="/pipeline">Pipeline</MenuLink>
            <MenuLink to="/people">Users</MenuLink>
            <MenuLink to="/tokens">Service tokens</MenuLink>
          </>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => setColorScheme(other)}>
          {other === 'dark' ? 'Dark' : 'Light'} theme
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
