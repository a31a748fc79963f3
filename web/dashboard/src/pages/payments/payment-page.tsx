import { getPaymentStatus, type ReplyOf } from '@florin/contract';
import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useAddress, useMay, useOperation, useTenant } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { choicesOf } from '../../parts/filters.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { paymentStatusOf, StatusBadge } from '../../parts/status-badge.tsx';
import { useStoreName } from '../../parts/store-name.ts';
import { CopyText, DateText, MoneyText } from '../../parts/texts.tsx';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import { saidOf } from './bank-words.ts';
import { PaymentActs } from './payment-acts.tsx';
import { PaymentItems } from './payment-items.tsx';
import { PaymentMoney } from './payment-money.tsx';
import classes from './payment-page.module.css';

const PaymentTimeline = lazy(async () => ({
  default: (await import('./payment-timeline.tsx')).PaymentTimeline,
}));

// Few payments have one.
const PaymentDisputes = lazy(async () => ({
  default: (await import('./payment-disputes.tsx')).PaymentDisputes,
}));

// Below what is read first, and with dialogs: no part of the first load.
const PaymentRefunds = lazy(async () => ({
  default: (await import('./payment-refunds.tsx')).PaymentRefunds,
}));
const PaymentJson = lazy(async () => ({
  default: (await import('./payment-json.tsx')).PaymentJson,
}));
const RefundApprovals = lazy(async () => ({
  default: (await import('./refund-approvals.tsx')).RefundApprovals,
}));

const openStates: readonly string[] = [
  'PAYMENT_NOT_INITIATED',
  'AWAITING_AUTHORIZATION',
  'PENDING',
  'AUTHORIZED',
];
const tabWords = { overview: 'Overview', timeline: 'Timeline', json: 'JSON' } as const;

const filters = { tab: inAddress.choice(tabWords) };

const route = '/$merchantId/$environment/payments/$paymentRequestId';
const lookEveryMs = 5_000;

