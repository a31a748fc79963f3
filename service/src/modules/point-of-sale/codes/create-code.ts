import { type BodyOf, failures, limits } from '@florin/contract';
import type { createPaymentCode as operation } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { type Pence, penceFromPounds, poundsNumber, poundsText } from '#kernel/pence.ts';
import { findStore, readMerchant } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Caller, DecideOnce } from '#platform/http/route.ts';
import { type Code, type CodeTools, showCode } from './list-own-codes.ts';
import { insertCode } from './store/codes.ts';

type Body = BodyOf<typeof operation>;

/** Makes a code to print. Its id and token are decided once, so a repeat makes no second one. */
export const createCode = async (
  tools: CodeTools,
  { tenant, secretId }: Caller,
  body: Body,
  decideOnce: DecideOnce,
): Promise<Code> => {
  const { paymentLimitPence } = await readMerchant(tools, tenant);
  const amounts = checkAmounts(body, paymentLimitPence);
  if (body.storeId) await findStore(tools, tenant, body.storeId);
  const decided = await decideOnce(async () => `${tools.ids.uuid()} ${tools.ids.token(110)}`);
  const [codeId = '', token = ''] = decided.split(' ');
  const values = { ...tenant, codeId, token, madeBy: secretId, max: limits.paymentCodes };
  const [made] = await tools.database.tenant(tenant.merchantId, insertCode, {
    ...values,
    ...amounts,
    storeId: body.storeId ?? null,
    label: body.label.trim(),
  });
  if (!made)
    throw new Failure(failures.invalidState, {
      message: `There are ${limits.paymentCodes} codes already, or the store takes no payments.`,
    });
  return showCode(tools, tenant, made.code_id);
};

/** Fixed, or open between two; all within what the merchant takes. */
const checkAmounts = ({ amount, minAmount, maxAmount }: Body, limitPence: Pence) => {
  if (amount !== undefined) {
    if (minAmount !== undefined || maxAmount !== undefined)
      throw refusal(minAmount === undefined ? 'maxAmount' : 'minAmount', 'is for an open amount');
    const amountPence = checkAmount('amount', amount, limitPence).toString();
    return { amountPence, minPence: null, maxPence: null };
  }
  const min = checkAmount('minAmount', minAmount ?? minPounds, limitPence);
  const max = checkAmount('maxAmount', maxAmount ?? poundsNumber(limitPence), limitPence);
  if (min > max) throw refusal('maxAmount', 'must be at least minAmount');
  return { amountPence: null, minPence: min.toString(), maxPence: max.toString() };
};

const minPounds = limits.paymentAmountPenceMin / 100;

const checkAmount = (field: string, pounds: number, limitPence: Pence): Pence => {
  const amount = penceFromPounds(pounds);
  if (amount === null) throw refusal(field, 'must be pounds with at most two decimals');
  if (amount < limits.paymentAmountPenceMin) throw refusal(field, 'must be at least 1.00');
  if (amount > limitPence) throw refusal(field, `must be at most ${poundsText(limitPence)}`);
  return amount;
};

const refusal = (field: string, says: string): Failure =>
  badField(field, `${field} ${says}`, `${field} ${says}.`);
