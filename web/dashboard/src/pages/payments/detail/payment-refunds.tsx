import { cancelRefund, getPaymentStatus, listRefunds, type ReplyOf } from '@florin/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../../call/use-me.ts';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { DateText } from '../../../parts/date-text.tsx';
import { MoneyText } from '../../../parts/money-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { writePounds } from '../../../parts/write-pounds.ts';
import { refundWords } from '../../refunds/refund-words.ts';

type Refund = ReplyOf<typeof listRefunds>[number];

const columns: readonly Column<Refund>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ refundAmount }) => <MoneyText pounds={Number(refundAmount)} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} words={refundWords[status]} />,
  },
  { id: 'reason', title: 'Waits for, or failed because', cell: (row) => row.statusReason },
  { id: 'notes', title: 'Notes', cell: ({ refundNotes }) => refundNotes },
  { id: 'created', title: 'When', cell: ({ createdAt }) => <DateText at={createdAt} /> },
];

/** What was refunded of a payment. One that is not handed over yet can be cancelled. */
export const PaymentRefunds = ({
  paymentRequestId,
}: {
  readonly paymentRequestId: string;
}): ReactNode => {
  const { data, error, refetch } = useOperation(listRefunds, { params: { paymentRequestId } });
  const [cancelled, setCancelled] = useState<Refund | null>(null);
  const cancel = useAct(cancelRefund, { changes: [listRefunds, getPaymentStatus] });
  const mayRefund = useMay('payments.refund');
  if (data?.length === 0) return null;
  const amount = cancelled ? writePounds(Number(cancelled.refundAmount)) : '';
  const withCancel: readonly Column<Refund>[] = [
    ...columns,
    {
      id: 'cancel',
      title: 'Cancel',
      cell: (row) =>
        row.status === 'INITIATED' && (
          <Button size="compact-sm" variant="default" onClick={() => setCancelled(row)}>
            Cancel
          </Button>
        ),
    },
  ];
  return (
    <SectionCard title="Refunds">
      <DataTable<Refund>
        isPlain
        name="payment-refunds"
        caption="Refunds of this payment"
        columns={mayRefund ? withCancel : columns}
        rows={data}
        rowKey={({ refundId }) => refundId}
        failure={error}
        onRetry={() => void refetch()}
        empty={null}
      />
      <ConfirmAct
        isOpen={cancelled !== null}
        title={`Cancel the refund of ${amount}`}
        act={`Cancel the refund of ${amount}`}
        isDangerous
        onConfirm={() => cancel.mutateAsync({ params: { refundId: cancelled?.refundId ?? '' } })}
        onClose={() => setCancelled(null)}
      >
        <p>The customer does not get these {amount}. You can refund the payment again later.</p>
      </ConfirmAct>
    </SectionCard>
  );
};
