import {
  chargeCard,
  type getCustomer,
  limits,
  listCustomerCards,
  type ReplyOf,
  requestPayment,
  searchTransactions,
} from '@florin/contract';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct, useAddress } from '../call/use-operation.ts';
import { ActButton } from '../parts/confirm-act.tsx';
import { typing, useTyped } from '../parts/fields.ts';
import { parsePounds, writePoundsFromPence } from '../parts/numbers.ts';

type Customer = ReplyOf<typeof getCustomer>;

const atFirst = { amount: '', orderId: '' };
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** What is asked for: an amount and an order. */
const useBill = () => {
  const { typed, type, begin } = useTyped(atFirst);
  const pence = parsePounds(typed.amount);
  const isShort = pence !== null && pence < limits.paymentAmountPenceMin;
  const least = `At least ${writePoundsFromPence(limits.paymentAmountPenceMin)}`;
  const complaint = isShort ? least : 'Enter an amount such as 12.50.';
  return {
    begin,
    bill: pence && !isShort ? { amount: pence / 100, orderId: typed.orderId.trim() } : null,
    isReady: Boolean(pence) && !isShort && typed.orderId.trim() !== '',
    written: pence && !isShort ? writePoundsFromPence(pence) : '',
    fields: (
      <>
        <TextInput
          label="Amount in pounds"
          leftSection="£"
          inputMode="decimal"
          placeholder="12.50"
          mb="sm"
          {...typing(typed.amount, (amount) => type({ amount }))}
          error={typed.amount !== '' && (!pence || isShort) && complaint}
        />
        <TextInput
          label="Order"
          placeholder="INV-1042"
          maxLength={limits.referenceLength}
          {...typing(typed.orderId, (orderId) => type({ orderId }))}
        />
      </>
    ),
  };
};

/** Makes a link for this customer, and leads to it: there it is mailed, shown or printed. */
export const AskToPay = ({ customer }: { readonly customer: Customer }): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const ask = useAct(requestPayment, { changes: [searchTransactions] });
  const { bill, begin, isReady, written, fields } = useBill();
  const { id, fullName, email } = customer;
  const [firstName = '', ...names] = fullName.split(' ');
  return (
    <ActButton
      says="Send a payment link"
      variant="filled"
      title={`Ask ${fullName} to pay`}
      act={`Create a link for ${written}`.trim()}
      isReady={isReady}
      onOpen={begin}
      onConfirm={async () => {
        if (!bill) return;
        const consumerDetails = {
          ...{ firstName, lastName: names.join(' ') },
          ...(email && { email }),
        };
        const body = { ...bill, customerId: id, atoaCustomerId: id, expiresIn: weekMs };
        const made = await ask.mutateAsync({ body: { ...body, consumerDetails } });
        void navigate({ to: address(`links/${made.paymentRequestId}`) });
      }}
    >
      {fields}
      <p className="soft">
        The link is valid for a week. On the next page you can email it, copy it or show its QR
        code.
      </p>
    </ActButton>
  );
};

type ChargeCardProps = {
  readonly customer: Customer;
  readonly cardId: string;
  /** "VISA ending in 4242" */
  readonly card: string;
};

/** Takes money from a saved card, as was agreed when it was saved, and leads to the payment. */
export const ChargeCard = ({ customer, cardId, card }: ChargeCardProps): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const charge = useAct(chargeCard, { changes: [searchTransactions, listCustomerCards] });
  const { bill, begin, isReady, written, fields } = useBill();
  return (
    <ActButton
      size="compact-sm"
      says="Charge"
      label={`Charge ${card}`}
      title={`Charge ${card}`}
      act={`Charge ${written}`.trim()}
      isReady={isReady}
      onOpen={begin}
      onConfirm={async () => {
        if (!bill) return;
        const of = { customerId: customer.id, paymentMethodId: cardId };
        const made = await charge.mutateAsync({
          body: { ...bill, ...of, captureType: 'AUTO_CAPTURE' },
        });
        void navigate({ to: address(`payments/${made.paymentRequestId}`) });
      }}
    >
      {fields}
      <p>
        The money is taken at once, without {customer.fullName} present. Only charge as you agreed
        when the card was saved.
      </p>
    </ActButton>
  );
};
