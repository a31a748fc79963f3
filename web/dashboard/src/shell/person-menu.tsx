import { signOut as operation } from '@florin/contract/dashboard/index.ts';
import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../call/call-operation.ts';
import type { Me } from '../call/use-me.ts';
import { Icon } from '../design/icon.tsx';
import classes from './person-menu.module.css';

const schemes = [
  { id: 'auto', title: 'Colours of the system' },
  { id: 'light', title: 'Light' },
  { id: 'dark', title: 'Dark' },
] as const;

/** The person at the foot of the menu: sign-in, light or dark, sign out. */
export const PersonMenu = ({ me }: { readonly me: Me }): ReactNode => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await signOut();
    client.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="top-start" width={230}>
      <Menu.Target>
        <UnstyledButton className={classes.person ?? ''}>
          <Icon name="account" />
          <span>{me.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to: '/account' as string })}>
          Your sign-in
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ id, title }) => (
          <Menu.Item
            key={id}
            role="menuitemradio"
            aria-checked={colorScheme === id}
            leftSection={<Icon name={colorScheme === id ? 'check' : 'sun'} size={16} />}
            onClick={() => setColorScheme(id)}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Ends the session. Where the server is out of reach the page still shows nothing more. */
const signOut = async (): Promise<void> => {
  await callOperation(operation, {}, { tenant: null }).catch(() => undefined);
};
