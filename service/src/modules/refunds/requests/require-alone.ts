import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refund } from '../core/refund.ts';
import { findAloneLimit } from './store/find-alone-limit.ts';

/** 403 for a refund that needs a second person. The statement that makes a refund checks the same. */
export const requireAlone = async (
  { database }: Uses<'database'>,
  caller: Pick<Caller, 'by' | 'tenant'>,
  { attemptId, amountPence }: Pick<Refund, 'attemptId' | 'amountPence'>,
): Promise<void> => {
  if (!isLimited(caller)) return;
  const { tenant } = caller;
  const values = { ...tenant, attemptId };
  const [row] = await database.tenant(tenant.merchantId, findAloneLimit, values);
  if (!row || row.above_pence === null) return;
  if (row.refunded_pence + amountPence <= row.above_pence) return;
  const above = poundsText(pence(row.above_pence));
  throw new Failure(failures.notPermitted, {
    message: `To refund more than £${above} of a payment needs a second person: propose it.`,
  });
};

/** Members refund alone up to the limit of the merchant; programs with a secret have none (REFUND-11). */
export const isLimited = ({ by }: Pick<Caller, 'by'>): boolean => by.kind === 'person';
