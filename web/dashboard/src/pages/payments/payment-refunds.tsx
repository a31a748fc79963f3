import { cancelRefund, getPaymentStatus, listRefunds, type ReplyOf } from '@florin/contract';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, Suspense } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { actsColumn, amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { refundWords, StatusBadge } from '../../parts/status-badge.tsx';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import { isPaidOnPage, MailReceipt } from './payment-acts.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { refundableParts } from './refundable-parts.ts';

type Payment = ReplyOf<typeof getPaymentStatus>;

type Refund = ReplyOf<typeof listRefunds>[number];

const refundColumns: readonly Column<Refund>[] = [
  amountColumn(({ refundAmount }) => Number(refundAmount)),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} words={refundWords[status]} />,
  },
  { id: 'reason', title: 'Why it waits or failed', cell: (row) => row.statusReason },
  {
    id: 'bankReference',
    title: 'Bank reference',
    copied: ({ bankReference }) => bankReference,
  },
  { id: 'notes', title: 'Notes', cell: ({ refundNotes }) => refundNotes },
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
];

const lookEveryMs = 5_000;

/** What was refunded of a payment. One that is not handed over yet can be cancelled. */
export const PaymentRefunds = ({ of: payment }: { readonly of: Payment }): ReactNode => {
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
    ...actsColumn,
    cell: (row) => (
      <RefundActs
        of={row}
        payment={payment}
        hasReceipt={payment.transactionDetails.some(isPaidOnPage)}
      />
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

type RefundActsProps = {
  readonly of: Refund;
  readonly payment: Payment;
  readonly hasReceipt: boolean;
};

/** One that waits can be cancelled, one that failed made again; one that is on its way has a receipt. */
const RefundActs = ({ of, payment, hasReceipt }: RefundActsProps): ReactNode => {
  const mayRefund = useMay('payments.refund');
  const mayMail = useMay('links.write');
  if (of.status === 'INITIATED') return mayRefund && <CancelRefund of={of} />;
  if (of.status === 'FAILED') return mayRefund && <RefundAgain of={of} payment={payment} />;
  if (!mayMail || !hasReceipt || !['PENDING', 'COMPLETED'].includes(of.status)) return null;
  const label = `Email the receipt of the refund of ${writePounds(Number(of.refundAmount))}`;
  const { paymentRequestId, paymentIdempotencyId, refundId } = of;
  const isOnlyPayer = payment.transactionDetails.filter(isPaidOnPage).length === 1;
  return (
    <Suspense>
      <MailReceipt {...{ paymentRequestId, paymentIdempotencyId, refundId, label, isOnlyPayer }} />
    </Suspense>
  );
};

/** The list of refunds leads here with the dialog open. */
const inAgain = { again: inAddress.matching(/^[\da-f-]{36}$/) };

type RefundAgainProps = Pick<RefundActsProps, 'of' | 'payment'>;

/** The money of a refund that failed is back: the same can be refunded once more. */
const RefundAgain = ({ of, payment }: RefundAgainProps): ReactNode => {
  const { filters, change } = useFilters(inAgain);
  const [isOpen, { open, close }] = useDisclosure(filters.again === of.refundId);
  const amount = Number(of.refundAmount);
  const left = refundableParts(payment).find(
    (part) => part.paymentIdempotencyId === of.paymentIdempotencyId,
  );
  if (!left || left.leftPence < Math.round(amount * 100)) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Refund ${writePounds(amount)} again`}
        onClick={open}
      >
        Refund again
      </Button>
      <RefundDialog
        payment={payment}
        isOpen={isOpen}
        onClose={() => {
          close();
          if (filters.again) change({ again: undefined });
        }}
        again={{
          partId: of.paymentIdempotencyId,
          amount: amount.toFixed(2),
          notes: of.refundNotes ?? '',
        }}
      />
    </>
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
