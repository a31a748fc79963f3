import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { addressOfPage, lastTenant, type Tenant } from '../call/tenant.ts';
import { type Me, useMe } from '../call/use-operation.ts';
import { NotYet } from '../parts/failure-notice.tsx';
import { EmptyState } from '../parts/layout.tsx';
import { navigation } from '../shell/navigation.ts';
import { PersonShell } from '../shell/shell-frame.tsx';

/** Leads to the business that was last in view, else to the first. */
export const StartPage = (): ReactNode => {
  const read = useMe();
  const { data: me } = read;
  const start = me ? firstPage(me) : null;
  const router = useRouter();
  // Once: a redirect in each render would start again while the page is still being fetched.
  useEffect(() => {
    if (start) void router.navigate({ to: start, replace: true });
  }, [start, router]);
  if (start) return null;
  return (
    <PersonShell>
      {!me && <NotYet of={read} />}
      {me && (
        <EmptyState title="You are not in a business yet" icon="customers">
          Ask an owner to invite you by email. The invitation brings you back here.
        </EmptyState>
      )}
    </PersonShell>
  );
};

const firstPage = ({ memberships, isOperator }: Me): string | null => {
  const known = lastTenant.read();
  const last = memberships.find(
    ({ merchantId, environments }) =>
      merchantId === known?.merchantId && environments.includes(known.environment),
  );
  const chosen = last ?? memberships[0];
  if (!chosen) return isOperator ? '/operator/merchants' : null;
  const environment = (last ? known?.environment : chosen.environments[0]) ?? 'sandbox';
  const tenant: Tenant = { merchantId: chosen.merchantId, environment };
  const item = navigation
    .flatMap(({ items }) => items)
    .find(({ permission }) => chosen.permissions.includes(permission));
  return item ? addressOfPage(tenant, item.path) : null;
};
