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
import { Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { actsColumn, amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { typing } from '../../parts/fields.ts';
import { SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';

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
  { id: 'order', title: 'Order', isObvious: true, cell: ({ orderId }) => orderId },
  { id: 'payer', title: 'Customer', isSecond: true, cell: ({ payer }) => payer },
  {
    id: 'proposed',
    title: 'Proposed by',
    cell: ({ proposedBy, isOwn }) => (isOwn ? 'You' : proposedBy),
  },
  { id: 'notes', title: 'Notes', isObvious: true, cell: ({ notes }) => notes },
  { id: 'when', title: 'When', at: ({ createdAt }) => createdAt },
  {
    id: 'decided',
    title: 'Decided',
    cell: ({ decidedBy, reason }) => [decidedBy, reason].filter(Boolean).join(': '),
  },
];

/** Of what waits there is nothing to say of it. */
const settled = ['decided', 'status'];

const payeeOf = ({ payer }: RefundApproval): string => payer ?? 'the customer';

/** Refunds that another person has to approve; nothing where none was proposed. */
export const RefundApprovals = ({ of }: RefundApprovalsProps): ReactNode => {
  const address = useAddress();
  const query = { ...of, limit: shownMax };
  const found = useOperation(listRefundApprovals, { query }, { refetchEveryMs: lookEveryMs });
  const mayRefund = useMay('payments.refund');
  if (!found.data || found.data.data.length === 0) return null;
  const acts: Column<RefundApproval> = {
    ...actsColumn,
    cell: (approval) => {
      if (approval.status !== 'WAITING') return null;
      if (approval.isOwn) return <SettleRefund of={approval} isApproval={false} />;
      return (
        mayRefund && (
          <Group gap="xs" wrap="nowrap">
            <SettleRefund of={approval} isApproval />
            <DeclineRefund of={approval} />
          </Group>
        )
      );
    },
  };
  return (
    <SectionCard title={of.status === 'WAITING' ? 'Waiting for approval' : 'Approvals'}>
      <DataTable<RefundApproval>
        isPlain
        name="refund-approvals"
        caption="Refunds that need a second person, the newest first"
        columns={[
          ...columns.filter(({ id }) => of.status !== 'WAITING' || !settled.includes(id)),
          acts,
        ]}
        rows={found.data.data}
        rowKey={({ approvalId }) => approvalId}
        rowLink={({ paymentRequestId }) => address(`payments/${paymentRequestId}`)}
        read={found}
        empty={null}
      />
    </SectionCard>
  );
};

type SettleRefundProps = { readonly of: RefundApproval; readonly isApproval: boolean };

const changes = {
  changes: [listRefundApprovals, listMerchantRefunds, listRefunds, getPaymentStatus],
};

/** Another person approves it, or the one who proposed it takes it back. */
const SettleRefund = ({ of, isApproval }: SettleRefundProps): ReactNode => {
  const approve = useAct(approveRefund, changes);
  const withdraw = useAct(withdrawRefund, changes);
  const { orderId, proposedBy } = of;
  const params = { approvalId: of.approvalId };
  const amount = writePounds(of.amount);
  const act = isApproval
    ? `Approve ${amount} to ${payeeOf(of)}`
    : `Withdraw the refund of ${amount}`;
  return (
    <ActButton
      variant={isApproval ? 'filled' : 'default'}
      says={isApproval ? 'Approve' : 'Withdraw'}
      label={isApproval ? act : undefined}
      act={act}
      isDangerous={!isApproval}
      onConfirm={() => (isApproval ? approve : withdraw).mutateAsync({ params })}
    >
      <p>
        {isApproval
          ? `${proposedBy} proposed it: ${amount} of order ${orderId} goes back to ${payeeOf(of)} at once.`
          : `Order ${orderId} is not refunded unless you propose it again.`}
      </p>
      {of.notes && <p className="soft">Notes: {of.notes}</p>}
    </ActButton>
  );
};

/** Who proposed reads why. */
const DeclineRefund = ({ of }: { readonly of: RefundApproval }): ReactNode => {
  const [reason, setReason] = useState('');
  const decline = useAct(declineRefund, { changes: [listRefundApprovals] });
  const amount = writePounds(of.amount);
  const params = { approvalId: of.approvalId };
  return (
    <ActButton
      variant="default"
      says="Decline"
      label={`Decline the refund of ${amount} to ${payeeOf(of)}`}
      isDangerous
      act={`Decline the refund of ${amount}`}
      isReady={reason.trim() !== ''}
      onConfirm={() => decline.mutateAsync({ params, body: { reason: reason.trim() } })}
      onOpen={() => setReason('')}
    >
      <Stack>
        <p>
          {of.proposedBy} proposed it, for order {of.orderId}. Nothing is refunded to {payeeOf(of)}.
        </p>
        <TextInput
          label="Why"
          description={`${of.proposedBy} will see it.`}
          required
          maxLength={limits.refundNotesLength}
          {...typing(reason, setReason)}
        />
      </Stack>
    </ActButton>
  );
};

type RefundApproval = ReplyOf<typeof listRefundApprovals>['data'][number];
