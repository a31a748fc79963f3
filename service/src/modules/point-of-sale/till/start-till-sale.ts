import { type BodyOf, limits, type ReplyOf } from '@florin/contract';
import type { startTillSale as operation } from '@florin/contract/dashboard/index.ts';
import { type Pence, pence, penceFromPounds, poundsText } from '#kernel/pence.ts';
import { createRequest, type RequestTools } from '#modules/payments/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Caller, IdempotencyKey, Replay } from '#platform/http/route.ts';

type Body = BodyOf<typeof operation>;

export type StartTools = RequestTools;

/** A payment request that the payer opens from the cashier's screen (TILL-1). */
export const startTillSale = (
  tools: StartTools,
  caller: Caller,
  { amount, tipAmount, tillName, storeId, orderId, notes }: Body,
  key: IdempotencyKey | null,
): Promise<ReplyOf<typeof operation> | Replay> => {
  // Two sales must not be taken for one another: each has an order of its own.
  const order = orderId?.trim() ?? `TILL-${tools.ids.token(50).toUpperCase()}`;
  return createRequest(
    tools,
    caller,
    {
      operation: 'startTillSale',
      body: {
        amount,
        orderId: order,
        customerId: order,
        expiresIn: limits.tillSaleMs,
        ...(storeId && { storeId }),
        ...(notes && { notes }),
      },
      making: {
        channel: 'TILL',
        tillName: tillName.trim(),
        fixedTipPence: tipAmount === undefined ? null : checkTip(tipAmount, amount),
      },
    },
    key,
  );
};

/** As much as a payer may give: a typing error must not cost them a hundred times the meal. */
const checkTip = (tipAmount: number, amount: number): Pence => {
  const tipPence = penceFromPounds(tipAmount);
  if (tipPence === null) throw badTip('must be pounds with at most two decimals');
  const amountPence = penceFromPounds(amount);
  // An amount that cannot be asked for is refused by its own rules.
  if (amountPence === null || amountPence < limits.paymentAmountPenceMin) return tipPence;
  const max = pence(amountPence * BigInt(limits.tipTimesAmountMax));
  if (tipPence > max) throw badTip(`must be at most ${poundsText(max)}`);
  return tipPence;
};

const badTip = (says: string) => badField('tipAmount', `tipAmount ${says}`, `tipAmount ${says}.`);
