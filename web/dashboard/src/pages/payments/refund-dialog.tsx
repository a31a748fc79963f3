import {
  type BodyOf,
  getPaymentStatus,
  limits,
  listPayouts,
  listRefunds,
  type ReplyOf,
  requestRefund,
} from '@florin/contract';
import { listRefundApprovals, proposeRefund } from '@florin/contract/dashboard/index.ts';
import { NativeSelect, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { typing } from '../../parts/fields.ts';
import { parsePounds, writePounds, writePoundsFromPence } from '../../parts/numbers.ts';
import { DateText } from '../../parts/texts.tsx';
import { type RefundablePart, refundableParts } from './refundable-parts.ts';

type Payment = ReplyOf<typeof getPaymentStatus>;

type RefundDialogProps = {
  readonly payment: Payment;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Of a refund that failed: it begins with the same. */
  readonly again?: Begun;
};

type Begun = {
  readonly partId: string | null;
  /** In pounds; null: all that is left. */
  readonly amount: string | null;
  readonly notes: string;
};

const anew: Begun = { partId: null, amount: null, notes: '' };

/** Refunds a payment in full or in part, never more than what is left of it. */
export const RefundDialog = (props: RefundDialogProps): ReactNode => {
  const { payment, isOpen, onClose, again: begun = anew } = props;
  const parts = refundableParts(payment);
  const [chosenId, setChosenId] = useState(begun.partId);
  const [text, setText] = useState(begun.amount);
  const [reason, setReason] = useState('');
  const [notes, setNotes] = useState(begun.notes);
  const consent = useConsent(payment.paymentRequestId);
  const part = parts.find((each) => each.paymentIdempotencyId === chosenId) ?? parts[0];
  if (!part) return null;
  const typed = text ?? (part.leftPence / 100).toFixed(2);
  const pence = parsePounds(typed);
  const wrong = complaintOf(pence, part.leftPence);
  const needsOther = consent.needsOther(part.refundedPence + (pence ?? 0));
  const amount = writePoundsFromPence(pence ?? 0);
  const close = (): void => {
    setText(begun.amount);
    setReason('');
    setNotes(begun.notes);
    onClose();
  };
  return (
    <ConfirmAct
      isOpen={isOpen}
      title={`Refund order ${payment.orderId}`}
      act={`${needsOther ? 'Propose to refund' : 'Refund'} ${wrong ? '' : amount}`.trim()}
      isReady={!wrong && consent.isKnown}
      onConfirm={() =>
        consent.send(needsOther, {
          paymentRequestId: payment.paymentRequestId,
          paymentIdempotencyId: part.paymentIdempotencyId,
          amount: (pence ?? 0) / 100,
          ...notesOf(reason, notes),
        })
      }
      onClose={close}
    >
      <Stack>
        {parts.length > 1 && (
          <Select
            label="Which customer"
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
          leftSection="£"
          description={`${writePoundsFromPence(part.leftPence)} is left to refund.`}
          inputMode="decimal"
          {...typing(typed, setText)}
          error={wrong}
        />
        <NativeSelect
          label="Reason (optional)"
          data={[{ value: '', label: 'Choose a reason' }, ...reasons]}
          {...typing(reason, setReason)}
        />
        <Textarea
          label="Notes (optional)"
          description="For your records: the customer does not see them."
          maxLength={limits.refundNotesLength - longestReason}
          {...typing(notes, setNotes)}
        />
        <Arrival of={payment} part={part} needsOther={needsOther} />
        {needsOther && consent.above !== null && (
          <p>
            Refunding more than {writePounds(consent.above)} of a payment needs a second person.
          </p>
        )}
      </Stack>
    </ConfirmAct>
  );
};

type ArrivalProps = {
  readonly of: Payment;
  readonly part: RefundablePart;
  readonly needsOther: boolean;
};

/** Where the money goes, when it is there, and which payout it comes off. */
const Arrival = ({ of: payment, part, needsOther }: ArrivalProps): ReactNode => {
  const mayRead = useMay('payouts.read');
  const query = { page: 0, limit: 1, status: 'PENDING' as const };
  const open = useOperation(listPayouts, { query }, { enabled: mayRead && !needsOther }).data;
  // With several accounts nobody knows here which payout it is, nor when another person approves.
  const payout = open?.totalCount === 1 ? open.data[0] : null;
  const isCard = Boolean(paidBy(payment, part)?.cardPaymentDetails);
  return (
    <p className="soft">
      {part.payer ?? 'The customer'} gets the money back on {accountOf(payment, part)}
      {needsOther && ', once another person has approved it'}:{' '}
      {isCard ? 'on a card in five to ten working days.' : 'usually within minutes.'}
      {payout && !isCard && (
        <>
          {' '}
          It comes off the payout of <DateText isShort at={payout.settlementPeriodEnd} />.
        </>
      )}
    </p>
  );
};

const paidBy = (payment: Payment, { paymentIdempotencyId }: RefundablePart) =>
  payment.transactionDetails.find((each) => each.paymentIdempotencyId === paymentIdempotencyId);

/** "Harbour …5168", or in words where it is not known. */
const accountOf = (payment: Payment, part: RefundablePart): string => {
  const paid = paidBy(payment, part);
  const name = paid?.cardPaymentDetails?.cardType ?? paid?.bankName;
  const lastFour = paid?.bankAccountNo?.slice(-4);
  return name && lastFour ? `${name} …${lastFour}` : 'the account or card that paid';
};

const reasons = [
  'Returned',
  'Not delivered',
  'Not as described',
  'Charged twice',
  'Order changed',
  'Goodwill',
] as const;

const longestReason = 20;

/** "Returned: the cup was broken". */
const notesOf = (reason: string, notes: string): { readonly refundNotes?: string } => {
  const refundNotes = [reason, notes.trim()].filter((part) => part !== '').join(': ');
  return refundNotes === '' ? {} : { refundNotes };
};

/** Whether this person may refund alone, and the act that fits. */
const useConsent = (paymentRequestId: string) => {
  const mayRefund = useMay('payments.refund');
  const { data } = useOperation(listRefundApprovals, { query: { paymentRequestId } });
  const refund = useAct(requestRefund, { changes: [getPaymentStatus, listRefunds] });
  const propose = useAct(proposeRefund, { changes: [listRefundApprovals] });
  const above = data?.approvalAbove ?? null;
  return {
    above,
    isKnown: data !== undefined,
    needsOther: (togetherPence: number): boolean =>
      !mayRefund || (above !== null && togetherPence > Math.round(above * 100)),
    send: (needsOther: boolean, body: BodyOf<typeof proposeRefund>): Promise<unknown> =>
      needsOther ? propose.mutateAsync({ body }) : refund.mutateAsync({ body }),
  };
};

const complaintOf = (pence: number | null, leftPence: number): string | null => {
  if (pence === null) return 'Enter an amount such as 12.50.';
  if (pence < limits.refundAmountPenceMin)
    return `A refund is at least ${writePoundsFromPence(limits.refundAmountPenceMin)}.`;
  if (pence > leftPence) return `Only ${writePoundsFromPence(leftPence)} is left to refund.`;
  return null;
};

const describePart = ({ paymentIdempotencyId, payer, leftPence }: RefundablePart) => ({
  value: paymentIdempotencyId,
  label: `${payer ?? paymentIdempotencyId}, ${writePoundsFromPence(leftPence)} left`,
});
