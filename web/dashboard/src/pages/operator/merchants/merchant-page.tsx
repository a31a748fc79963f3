import { getMerchant } from '@florin/contract';
import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Environment } from '../../../call/tenant.ts';
import { useOperation } from '../../../call/use-operation.ts';
import { NotYet } from '../../../parts/failure-notice.tsx';
import { PageTitle } from '../../../parts/layout.tsx';
import { inEnvironment, useFilters } from '../../../parts/use-filters.tsx';
import { MerchantSuspension, MerchantSwitches } from './merchant-status.tsx';

/** The merchant in view, in the environment in view. */
export type Operated = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly businessName: string;
};

// At the foot of the page, which would else be over its weight.
const MerchantBalances = lazy(async () => ({
  default: (await import('./merchant-payouts.tsx')).MerchantBalances,
}));
const PayoutSettings = lazy(async () => ({
  default: (await import('./merchant-payouts.tsx')).PayoutSettings,
}));
const MerchantStores = lazy(async () => ({
  default: (await import('./merchant-stores.tsx')).MerchantStores,
}));
const MerchantSecrets = lazy(async () => ({
  default: (await import('./merchant-secrets.tsx')).MerchantSecrets,
}));
const MerchantFacts = lazy(async () => ({
  default: (await import('./merchant-facts.tsx')).MerchantFacts,
}));

/** A merchant in one environment: what it may do, where its money goes, who calls for it. */
export const MerchantPage = (): ReactNode => {
  const { merchantId } = useParams({ from: '/operator/merchants/$merchantId' });
  const { filters, toolbar } = useFilters(inEnvironment);
  const { environment = 'sandbox' } = filters;
  const read = useOperation(getMerchant, { params: { merchantId } });
  const { data: merchant } = read;
  if (!merchant) return <NotYet of={read} />;
  const of = { merchantId, environment, businessName: merchant.businessName };
  return (
    <>
      <PageTitle
        title={merchant.businessName}
        above={<Link to="/operator/merchants">Merchants</Link>}
      >
        {toolbar}
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/operator/payments"
              search={{ merchant: merchantId, environment }}
              {...props}
            />
          )}
        >
          Payments
        </Button>
      </PageTitle>
      <MerchantSuspension of={of} suspensions={merchant.suspensions} />
      <MerchantSwitches of={of} switches={merchant.switches} />
      <Suspense fallback={null}>
        <MerchantBalances of={of} />
        <PayoutSettings of={of} />
        <MerchantStores of={of} />
        <MerchantSecrets of={of} />
        <MerchantFacts merchant={merchant} />
      </Suspense>
    </>
  );
};
