import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { setPayoutSettings } from '../../../service/src/modules/merchants/index.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import {
  applyAnswer,
  chargeFees,
  closePayout,
  handOverWaiting,
  type Model,
  type ModelPayment,
} from './model.ts';
import { jobsOf, type Money, type Operation, type Weather } from './open-money.ts';
import { followNewPayments, noteCredit } from './payment-steps.ts';
import type { HubAnswer, HubTransfer } from './scripted-hub.ts';

/** Everything that is due is done, by the product and by the model. */
export const settle = async (model: Model, money: Money): Promise<void> => {
  await money.rest();
  await followNewPayments(model, money);
  for (const payment of model.payments) noteCredit(payment);
  const newFeesPence = chargeFees(model);
  const handedOver = newFeesPence > 0n ? await readHandedOver(money) : [];
  handOverWaiting(model, newFeesPence, new Set(handedOver.map(({ refund_id: id }) => id)));
  const pence = closePayout(model);
  if (pence === null) return;
  const known = model.payouts.map(({ payoutId }) => payoutId);
  const closed = await money.tools.database.tenant(money.tenant.merchantId, newPayouts, {
    ...money.tenant,
    known,
  });
  if (closed.length !== 1) throw new Error(`${closed.length} payouts, predicted one of ${pence}`);
  for (const { payout_id: payoutId } of closed)
    model.payouts.push({ payoutId, pence, status: 'PROCESSING' });
};

const readHandedOver = ({ tools, tenant }: Money) =>
  tools.database.tenant(tenant.merchantId, handedOverRefunds, tenant);

const handedOverRefunds = statement<Tenant, { readonly refund_id: string }>(
  'test_model_handed_over',
  sql('merchantId', 'environment')`
   select refund_id from refund where merchant_id = :merchantId and environment = :environment
     and step = 'HANDED_OVER'`,
);

const newPayouts = statement<
  Tenant & { readonly known: readonly string[] },
  { readonly payout_id: string }
>(
  'test_model_new_payouts',
  sql('merchantId', 'environment', 'known')`
   select payout_id from payout where merchant_id = :merchantId and environment = :environment
     and status <> 'PENDING' and payout_id <> all (:known::uuid[])`,
);

/** The period of the open payout ends: by the clock, or while workers run and die. */
export const endPeriod = async (
  model: Model,
  money: Money,
  byClock: boolean,
  weather: Weather,
): Promise<void> => {
  const { tools, tenant } = money;
  const [open] = await tools.database.tenant(tenant.merchantId, findOpenPayout, tenant);
  if (!open) return;
  model.isPayoutDue = true;
  if (byClock) {
    await money.move(5 * 24 * 3_600_000);
    return;
  }
  await tools.database.tenant(tenant.merchantId, endPeriodNow, tenant);
  await money.together(weather, [workOn(3), workOn(0), workOn(3)]);
};

const workOn =
  (first: number): Operation<void> =>
  async (tools) => {
    const jobs = jobsOf(tools);
    for (const job of [...jobs.slice(first), ...jobs.slice(0, first)]) await job();
  };

const findOpenPayout = statement<Tenant, { readonly payout_id: string }>(
  'test_model_open_payout',
  sql('merchantId', 'environment')`
   select payout_id from payout where merchant_id = :merchantId and environment = :environment
     and status = 'PENDING'`,
);

const endPeriodNow = statement<Tenant, never>(
  'test_model_end_period',
  sql('merchantId', 'environment')`
   update payout set due_at = clock_timestamp(), period_ends_business_at = clock_timestamp()
     + clock_offset(:merchantId::uuid, :environment::text)
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'`,
  { guardedBy: 'nothing: no program runs' },
);

export type Answering = {
  readonly copies: 1 | 2;
  readonly byStatement: boolean;
  readonly isFollowedLate: boolean;
  readonly isAfterStranger: boolean;
};

/** The bank answers a transfer: late, twice, by status or statement, while two programs read. */
export const answerTransfer = async (
  model: Model,
  money: Money,
  transfer: HubTransfer,
  wanted: HubAnswer,
  how: Answering,
  weather: Weather,
): Promise<void> => {
  const subjectId = await subjectOf(money, transfer);
  const subject =
    model.refunds.find(({ refundId }) => refundId === subjectId) ??
    model.payouts.find(({ payoutId }) => payoutId === subjectId);
  if (!subject) throw new Error(`${transfer.endToEndId} is for nothing that was predicted`);
  if (how.isAfterStranger) money.hub.sendForUnknown();
  money.hub.answer(transfer, wanted, how);
  if (how.isFollowedLate) money.hub.sendLate(transfer);
  await money.together(weather, [workOn(2), workOn(2)]);
  applyAnswer(subject, transfer);
};

const subjectOf = async (
  { tools, tenant }: Money,
  { endToEndId }: HubTransfer,
): Promise<string> => {
  const [row] = await tools.database.tenant<{ id: string }, { readonly subject_id: string }>(
    tenant.merchantId,
    {
      name: 'test_model_subject_of',
      text: 'select subject_id from transfer where end_to_end_id = $1',
      valueNames: ['id'],
    },
    { id: endToEndId },
  );
  return row?.subject_id ?? '';
};

/**
 * The bank's account report lists what arrived for a payment, once or twice; of one that it rejected
 * what it reversed too. Two programs read and match.
 */
export const listCredit = async (
  money: Money,
  payment: ModelPayment,
  copies: 1 | 2,
  weather: Weather,
): Promise<void> => {
  const isRejected = payment.status === 'FAILED';
  money.hub.listPayment(payment.idempotencyId, payment.totalPence, { isRejected, copies });
  payment.listed = isRejected ? 'CREDIT_AND_DEBIT' : 'CREDIT';
  await money.together(weather, [workOn(2), workOn(2)]);
};

export const changeFees = async (
  model: Model,
  { calm, tenant }: Money,
  fixedPence: number,
  basisPoints: number,
): Promise<void> => {
  await setPayoutSettings(calm, tenant, {
    feeFixed: fixedPence / 100,
    feeBasisPoints: basisPoints,
  });
  model.fee = { fixedPence: BigInt(fixedPence), basisPoints: BigInt(basisPoints) };
};
