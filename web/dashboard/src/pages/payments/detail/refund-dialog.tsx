import { getPaymentStatus, limits, listRefunds, requestRefund } from '@florin/contract';
import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { parsePounds } from '../../../parts/parse-pounds.ts';
import { writePoundsFromPence } from '../../../parts/write-pounds.ts';
import type { Payment } from './payment-facts.tsx';
import { type RefundablePart, refundableParts } from './refundable-parts.ts';

type RefundDialogProps = {
  readonly payment: Payment;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Refunds a payment in full or in part, never more than what is left of it. */
export const RefundDialog = ({ payment, isOpen, onClose }: RefundDialogProps): ReactNode => {
  const parts = refundableParts(payment);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);
  const [notes, setNotes] = useState('');
  const refund = useAct(requestRefund, { changes: [getPaymentStatus, listRefunds] });
  const part = parts.find((each) => each.paymentIdempotencyId === chosenId) ?? parts[0];
  if (!part) return null;
  const typed = text ?? (part.leftPence / 100).toFixed(2);
  const pence = parsePounds(typed);
  const wrong = complaintOf(pence, part.leftPence);
  const amount = writePoundsFromPence(pence ?? 0);
  const close = (): void => {
    setText(null);
    setNotes('');
    onClose();
  };
  return (
    <ConfirmAct
      isOpen={isOpen}
      title={`Refund order ${payment.orderId}`}
      act={`Refund ${wrong ? '' : amount}`.trim()}
      isReady={!wrong}
      onConfirm={() =>
        refund.mutateAsync({
          body: {
            paymentRequestId: payment.paymentRequestId,
            paymentIdempotencyId: part.paymentIdempotencyId,
            amount: (pence ?? 0) / 100,
            ...(notes.trim() && { refundNotes: notes.trim() }),
          },
        })
      }
      onClose={close}
    >
      <Stack>
        {parts.length > 1 && (
          <Select
            label="Which payer"
            data={parts.map(describePart)}
            value={part.paymentIdempotencyId}
            onChange={(value) => {
              setChosenId(value);
              setText(null);
            }}
            allowDeselect={false}
          />
        )}
        <TextInput
          label="Amount in pounds"
          description={`${writePoundsFromPence(part.leftPence)} is left to refund.`}
          inputMode="decimal"
          data-autofocus
          value={typed}
          error={wrong}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Textarea
          label="Notes"
          description="For you; the customer does not see them."
          maxLength={limits.refundNotesLength}
          value={notes}
          onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        />
        <p className="soft">
          {part.payer ?? 'The payer'} gets the money on the account or card that paid.
        </p>
      </Stack>
    </ConfirmAct>
  );
};

const complaintOf = (pence: number | null, leftPence: number): string | null => {
  if (pence === null) return 'Write an amount such as 12.50.';
  if (pence < limits.refundAmountPenceMin)
    return `A refund is at least ${writePoundsFromPence(limits.refundAmountPenceMin)}.`;
  if (pence > leftPence) return `Only ${writePoundsFromPence(leftPence)} is left to refund.`;
  return null;
};

const describePart = ({ paymentIdempotencyId, payer, leftPence }: RefundablePart) => ({
  value: paymentIdempotencyId,
  label: `${payer ?? paymentIdempotencyId}, ${writePoundsFromPence(leftPence)} left`,
});
