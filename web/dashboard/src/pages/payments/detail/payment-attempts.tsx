import type { ReactNode } from 'react';
import { DateText } from '../../../parts/date-text.tsx';
import { MoneyText } from '../../../parts/money-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { Payment } from './payment-facts.tsx';

type Attempt = Payment['transactionDetails'][number];

/** "AcceptedSettlementCompleted" as words. */
const spaced = (name: string | undefined): string | null =>
  name?.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? null;

const columns: readonly Column<Attempt>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ paidAmount }) => <MoneyText pounds={paidAmount} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ statusDetails }) => <StatusBadge status={statusDetails?.status ?? 'PENDING'} />,
  },
  {
    id: 'with',
    title: 'Paid with',
    cell: ({ bankName, cardPaymentDetails }) => cardPaymentDetails?.cardType ?? bankName,
  },
  { id: 'payer', title: 'Payer', cell: ({ consumerName }) => consumerName },
  {
    id: 'bank',
    title: 'The bank says',
    cell: ({ statusDetails, errorDescription }) =>
      errorDescription ?? spaced(statusDetails?.isoStatus.name),
  },
  {
    id: 'refunded',
    title: 'Refunded',
    isRight: true,
    cell: ({ totalRefundAmount }) => <MoneyText pounds={totalRefundAmount || null} />,
  },
  { id: 'created', title: 'When', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'reference',
    title: 'Reference',
    isExtra: true,
    cell: ({ paymentIdempotencyId }) => <span className="code">{paymentIdempotencyId}</span>,
  },
];

/** Each time that a payer set out to pay, with what the bank or the card said. */
export const PaymentAttempts = ({ payment }: { readonly payment: Payment }): ReactNode => (
  <SectionCard title="Attempts">
    <DataTable<Attempt>
      isPlain
      name="attempts"
      caption="Attempts to pay"
      columns={columns}
      rows={payment.transactionDetails}
      rowKey={({ paymentIdempotencyId }) => paymentIdempotencyId}
      empty={<p className="soft">The customer has not chosen a bank or a card yet.</p>}
    />
  </SectionCard>
);
