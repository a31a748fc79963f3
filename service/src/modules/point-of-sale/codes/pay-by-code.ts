import { createHash } from 'node:crypto';
import { limits } from '@florin/contract';
import { pence, poundsText } from '#kernel/pence.ts';
import { createRequest } from '#modules/payments/index.ts';
import { isReplay } from '#platform/http/route.ts';
import type { CodePageTools, FoundCode } from './find-code.ts';
import { countRecent } from './store/codes.ts';

/**
 * A payment request of its own for each opening of the page. The same form sent again, by a second tap
 * or a retry, leads to the same one; another amount is another payment (CODE-2).
 */
export const payByCode = async (
  tools: CodePageTools,
  { tenant, code }: FoundCode,
  visit: string,
  amount: bigint,
): Promise<string> => {
  const orderId = `CODE-${tools.ids.token(50).toUpperCase()}`;
  const key = `${code.code_id}.${visit}.${amount}`;
  const made = await createRequest(
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
    { key, bodySha256: createHash('sha256').update(key).digest() },
  );
  const reply = isReplay(made) ? JSON.parse(made.replayed.reply) : made;
  return reply.paymentRequestId;
};

/** A code is on one table: more than this is a program, not a queue of people. */
export const isTooOften = async (
  { database }: CodePageTools,
  { tenant, code }: FoundCode,
): Promise<boolean> => {
  const values = { ...tenant, codeId: code.code_id, withinMs: limits.codePaymentsWithinMs };
  const [row] = await database.tenant(tenant.merchantId, countRecent, values);
  return (row?.payments ?? 0) >= limits.codePayments;
};
