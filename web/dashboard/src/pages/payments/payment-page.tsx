import { cancelRefund, getPaymentStatus, listRefunds, type ReplyOf } from '@florin/contract';
import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useAct, useAddress, useMay, useOperation, useTenant } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { choicesOf } from '../../parts/filters.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { RawJson, writeCurl } from '../../parts/raw-json.tsx';
import { refundWords, StatusBadge } from '../../parts/status-badge.tsx';
import { useStoreName } from '../../parts/store-name.ts';
import { CopyText, MoneyText } from '../../parts/texts.tsx';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import { isPaidOnPage, MailReceipt, PaymentActs } from './payment-acts.tsx';
import { PaymentDisputes } from './payment-disputes.tsx';
import { PaymentItems } from './payment-items.tsx';
import { PaymentMoney } from './payment-money.tsx';

const PaymentTimeline = lazy(async () => ({
  default: (await import('./payment-timeline.tsx')).PaymentTimeline,
}));

// With its dialogs no part of the first load.
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
  const path = `/api/payments/v1/payment-status/${paymentRequestId}?env=${tenant.environment}`;
  return (
    <>
      <PageTitle
        title={writePounds(amount)}
        above={<Link to={address('payments')}>Payments</Link>}
        says={
          <>
            <StatusBadge status={payment.status} />{' '}
            {disputes.some(({ status }) => status === 'OPEN') && <StatusBadge status="DISPUTED" />}{' '}
            Order {payment.orderId}
          </>
        }
      >
        <PaymentActs payment={payment} amount={amount} isOpen={isOpen} />
      </PageTitle>
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
          <PaymentDisputes of={disputes} />
          <PaymentFacts payment={payment} amount={amount} />
          <PaymentItems payment={payment} />
          <PaymentMoney paymentRequestId={paymentRequestId} />
          <PaymentAttempts payment={payment} />
          <Suspense>
            <RefundApprovals of={{ paymentRequestId }} />
          </Suspense>
          <PaymentRefunds of={payment} />
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

type Payment = ReplyOf<typeof getPaymentStatus>;

type PaymentFactsProps = { readonly payment: Payment; readonly amount: number };

const PaymentFacts = ({ payment, amount }: PaymentFactsProps): ReactNode => {
  const storeName = useStoreName();
  const { paymentRequestId, tipAmount, taxAmount, serviceAmount, storeDetails } = payment;
  return (
    <SectionCard title="Payment">
      <DetailList
        of={[
          ['Amount', <MoneyText key="amount" pounds={amount} />],
          ['Tip', tipAmount ? <MoneyText key="tip" pounds={tipAmount} /> : null],
          ['Tax', taxAmount ? <MoneyText key="tax" pounds={taxAmount} /> : null],
          ['Service', serviceAmount ? <MoneyText key="service" pounds={serviceAmount} /> : null],
          ['Order', <CopyText key="order" text={payment.orderId} what="order id" />],
          ['Your customer id', <CopyText key="c" text={payment.customerId} what="customer id" />],
          ['Store', storeName(storeDetails.locationName)],
          ['Notes', payment.notes],
          ['Payment id', <CopyText key="id" text={paymentRequestId} what="payment id" />],
        ]}
      />
    </SectionCard>
  );
};

type Attempt = Payment['transactionDetails'][number];

/** "AcceptedSettlementCompleted" as words. */
const spaced = (name: string | undefined): string | null =>
  name?.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? null;

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
      bankAccountNo && <span className="code">…{bankAccountNo.slice(-4)}</span>,
  },
  { id: 'payer', title: 'Payer', cell: ({ consumerName }) => consumerName },
  {
    id: 'bank',
    title: 'The bank says',
    cell: ({ statusDetails, errorDescription }) =>
      forMerchant(errorDescription) ?? spaced(statusDetails?.isoStatus.name),
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

type Refund = ReplyOf<typeof listRefunds>[number];

const refundColumns: readonly Column<Refund>[] = [
  amountColumn(({ refundAmount }) => Number(refundAmount)),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} words={refundWords[status]} />,
  },
  { id: 'reason', title: 'Waits for, or failed because', cell: (row) => row.statusReason },
  { id: 'notes', title: 'Notes', cell: ({ refundNotes }) => refundNotes },
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
];

/** What was refunded of a payment. One that is not handed over yet can be cancelled. */
const PaymentRefunds = ({ of: payment }: { readonly of: Payment }): ReactNode => {
  const { paymentRequestId } = payment;
  const found = useOperation(
    listRefunds,
    { params: { paymentRequestId } },
    { refetchEveryMs: lookEveryMs },
  );
  const mayRefund = useMay('payments.refund');
  const mayMail = useMay('links.write');
  if (found.data?.length === 0) return null;
  const acts: Column<Refund> = {
    id: 'acts',
    title: 'Do',
    cell: (row) => (
      <RefundActs of={row} hasReceipt={payment.transactionDetails.some(isPaidOnPage)} />
    ),
  };
  return (
    <SectionCard title="Refunds">
      <DataTable<Refund>
        isPlain
        name="payment-refunds"
        caption="Refunds of this payment"
        columns={mayRefund || mayMail ? [...refundColumns, acts] : refundColumns}
        rows={found.data}
        rowKey={({ refundId }) => refundId}
        read={found}
        empty={null}
      />
    </SectionCard>
  );
};

type RefundActsProps = { readonly of: Refund; readonly hasReceipt: boolean };

/** One that waits can be cancelled; one that is on its way has a receipt. */
const RefundActs = ({ of, hasReceipt }: RefundActsProps): ReactNode => {
  const mayRefund = useMay('payments.refund');
  const mayMail = useMay('links.write');
  if (of.status === 'INITIATED') return mayRefund && <CancelRefund of={of} />;
  if (!mayMail || !hasReceipt || !['PENDING', 'COMPLETED'].includes(of.status)) return null;
  const label = `Email the receipt of the refund of ${writePounds(Number(of.refundAmount))}`;
  const { paymentRequestId, paymentIdempotencyId, refundId } = of;
  return (
    <Suspense>
      <MailReceipt {...{ paymentRequestId, paymentIdempotencyId, refundId, label }} />
    </Suspense>
  );
};

const CancelRefund = ({ of }: { readonly of: Refund }): ReactNode => {
  const cancel = useAct(cancelRefund, { changes: [listRefunds, getPaymentStatus] });
  const amount = writePounds(Number(of.refundAmount));
  return (
    <ActButton
      size="compact-sm"
      says="Cancel"
      act={`Cancel the refund of ${amount}`}
      isDangerous
      onConfirm={() => cancel.mutateAsync({ params: { refundId: of.refundId } })}
    >
      <p>The customer does not get these {amount}. You can refund the payment again later.</p>
    </ActButton>
  );
};
