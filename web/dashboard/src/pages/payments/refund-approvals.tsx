import {
  getPaymentStatus,
  limits,
  listRefunds,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import {
  approveRefund,
  declineRefund,
  listMerchantRefunds,
  listRefundApprovals,
  withdrawRefund,
} from '@florin/contract/dashboard/index.ts';
import { Button, Stack, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation, useTenant } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';

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
  amountColumn(({ amount }) => amount),
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
  { id: 'when', title: 'When', at: ({ createdAt }) => createdAt },
  {
    id: 'decided',
    title: 'Decided',
    cell: ({ decidedBy, reason }) => [decidedBy, reason].filter(Boolean).join(': '),
  },
];

const Order = ({ of }: { readonly of: RefundApproval }): ReactNode => {
  const tenant = useTenant();
  const address = useAddress();
  if (!tenant) return of.orderId;
  return <Link to={address(`payments/${of.paymentRequestId}`)}>{of.orderId}</Link>;
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
        read={found}
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

type DeclineRefundProps = { readonly of: RefundApproval; readonly onClose: () => void };

/** Who proposed reads why. */
const DeclineRefund = ({ of, onClose }: DeclineRefundProps): ReactNode => {
  const [reason, setReason] = useState('');
  const decline = useAct(declineRefund, { changes: [listRefundApprovals] });
  const amount = writePounds(of.amount);
  const params = { approvalId: of.approvalId };
  return (
    <ConfirmAct
      isOpen
      isDangerous
      title={`Decline the refund of ${amount}`}
      act={`Decline the refund of ${amount}`}
      isReady={reason.trim() !== ''}
      onConfirm={() => decline.mutateAsync({ params, body: { reason: reason.trim() } })}
      onClose={onClose}
    >
      <Stack>
        <p>
          {of.proposedBy} proposed it, for order {of.orderId}. The customer gets nothing.
        </p>
        <Textarea
          label="Why"
          description={`${of.proposedBy} reads it.`}
          required
          maxLength={limits.refundNotesLength}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};

type RefundApproval = ReplyOf<typeof listRefundApprovals>['data'][number];
