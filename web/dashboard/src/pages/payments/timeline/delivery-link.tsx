import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useMay } from '../../../call/use-me.ts';
import { useTenant } from '../../../call/use-operation.ts';

/** From a delivery to the log of its endpoint, with the permission to read it. */
export const DeliveryLink = ({ endpointId }: { readonly endpointId: string }): ReactNode => {
  const tenant = useTenant();
  const mayRead = useMay('webhooks.read');
  if (!tenant || !mayRead) return null;
  return (
    <Link to={addressOfPage(tenant, 'developers/deliveries')} search={{ endpointId } as never}>
      Delivery log
    </Link>
  );
};
