import { limits } from '@florin/contract';
import { declineRefund, listRefundApprovals } from '@florin/contract/dashboard/index.ts';
import { Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { writePounds } from '../../parts/write-pounds.ts';
import type { RefundApproval } from './refund-approval.ts';

type DeclineRefundProps = { readonly of: RefundApproval; readonly onClose: () => void };

/** Who proposed reads why. */
export const DeclineRefund = ({ of, onClose }: DeclineRefundProps): ReactNode => {
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
