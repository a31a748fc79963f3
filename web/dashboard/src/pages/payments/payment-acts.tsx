import {
  cancelCardPayment,
  cancelPaymentRequest,
  captureCardPayment,
  getPaymentStatus,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import type { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAct, useAddress, useMay } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { refundableParts } from './refundable-parts.ts';

/** With its dialog no part of the first load. */
export const MailReceipt = lazy(async () => ({
  default: (await import('./mail-receipt.tsx')).MailReceipt,
}));

// Loaded when it is opened first: its fields are a tenth of the page's code.
const RefundDialog = lazy(async () => ({
  default: (await import('./refund-dialog.tsx')).RefundDialog,
}));

type Payment = ReplyOf<typeof getPaymentStatus>;

type PaymentActsProps = {
  readonly payment: Payment;
  /** In pounds: what was paid or is held, before that what was requested. */
  readonly amount: number;
  readonly isOpen: boolean;
  readonly disputes: readonly Dispute[];
};

type Dispute = ReplyOf<typeof getPaymentTimeline>['disputes'][number];

const changes = [getPaymentStatus, searchTransactions];

/** What can be done with a payment in its state, by this person. */
export const PaymentActs = (props: PaymentActsProps): ReactNode => {
  const { payment, amount: pounds, isOpen, disputes } = props;
  const [isRefunding, { open, close }] = useDisclosure(false);
  const [hasRefunded, setHasRefunded] = useState(false);
  const mayRefund = useMay('payments.refund');
  const mayPropose = useMay('refunds.propose');
  const mayCapture = useMay('payments.capture');
  const mayCancel = useMay('payments.create');
  const mayMail = useMay('links.write');
  const cancel = useAct(cancelPaymentRequest, { changes });
  const capture = useAct(captureCardPayment, { changes });
  const release = useAct(cancelCardPayment, { changes });
  const params = { paymentRequestId: payment.paymentRequestId };
  const amount = writePounds(pounds);
  const isHeld = payment.status === 'AUTHORIZED' && payment.transactionDetails.some(isByCard);
  // The bank has given it back already: a refund would pay it twice.
  const isTakenBack = disputes.some(({ status, amount: taken }) => status === 'OPEN' && taken > 0);
  const paid = payment.transactionDetails.filter(isPaidOnPage);
  const paymentIdempotencyId = paid.at(-1)?.paymentIdempotencyId;
  const openRefund = (): void => {
    setHasRefunded(true);
    open();
  };
  return (
    <>
      <AnswerFirst disputes={disputes} {...params} />
      {(mayRefund || mayPropose) && refundableParts(payment).length > 0 && !isTakenBack && (
        <Button variant="default" onClick={openRefund}>
          {mayRefund ? 'Refund' : 'Propose a refund'}
        </Button>
      )}
      {mayMail && payment.status === 'COMPLETED' && paymentIdempotencyId && (
        <Suspense>
          <MailReceipt {...{ ...params, paymentIdempotencyId, isOnlyPayer: paid.length === 1 }} />
        </Suspense>
      )}
      {mayMail && isOver.includes(payment.status) && <AskAgain payment={payment} pounds={pounds} />}
      {mayCapture && isHeld && (
        <ActButton
          says={`Capture ${amount}`}
          variant="filled"
          act={`Capture ${amount}`}
          onConfirm={() => capture.mutateAsync({ params })}
        >
          <p>The whole authorised amount of order {payment.orderId} is taken from the card.</p>
        </ActButton>
      )}
      {mayCapture && isHeld && (
        <ActButton
          says="Release"
          act={`Release ${amount}`}
          isDangerous
          onConfirm={() => release.mutateAsync({ params })}
        >
          <p>
            Order {payment.orderId} stays unpaid and the card is not charged. This cannot be undone.
          </p>
        </ActButton>
      )}
      {mayCancel && isOpen && !isHeld && (
        <ActButton
          says="Cancel the request"
          act={`Cancel the request for ${amount}`}
          isDangerous
          onConfirm={() => cancel.mutateAsync({ params })}
        >
          <p>
            The customer can no longer pay order {payment.orderId} with this request. If a payment
            is already with the bank, cancelling is refused.
          </p>
        </ActButton>
      )}
      {hasRefunded && (
        <Suspense>
          <RefundDialog payment={payment} isOpen={isRefunding} onClose={close} />
        </Suspense>
      )}
    </>
  );
};

const isOver: readonly string[] = ['FAILED', 'CANCELLED', 'EXPIRED', 'REJECTED'];

type AskAgainProps = { readonly payment: Payment; readonly pounds: number };

/** What was not paid is asked for by a link with the same on it. */
const AskAgain = ({ payment, pounds }: AskAgainProps): ReactNode => {
  const address = useAddress();
  const { orderId: order, customerId: customer } = payment;
  const search = { amount: String(pounds), order, customer };
  return (
    <Button c="white" component={Link} to={address('links')} search={search as never}>
      Ask again with a link
    </Button>
  );
};

type AnswerFirstProps = {
  readonly disputes: readonly Dispute[];
  readonly paymentRequestId: string;
};

const AnswerFirst = ({ disputes, paymentRequestId }: AnswerFirstProps): ReactNode => {
  const address = useAddress();
  const mayAnswer = useMay('disputes.answer');
  const waiting = disputes.find(({ status, answer }) => status === 'OPEN' && answer === 'DRAFT');
  if (!waiting || !mayAnswer) return null;
  const path = `disputes/${paymentRequestId}/${waiting.reference}`;
  return (
    <Button c="white" component={Link} to={address(path)}>
      Answer the dispute
    </Button>
  );
};

const isByCard = ({ cardPaymentDetails }: Payment['transactionDetails'][number]): boolean =>
  cardPaymentDetails !== undefined;

/** Of a charge of a saved card nobody saw a page, and there is no receipt. */
export const isPaidOnPage = (attempt: Payment['transactionDetails'][number]): boolean =>
  attempt.statusDetails?.status === 'COMPLETED' &&
  attempt.cardPaymentDetails?.metadata.isMitPayment !== true;