/** One payment: what happened, what is left to do, and the same as the API answers it. */
export const PaymentPage = (): ReactNode => {
  const tenant = useTenant();
  const address = useAddress();
  const { filters: chosen, change } = useFilters(filters);
  const { tab = 'overview' } = chosen;
  const { paymentRequestId } = useParams({ from: route });
  const read = useOperation(
    getPaymentStatus,
    { params: { id: paymentRequestId }, query: { env: tenant?.environment } },
    { refetchEveryMs: lookEveryMs },
  );
  const { data: payment } = read;
  const timeline = useOperation(
    getPaymentTimeline,
    { params: { paymentRequestId } },
    { refetchEveryMs: lookEveryMs },
  );
  if (!payment || !tenant) return <NotYet of={read} />;
  // The status of a request without an attempt has no amount: the time line knows what was requested.
  if (payment.paidAmount === 0 && !timeline.data) return <NotYet of={timeline} />;
  const amount = payment.paidAmount || (timeline.data?.amount ?? 0);
  const disputes = timeline.data?.disputes ?? [];
  const isOpen = openStates.includes(payment.status);
  const refunded = payment.transactionDetails.reduce(
    (sum, each) => sum + each.totalRefundAmount,
    0,
  );
  return (
    <>
      <PageTitle
        title={writePounds(amount)}
        above={<Link to={address('payments')}>Payments</Link>}
        badges={<StatusBadge status={shownStatus(payment.status, amount, refunded, disputes)} />}
        says={<Said of={payment} customerId={timeline.data?.savedCustomerId ?? null} />}
      >
        <PaymentActs payment={payment} amount={amount} isOpen={isOpen} disputes={disputes} />
      </PageTitle>
      <WhyNot of={payment} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => change({ tab: choicesOf(tabWords).find((each) => each === next) })}
      >
        <Tabs.List mb="md">
          {choicesOf(tabWords).map((each) => (
            <Tabs.Tab key={each} value={each}>
              {tabWords[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          {disputes.length > 0 && (
            <Suspense>
              <PaymentDisputes of={disputes} paymentRequestId={paymentRequestId} />
            </Suspense>
          )}
          <PaymentMoney paymentRequestId={paymentRequestId} />
          <PaymentFacts payment={payment} />
          <PaymentItems payment={payment} />
          <PaymentAttempts payment={payment} />
          <Suspense>
            <RefundApprovals of={{ paymentRequestId }} />
            <PaymentRefunds of={payment} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <Suspense>
            <PaymentTimeline paymentRequestId={paymentRequestId} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <Suspense>
            <PaymentJson payment={payment} environment={tenant.environment} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

type Payment = ReplyOf<typeof getPaymentStatus>;

/** One word, the same as in the list: a dispute says more than that it was paid. */
const shownStatus = (
  status: string,
  amount: number,
  refunded: number,
  disputes: readonly { readonly status: string }[],
): string => {
  if (disputes.some((dispute) => dispute.status === 'OPEN')) return 'DISPUTED';
  if (disputes.some((dispute) => dispute.status === 'LOST')) return 'DISPUTE_LOST';
  return paymentStatusOf(status, amount, refunded);
};

type SaidProps = { readonly of: Payment; readonly customerId: string | null };

/** Who paid with what, when and for which order. */
const Said = ({ of: payment, customerId }: SaidProps): ReactNode => {
  const address = useAddress();
  const mayRead = useMay('customers.read');
  const { transactionDetails, orderId } = payment;
  const last = transactionDetails.at(-1);
  const lastFour = last?.bankAccountNo?.slice(-4);
  const parts = [
    customerId && mayRead && last?.consumerName ? (
      <Link key="who" to={address(`customers/${customerId}`)}>
        {last.consumerName}
      </Link>
    ) : (
      last?.consumerName
    ),
    last && [last.cardPaymentDetails?.cardType ?? last.bankName, lastFour && `…${lastFour}`],
    last && <DateText key="at" at={last.createdAt} />,
    `Order ${orderId}`,
  ];
  return (
    <span className={classes.said}>
      {parts
        .filter((part) => part !== undefined && part !== null && part !== '')
        .map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change places.
          <span key={at}>{Array.isArray(part) ? part.filter(Boolean).join(' ') : part}</span>
        ))}
    </span>
  );
};

const PaymentFacts = ({ payment }: { readonly payment: Payment }): ReactNode => {
  const storeName = useStoreName();
  const { paymentRequestId, tipAmount, taxAmount, serviceAmount, storeDetails } = payment;
  return (
    <SectionCard title="Payment">
      <DetailList
        of={[
          ['Tip', tipAmount ? <MoneyText key="tip" pounds={tipAmount} /> : null],
          ['Tax', taxAmount ? <MoneyText key="tax" pounds={taxAmount} /> : null],
          ['Service', serviceAmount ? <MoneyText key="service" pounds={serviceAmount} /> : null],
          ['Order', <CopyText key="order" isPlain text={payment.orderId} what="order id" />],
          ['Your customer id', <CustomerOf key="c" of={payment} />],
          ['Store', storeName(storeDetails.locationName)],
          ['Notes', payment.notes],
          ['Payment id', <CopyText key="id" text={paymentRequestId} what="payment id" />],
        ]}
      />
    </SectionCard>
  );
};

/** The merchant's own id, and what else was paid under it. */
const CustomerOf = ({ of: { customerId } }: { readonly of: Payment }): ReactNode => {
  const address = useAddress();
  if (!customerId) return null;
  return (
    <>
      <CopyText isPlain text={customerId} what="customer id" />{' '}
      <Link to={address('payments')} search={{ search: customerId } as never}>
        All payments
      </Link>
    </>
  );
};

/** Of what was not paid: why the last try failed. */
const WhyNot = ({ of: { status, transactionDetails } }: { readonly of: Payment }): ReactNode => {
  const why = forMerchant(transactionDetails.at(-1)?.errorDescription ?? null);
  if (status !== 'FAILED' || !why) return null;
  return <p className={classes.why}>{why}</p>;
};

type Attempt = Payment['transactionDetails'][number];

/** What a payer is asked to do next is not for who reads it here. */
const forMerchant = (why: string | null): string | null =>
  why?.replace(/ Please [^.]*\.$/, '') ?? null;

const attemptColumns: readonly Column<Attempt>[] = [
  amountColumn(({ paidAmount }) => paidAmount),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    status: ({ statusDetails }) => statusDetails?.status ?? 'PENDING',
  },
  {
    id: 'with',
    title: 'Paid with',
    cell: ({ bankName, cardPaymentDetails }) => cardPaymentDetails?.cardType ?? bankName,
  },
  {
    id: 'lastFour',
    title: 'Account or card',
    cell: ({ bankAccountNo }) =>
      bankAccountNo && <span className="figures">…{bankAccountNo.slice(-4)}</span>,
  },
  { id: 'payer', title: 'Customer', cell: ({ consumerName }) => consumerName },
  {
    id: 'bank',
    title: 'Response of bank or card',
    cell: (attempt) => forMerchant(attempt.errorDescription) ?? saidOf(attempt),
  },
  {
    id: 'refunded',
    title: 'Refunded',
    pounds: ({ totalRefundAmount }) => totalRefundAmount || null,
  },
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
  {
    id: 'reference',
    title: 'Reference',
    isExtra: true,
    code: ({ paymentIdempotencyId }) => paymentIdempotencyId,
  },
];

/** Each time that a payer set out to pay, with what the bank or the card said. */
const PaymentAttempts = ({ payment }: { readonly payment: Payment }): ReactNode => (
  <SectionCard title="Attempts">
    <DataTable<Attempt>
      isPlain
      name="attempts"
      caption="Attempts to pay"
      columns={attemptColumns}
      rows={payment.transactionDetails}
      rowKey={({ paymentIdempotencyId }) => paymentIdempotencyId}
      empty={<p className="soft">The customer has not chosen a bank or a card yet.</p>}
    />
  </SectionCard>
);
