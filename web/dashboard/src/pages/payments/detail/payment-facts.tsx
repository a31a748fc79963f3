import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { CopyText } from '../../../parts/copy-text.tsx';
import { DetailList } from '../../../parts/detail-list.tsx';
import { MoneyText } from '../../../parts/money-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';

export type Payment = ReplyOf<typeof getPaymentStatus>;

type PaymentFactsProps = { readonly payment: Payment; readonly amount: number };

export const PaymentFacts = ({ payment, amount }: PaymentFactsProps): ReactNode => {
  const { paymentRequestId, tipAmount, taxAmount, serviceAmount, storeDetails } = payment;
  return (
    <SectionCard title="Payment">
      <DetailList
        of={[
          ['Amount', <MoneyText key="amount" pounds={amount} />],
          ['Tip', tipAmount ? <MoneyText key="tip" pounds={tipAmount} /> : null],
          ['Tax', taxAmount ? <MoneyText key="tax" pounds={taxAmount} /> : null],
          ['Service', serviceAmount ? <MoneyText key="service" pounds={serviceAmount} /> : null],
          ['Order', <CopyText key="order" text={payment.orderId} what="order id" />],
          ['Your customer id', <CopyText key="c" text={payment.customerId} what="customer id" />],
          ['Store', storeDetails.locationName],
          ['Notes', payment.notes],
          ['Payment id', <CopyText key="id" text={paymentRequestId} what="payment id" />],
        ]}
      />
    </SectionCard>
  );
};
