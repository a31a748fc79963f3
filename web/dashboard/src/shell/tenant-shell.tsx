import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../call/use-operation.ts';
import { MenuPanel } from './menu-panel.tsx';
import { ShellFrame } from './shell-frame.tsx';

/** The frame of every page of a merchant. */
export const TenantShell = (): ReactNode => {
  const tenant = useTenant();
  if (!tenant) return null;
  return (
    <ShellFrame
      environment={tenant.environment}
      menu={(close) => <MenuPanel tenant={tenant} onFollow={close} />}
    >
      <Outlet />
    </ShellFrame>
  );
};
