import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useMay } from '../../../call/use-me.ts';
import { useTenant } from '../../../call/use-operation.ts';

type DeliveryLinkProps = { readonly paymentRequestId: string };

/** From a delivery to the log of all of this payment, with the permission to read it. */
export const DeliveryLink = ({ paymentRequestId }: DeliveryLinkProps): ReactNode => {
  const tenant = useTenant();
  const mayRead = useMay('webhooks.read');
  if (!tenant || !mayRead) return null;
  return (
    <Link
      to={addressOfPage(tenant, 'developers/deliveries')}
      search={{ of: paymentRequestId } as never}
    >
      Delivery log
    </Link>
  );
};
