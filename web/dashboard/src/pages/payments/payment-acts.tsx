import {
  cancelCardPayment,
  cancelPaymentRequest,
  captureCardPayment,
  getPaymentStatus,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAct, useMay } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { refundableParts } from './refundable-parts.ts';

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
type Act = 'refund' | 'cancel' | 'capture' | 'release';

const changes = [getPaymentStatus, searchTransactions];

/** What can be done with a payment in its state, by this person. */
export const PaymentActs = ({ payment, amount: pounds, isOpen }: PaymentActsProps): ReactNode => {
  const [act, setAct] = useState<Act | null>(null);
  const [hasRefunded, setHasRefunded] = useState(false);
  const mayRefund = useMay('payments.refund');
  const mayPropose = useMay('refunds.propose');
  const mayCapture = useMay('payments.capture');
  const mayCancel = useMay('payments.create');
  const cancel = useAct(cancelPaymentRequest, { changes });
  const capture = useAct(captureCardPayment, { changes });
  const release = useAct(cancelCardPayment, { changes });
  const params = { paymentRequestId: payment.paymentRequestId };
  const amount = writePounds(pounds);
  const isHeld = payment.status === 'AUTHORIZED' && payment.transactionDetails.some(isByCard);
  const close = (): void => setAct(null);
  const openRefund = (): void => {
    setHasRefunded(true);
    setAct('refund');
  };
  return (
    <>
      {(mayRefund || mayPropose) && refundableParts(payment).length > 0 && (
        <Button onClick={openRefund}>{mayRefund ? 'Refund' : 'Propose a refund'}</Button>
      )}
      {mayCapture && isHeld && <Button onClick={() => setAct('capture')}>Capture {amount}</Button>}
      {mayCapture && isHeld && (
        <Button variant="default" onClick={() => setAct('release')}>
          Release
        </Button>
      )}
      {mayCancel && isOpen && !isHeld && (
        <Button variant="default" onClick={() => setAct('cancel')}>
          Cancel the request
        </Button>
      )}
      {hasRefunded && (
        <Suspense>
          <RefundDialog payment={payment} isOpen={act === 'refund'} onClose={close} />
        </Suspense>
      )}
      <ConfirmAct
        isOpen={act === 'capture'}
        title={`Capture ${amount}`}
        act={`Capture ${amount}`}
        onConfirm={() => capture.mutateAsync({ params })}
        onClose={close}
      >
        <p>The whole authorised amount of order {payment.orderId} is taken from the card.</p>
      </ConfirmAct>
      <ConfirmAct
        isOpen={act === 'release'}
        title={`Release ${amount}`}
        act={`Release ${amount}`}
        isDangerous
        onConfirm={() => release.mutateAsync({ params })}
        onClose={close}
      >
        <p>
          Order {payment.orderId} is not paid: the card is not charged, and this cannot be undone.
        </p>
      </ConfirmAct>
      <ConfirmAct
        isOpen={act === 'cancel'}
        title={`Cancel the request for ${amount}`}
        act={`Cancel the request for ${amount}`}
        isDangerous
        onConfirm={() => cancel.mutateAsync({ params })}
        onClose={close}
      >
        <p>
          The customer of order {payment.orderId} can no longer pay by this request. A payment that
          is already at the bank is not stopped: then this is refused.
        </p>
      </ConfirmAct>
    </>
  );
};

const isByCard = ({ cardPaymentDetails }: Payment['transactionDetails'][number]): boolean =>
  cardPaymentDetails !== undefined;
