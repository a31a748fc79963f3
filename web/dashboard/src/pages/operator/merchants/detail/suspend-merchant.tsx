import { getMerchant, limits, listMerchants, suspendMerchant as operation } from '@florin/contract';
import { Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../../call/use-operation.ts';
import { ConfirmAct } from '../../../../parts/confirm-act.tsx';
import { type Operated, paramsOf } from './operated.ts';

type SuspendMerchantProps = { readonly of: Operated; readonly onClose: () => void };

/** Nothing is stopped before what stops was read, and a reason was given. */
export const SuspendMerchant = ({ of, onClose }: SuspendMerchantProps): ReactNode => {
  const [reason, setReason] = useState('');
  const suspend = useAct(operation, { changes: [getMerchant, listMerchants] });
  const { environment, businessName } = of;
  return (
    <ConfirmAct
      isOpen
      title={`Suspend ${businessName} in ${environment}`}
      act={`Suspend ${businessName}`}
      isDangerous
      isReady={reason.trim() !== ''}
      onConfirm={() =>
        suspend.mutateAsync({ params: paramsOf(of), body: { reason: reason.trim() } })
      }
      onClose={onClose}
    >
      <p>
        <b>Stops at once:</b> payment requests and links, payments that payers begin, charges of
        saved cards, the till, printed codes, new secrets and links to banks. Payouts are held.
      </p>
      <p>
        <b>Goes on:</b> payments that have begun are finished and reported. Refunds stay possible,
        so that payers get their money back, and so do captures and cancelling.
      </p>
      <Textarea
        label="Reason"
        description="Every member of the business reads it, and payers do not"
        required
        autosize
        minRows={2}
        maxLength={limits.suspensionReasonLength}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <p className="soft">
        Leave out what the law forbids them to know. You can resume the business at any time; both
        are recorded with your name.
      </p>
    </ConfirmAct>
  );
};
