import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useTenant } from '../../../call/use-operation.ts';
import { PageTitle } from '../../../parts/page-title.tsx';
import { DeliveryTable } from './delivery-table.tsx';

/** What was sent to every endpoint. */
export const DeliveriesPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/developers/deliveries' });
  return (
    <>
      <PageTitle
        title="Deliveries"
        says={
          <>
            What was sent to your endpoints, and what they answered.{' '}
            {tenant && <Link to={addressOfPage(tenant, 'developers/webhooks')}>Endpoints</Link>}
          </>
        }
      />
      <DeliveryTable filters={filters} />
    </>
  );
};
