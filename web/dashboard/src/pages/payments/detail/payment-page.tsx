import { getPaymentStatus } from '@florin/contract';
import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useOperation, useTenant } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { RawJson } from '../../../parts/raw-json.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { writeCurl } from '../../../parts/write-curl.ts';
import { writePounds } from '../../../parts/write-pounds.ts';
import { RefundApprovals } from '../../refunds/refund-approvals.tsx';
import { PaymentActs } from './payment-acts.tsx';
import { PaymentAttempts } from './payment-attempts.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { PaymentRefunds } from './payment-refunds.tsx';
import { readPaymentTab } from './read-payment-tab.ts';

const PaymentTimeline = lazy(async () => ({
  default: (await import('../timeline/payment-timeline.tsx')).PaymentTimeline,
}));

const openStates: readonly string[] = [
  'PAYMENT_NOT_INITIATED',
  'AWAITING_AUTHORIZATION',
  'PENDING',
  'AUTHORIZED',
];
const route = '/$merchantId/$environment/payments/$paymentRequestId';
const lookEveryMs = 5_000;

/** One payment: what happened, what is left to do, and the same as the API answers it. */
export const PaymentPage = (): ReactNode => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const { tab = 'overview' } = useSearch({ from: route });
  const { paymentRequestId } = useParams({ from: route });
  const read = useOperation(
    getPaymentStatus,
    { params: { id: paymentRequestId }, query: { env: tenant?.environment } },
    { refetchEveryMs: lookEveryMs },
  );
  const { data: payment } = read;
  // The status of a request without an attempt has no amount: the time line knows what was requested.
  const hasNoAmount = payment?.paidAmount === 0;
  const timeline = useOperation(
    getPaymentTimeline,
    { params: { paymentRequestId } },
    { enabled: hasNoAmount },
  );
  if (read.error && !payment)
    return <FailureNotice failure={read.error} onRetry={() => void read.refetch()} />;
  if (hasNoAmount && timeline.error && !timeline.data)
    return <FailureNotice failure={timeline.error} onRetry={() => void timeline.refetch()} />;
  if (!payment || !tenant || (hasNoAmount && !timeline.data)) return null;
  const amount = payment.paidAmount || (timeline.data?.amount ?? 0);
  const isOpen = openStates.includes(payment.status);
  const path = `/api/payments/v1/payment-status/${paymentRequestId}?env=${tenant.environment}`;
  return (
    <>
      <PageTitle
        title={writePounds(amount)}
        above={<Link to={addressOfPage(tenant, 'payments')}>Payments</Link>}
        says={
          <>
            <StatusBadge status={payment.status} /> Order {payment.orderId}
          </>
        }
      >
        <PaymentActs payment={payment} amount={amount} isOpen={isOpen} />
      </PageTitle>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ to: '.', search: readPaymentTab({ tab: next }) })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="timeline">Time line</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <PaymentFacts payment={payment} amount={amount} />
          <PaymentAttempts payment={payment} />
          <RefundApprovals of={{ paymentRequestId }} />
          <PaymentRefunds paymentRequestId={paymentRequestId} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Suspense>
            <PaymentTimeline paymentRequestId={paymentRequestId} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <RawJson value={payment} curl={writeCurl(path)} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
