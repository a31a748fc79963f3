import {
  cancelCardPayment,
  cancelPaymentRequest,
  captureCardPayment,
  getPaymentStatus,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAct, useMay } from '../../call/use-operation.ts';
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
};

const changes = [getPaymentStatus, searchTransactions];

/** What can be done with a payment in its state, by this person. */
export const PaymentActs = ({ payment, amount: pounds, isOpen }: PaymentActsProps): ReactNode => {
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
  const paid = payment.transactionDetails.findLast(isPaidOnPage);
  const openRefund = (): void => {
    setHasRefunded(true);
    open();
  };
  return (
    <>
      {(mayRefund || mayPropose) && refundableParts(payment).length > 0 && (
        <Button onClick={openRefund}>{mayRefund ? 'Refund' : 'Propose a refund'}</Button>
      )}
      {mayMail && payment.status === 'COMPLETED' && paid && (
        <Suspense>
          <MailReceipt {...params} paymentIdempotencyId={paid.paymentIdempotencyId} />
        </Suspense>
      )}
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
            Order {payment.orderId} is not paid: the card is not charged, and this cannot be undone.
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
            The customer of order {payment.orderId} can no longer pay by this request. A payment
            that is already at the bank is not stopped: then this is refused.
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

const isByCard = ({ cardPaymentDetails }: Payment['transactionDetails'][number]): boolean =>
  cardPaymentDetails !== undefined;

/** Of a charge of a saved card nobody saw a page, and there is no receipt. */
export const isPaidOnPage = (attempt: Payment['transactionDetails'][number]): boolean =>
  attempt.statusDetails?.status === 'COMPLETED' &&
  attempt.cardPaymentDetails?.metadata.isMitPayment !== true;
