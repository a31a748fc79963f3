import { getMerchant } from '@florin/contract';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../../../call/use-operation.ts';
import { FailureNotice } from '../../../../parts/failure-notice.tsx';
import { PageTitle } from '../../../../parts/page-title.tsx';
import { EnvironmentChoice } from '../../environment-choice.tsx';
import { FindPayment } from '../../payments/find-payment.tsx';
import { MerchantBalances } from './merchant-balances.tsx';
import { MerchantFacts } from './merchant-facts.tsx';
import { MerchantSecrets } from './merchant-secrets.tsx';
import { MerchantStores } from './merchant-stores.tsx';
import { MerchantSuspension } from './merchant-suspension.tsx';
import { MerchantSwitches } from './merchant-switches.tsx';
import { PayoutSettings } from './payout-settings.tsx';

/** A merchant in one environment: what it may do, where its money goes, who calls for it. */
export const MerchantPage = (): ReactNode => {
  const { merchantId } = useParams({ from: '/operator/merchants/$merchantId' });
  const { environment = 'sandbox' } = useSearch({ from: '/operator/merchants/$merchantId' });
  const navigate = useNavigate();
  const read = useOperation(getMerchant, { params: { merchantId } });
  const { data: merchant } = read;
  if (read.error && !merchant)
    return <FailureNotice failure={read.error} onRetry={() => void read.refetch()} />;
  if (!merchant) return null;
  const of = { merchantId, environment, businessName: merchant.businessName };
  return (
    <>
      <PageTitle
        title={merchant.businessName}
        above={<Link to="/operator/merchants">Merchants</Link>}
      >
        <EnvironmentChoice
          environment={environment}
          onChoose={(next) => void navigate({ to: '.', search: { environment: next } })}
        />
      </PageTitle>
      <MerchantSuspension of={of} suspensions={merchant.suspensions} />
      <MerchantSwitches of={of} switches={merchant.switches} />
      <MerchantBalances of={of} />
      <PayoutSettings of={of} />
      <MerchantStores of={of} />
      <MerchantSecrets of={of} />
      <FindPayment of={of} />
      <MerchantFacts merchant={merchant} />
    </>
  );
};
