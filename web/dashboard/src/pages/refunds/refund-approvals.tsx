import { getPaymentStatus, listRefunds, type QueryOf } from '@florin/contract';
import {
  approveRefund,
  listMerchantRefunds,
  listRefundApprovals,
  withdrawRefund,
} from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useMay } from '../../call/use-me.ts';
import { useAct, useOperation, useTenant } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { DateText } from '../../parts/date-text.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { writePounds } from '../../parts/write-pounds.ts';
import { DeclineRefund } from './decline-refund.tsx';
import type { RefundApproval } from './refund-approval.ts';

type Act = {
  readonly kind: 'APPROVE' | 'DECLINE' | 'WITHDRAW';
  readonly approval: RefundApproval;
};

type RefundApprovalsProps = {
  readonly of: Pick<QueryOf<typeof listRefundApprovals>, 'status' | 'paymentRequestId'>;
};

const lookEveryMs = 15_000;
const shownMax = 100;

const words = {
  WAITING: 'Waiting',
  REFUNDED: 'Approved',
  DECLINED: 'Declined',
  WITHDRAWN: 'Withdrawn',
  REFUSED: 'No longer possible',
} as const;

const badges = {
  WAITING: 'PENDING',
  REFUNDED: 'COMPLETED',
  DECLINED: 'CANCELLED',
  WITHDRAWN: 'CANCELLED',
  REFUSED: 'FAILED',
} as const;

const columns: readonly Column<RefundApproval>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount }) => <MoneyText pounds={amount} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={badges[status]} words={words[status]} />,
  },
  { id: 'order', title: 'Order', cell: (row) => <Order of={row} /> },
  {
    id: 'proposed',
    title: 'Proposed by',
    cell: ({ proposedBy, isOwn }) => (isOwn ? 'You' : proposedBy),
  },
  { id: 'notes', title: 'Notes', cell: ({ notes }) => notes },
  { id: 'when', title: 'When', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'decided',
    title: 'Decided',
    cell: ({ decidedBy, reason }) => [decidedBy, reason].filter(Boolean).join(': '),
  },
];

const Order = ({ of }: { readonly of: RefundApproval }): ReactNode => {
  const tenant = useTenant();
  if (!tenant) return of.orderId;
  return <Link to={addressOfPage(tenant, `payments/${of.paymentRequestId}`)}>{of.orderId}</Link>;
};

/** Refunds that another person has to approve; nothing where none was proposed. */
export const RefundApprovals = ({ of }: RefundApprovalsProps): ReactNode => {
  const query = { ...of, limit: shownMax };
  const found = useOperation(listRefundApprovals, { query }, { refetchEveryMs: lookEveryMs });
  const [act, setAct] = useState<Act | null>(null);
  const mayRefund = useMay('payments.refund');
  if (!found.data || found.data.data.length === 0) return null;
  const acts: Column<RefundApproval> = {
    id: 'acts',
    title: 'Decide',
    cell: (approval) => {
      if (approval.status !== 'WAITING') return null;
      const press = (kind: Act['kind'], says: string): ReactNode => (
        <Button size="compact-sm" variant="default" onClick={() => setAct({ kind, approval })}>
          {says}
        </Button>
      );
      if (approval.isOwn) return press('WITHDRAW', 'Withdraw');
      return mayRefund ? (
        <Button.Group>
          {press('APPROVE', 'Approve')}
          {press('DECLINE', 'Decline')}
        </Button.Group>
      ) : null;
    },
  };
  return (
    <SectionCard title={of.status === 'WAITING' ? 'Waiting for approval' : 'Approvals'}>
      <DataTable<RefundApproval>
        isPlain
        name="refund-approvals"
        caption="Refunds that need a second person, the newest first"
        columns={[...columns, acts]}
        rows={found.data.data}
        rowKey={({ approvalId }) => approvalId}
        failure={found.error}
        onRetry={() => void found.refetch()}
        empty={null}
      />
      {act && <Decide act={act} onClose={() => setAct(null)} />}
    </SectionCard>
  );
};

type DecideProps = { readonly act: Act; readonly onClose: () => void };

const changes = {
  changes: [listRefundApprovals, listMerchantRefunds, listRefunds, getPaymentStatus],
};

const Decide = ({ act: { kind, approval }, onClose }: DecideProps): ReactNode => {
  const approve = useAct(approveRefund, changes);
  const withdraw = useAct(withdrawRefund, changes);
  const { orderId, proposedBy } = approval;
  const params = { approvalId: approval.approvalId };
  const amount = writePounds(approval.amount);
  if (kind === 'DECLINE') return <DeclineRefund of={approval} onClose={onClose} />;
  const isApproval = kind === 'APPROVE';
  const title = isApproval ? `Approve and refund ${amount}` : `Withdraw the refund of ${amount}`;
  return (
    <ConfirmAct
      isOpen
      title={title}
      act={title}
      isDangerous={!isApproval}
      onConfirm={() => (isApproval ? approve : withdraw).mutateAsync({ params })}
      onClose={onClose}
    >
      <p>
        {isApproval
          ? `${proposedBy} proposed to refund ${amount} of order ${orderId}. It is made at once.`
          : `The ${amount} of order ${orderId} are not refunded, unless you propose it again.`}
      </p>
      {approval.notes && <p className="soft">Notes: {approval.notes}</p>}
    </ConfirmAct>
  );
};
