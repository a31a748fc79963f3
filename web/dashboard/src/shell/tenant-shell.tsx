import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useMe, useMembership } from '../call/use-me.ts';
import { useTenant } from '../call/use-operation.ts';
import { MissingPage } from '../pages/missing-page.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { lastTenant } from './last-tenant.ts';
import { MenuPanel } from './menu-panel.tsx';
import { ProveAddress } from './prove-address.tsx';
import { ShellFrame } from './shell-frame.tsx';
import { SuspendedNotice } from './suspended-notice.tsx';

/** The frame of every page of a merchant, for its members. */
export const TenantShell = (): ReactNode => {
  const tenant = useTenant();
  const membership = useMembership();
  const { data: me, error, refetch } = useMe();
  const isMember = membership !== null && tenant !== null;
  useEffect(() => {
    if (isMember) lastTenant.write(tenant);
  }, [isMember, tenant]);
  if (!tenant) return null;
  if (error && !me && !error.isSignedOut)
    return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!me) return null;
  if (!membership?.environments.includes(tenant.environment)) return <MissingPage />;
  const suspension = membership.suspensions.find(
    ({ environment }) => environment === tenant.environment,
  );
  return (
    <ShellFrame
      environment={tenant.environment}
      menu={(close) => (
        <MenuPanel tenant={tenant} me={me} membership={membership} onFollow={close} />
      )}
    >
      <ProveAddress me={me} />
      {suspension && (
        <SuspendedNotice
          suspension={suspension}
          businessName={membership.businessName}
          operatorName={me.operatorName}
        />
      )}
      <Outlet />
    </ShellFrame>
  );
};
