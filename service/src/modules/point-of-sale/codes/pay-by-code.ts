import { createHash } from 'node:crypto';
import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import { createRequest } from '#modules/payments/index.ts';
import { type IdempotencyKey, isReplay } from '#platform/http/route.ts';
import { replayIfRefused } from '#platform/idempotency/replay-if-refused.ts';
import type { CodePageTools, FoundCode } from './find-code.ts';
import { beginPayment } from './store/codes.ts';

/**
 * A payment request of its own for each opening of the page. The same form sent again, by a second tap
 * or a retry, leads to the same one; another amount is another payment (CODE-2).
 */
export const payByCode = async (
  tools: CodePageTools,
  found: FoundCode,
  visit: string,
  amount: bigint,
): Promise<string> => {
  const { tenant, code } = found;
  const text = `${code.code_id}.${visit}.${amount}`;
  const key = { key: text, bodySha256: createHash('sha256').update(text).digest() };
  const made = await replayIfRefused(tools, tenant, 'payByCode', key, async () => {
    await countPayment(tools, found, key);
    return requestByCode(tools, found, amount, key);
  });
  const reply = isReplay(made) ? JSON.parse(made.replayed.reply) : made;
  return reply.paymentRequestId;
};

/** A code is on one table: more than this is a program, not a queue of people. */
const countPayment = async (
  { database }: CodePageTools,
  { tenant, code }: FoundCode,
  { bodySha256 }: IdempotencyKey,
): Promise<void> => {
  const [begun] = await database.tenant(tenant.merchantId, beginPayment, {
    ...tenant,
    codeId: code.code_id,
    payment: bodySha256.toString('hex').slice(0, 16),
    withinMs: limits.codePaymentsWithinMs,
    max: limits.codePayments,
  });
  if (begun) return;
  const retryAfterSeconds = limits.codePaymentsWithinMs / 1_000;
  throw new Failure(failures.rateLimited, { retryAfterSeconds });
};

const requestByCode = (
  tools: CodePageTools,
  { tenant, code }: FoundCode,
  amount: bigint,
  key: IdempotencyKey,
) => {
  const orderId = `CODE-${tools.ids.token(50).toUpperCase()}`;
  return createRequest(
    tools,
    {
      tenant,
      secretId: code.code_id,
      redirectUrl: null,
      isReadOnly: false,
      by: { kind: 'secret' },
    },
    {
      operation: 'payByCode',
      body: {
        amount: poundsText(pence(amount)),
        orderId,
        customerId: orderId,
        storeId: code.store_id,
        notes: code.label,
        expiresIn: limits.codePaymentMs,
      },
      making: { channel: 'CODE', tillName: null, fixedTipPence: null },
    },
    key,
  );
};
