import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { setPayoutSettings } from '../../../service/src/modules/merchants/index.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import {
  applyAnswer,
  chargeFees,
  closePayouts,
  endRefund,
  handOverWaiting,
  type Model,
  type ModelPayout,
  type ModelRefund,
  overdrawnPence,
} from './model.ts';
import { jobsOf, type Money, type Operation, type Weather } from './open-money.ts';
import { followNewPayments, noteCredit } from './payment-steps.ts';
import type { HubAnswer, HubLie, HubTransfer } from './scripted-hub.ts';

/** Everything that is due is done, by the product and by the model. */
export const settle = async (model: Model, money: Money): Promise<void> => {
  await money.rest();
  await followNewPayments(model, money);
  for (const payment of model.payments) {
    noteCredit(payment);
    payment.hasArrived ||= payment.isSettled;
  }
  const newFees = chargeFees(model);
  const outgoing = await readOutgoing(model, money);
  const handedOver = new Set(outgoing.handed_over);
  const closed = [...outgoing.closed];
  if (model.isRaced || model.refunds.some(hasSettledMeanwhile))
    adoptOutgoing(model, outgoing, closed.splice(0));
  model.isRaced = false;
  for (const refund of model.refunds) adoptFailure(refund, outgoing);
  handOverWaiting(model, { newFees, handedOver });
  const predicted = closePayouts(model);
  const said = closed.map(({ account, pence }) => `${account} ${pence}`).sort();
  const meant = predicted.map(({ account, pence }) => `${account} ${pence}`).sort();
  if (said.join() !== meant.join())
    throw new Error(`closed payouts: ${said.join()}, predicted: ${meant.join()}`);
  for (const payout of closed) addPayout(model, payout);
  for (const { account } of money.stores)
    if (overdrawnPence(model, account) > 0n)
      throw new Error(`${overdrawnPence(model, account)} more has left ${account} than came in`);
};

/** It is looked at again within seconds: a later one may be handed over before it. */
const hasSettledMeanwhile = ({ step, waitsFor, payment }: ModelRefund): boolean =>
  step === 'WAITING' && waitsFor === 'SETTLEMENT' && payment.isSettled;

/** What went first in a race may be either; it had to be allowed. */
const adoptOutgoing = (model: Model, outgoing: Outgoing, closed: readonly ClosedPayout[]): void => {
  for (const refund of model.refunds) if (refund.step === 'WAITING') adoptRefund(refund, outgoing);
  for (const payout of closed) {
    if (!model.due.has(payout.account)) throw new Error(`${payout.payoutId} was closed too early`);
    addPayout(model, payout);
  }
  model.due = new Set(outgoing.still_due);
};

const adoptRefund = (
  refund: ModelRefund,
  { handed_over: handedOver, account_needed: accountNeeded }: Outgoing,
): void => {
  const { payment, refundId, hasAccount } = refund;
  // Asked for before its bank took the payment back.
  if (!hasAccount && accountNeeded.includes(refundId))
    Object.assign(refund, { status: 'PENDING', waitsFor: 'REFUND_ACCOUNT_NEEDED' });
  if (!handedOver.includes(refundId)) return;
  if (!hasAccount || !payment.hasArrived)
    throw new Error(`${refundId} was handed over before it could be`);
  Object.assign(refund, { status: 'PENDING', step: 'HANDED_OVER', waitsFor: null });
};

/** One that waits for an account is looked at again within the hour. */
const adoptFailure = (refund: ModelRefund, { failed }: Outgoing): void => {
  const { payment, refundId, waitsFor } = refund;
  if (waitsFor !== 'REFUND_ACCOUNT_NEEDED' || payment.status === 'COMPLETED') return;
  if (failed.includes(refundId)) endRefund(refund, 'FAILED');
};

const addPayout = (model: Model, { payoutId, account, pence }: ClosedPayout): void => {
  model.payouts.push({
    payoutId,
    account,
    pence: BigInt(pence),
    status: 'PROCESSING',
    unpaidPence: 0n,
    heldPence: 0n,
  });
};

type ClosedPayout = { readonly payoutId: string; readonly account: string; readonly pence: string };
type Outgoing = {
  readonly handed_over: readonly string[];
  readonly account_needed: readonly string[];
  readonly failed: readonly string[];
  readonly closed: readonly ClosedPayout[];
  readonly still_due: readonly string[];
};

const readOutgoing = async (model: Model, { tools, tenant }: Money): Promise<Outgoing> => {
  const known = model.payouts.map(({ payoutId }) => payoutId);
  const values = { ...tenant, known };
  const [found] = await tools.database.tenant(tenant.merchantId, outgoing, values);
  if (!found) throw new Error('nothing was read');
  return found;
};

const outgoing = statement<Tenant & { readonly known: readonly string[] }, Outgoing>(
  'test_model_outgoing',
  sql('merchantId', 'environment', 'known')`
   select
     array(select refund_id::text from refund where merchant_id = :merchantId
       and environment = :environment and step = 'HANDED_OVER') as handed_over,
     array(select refund_id::text from refund where merchant_id = :merchantId
       and environment = :environment and step = 'WAITING'
       and waits_for = 'REFUND_ACCOUNT_NEEDED') as account_needed,
     array(select refund_id::text from refund where merchant_id = :merchantId
       and environment = :environment and status = 'FAILED') as failed,
     (select coalesce(json_agg(json_build_object('payoutId', payout_id, 'account',
         sort_code || account_number, 'pence', amount_pence::text)), '[]') from payout
       where merchant_id = :merchantId and environment = :environment and status <> 'PENDING'
         and payout_id <> all (:known::uuid[])) as closed,
     array(select sort_code || account_number from payout where merchant_id = :merchantId
       and environment = :environment and status = 'PENDING'
       and due_at <= clock_timestamp()) as still_due`,
);

/** The periods of open payouts end: of all by the clock, or of some while workers run and die. */
export const endPeriod = async (
  model: Model,
  money: Money,
  stores: 'BY_CLOCK' | readonly number[],
  weather: Weather,
): Promise<void> => {
  if (stores === 'BY_CLOCK') {
    await makeDue(model, money, accountsOf(money));
    await money.move(5 * 24 * 3_600_000);
    return;
  }
  await endPeriodNow(model, money, stores);
  await money.together(weather, [workOn(3), workOn(0), workOn(3)]);
};

export const endPeriodNow = async (
  model: Model,
  money: Money,
  stores?: readonly number[],
): Promise<void> => {
  const accounts = accountsOf(money, stores);
  await makeDue(model, money, accounts);
  const { tools, tenant } = money;
  await tools.database.tenant(tenant.merchantId, endPeriods, { ...tenant, accounts });
};

const accountsOf = (
  { stores }: Money,
  numbers: readonly number[] = [...stores.keys()],
): readonly string[] => stores.flatMap(({ account }, at) => (numbers.includes(at) ? account : []));

const makeDue = async (
  model: Model,
  { tools, tenant }: Money,
  accounts: readonly string[],
): Promise<void> => {
  const open = await tools.database.tenant(tenant.merchantId, findOpenPayouts, tenant);
  for (const { account } of open) if (accounts.includes(account)) model.due.add(account);
};

export const workOn =
  (first: number): Operation<void> =>
  async (tools) => {
    const jobs = jobsOf(tools);
    for (const job of [...jobs.slice(first), ...jobs.slice(0, first)]) await job();
  };

const findOpenPayouts = statement<Tenant, { readonly account: string }>(
  'test_model_open_payouts',
  sql('merchantId', 'environment')`
   select sort_code || account_number as account from payout
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'`,
);

const endPeriods = statement<Tenant & { readonly accounts: readonly string[] }, never>(
  'test_model_end_period',
  sql('merchantId', 'environment', 'accounts')`
   update payout set due_at = clock_timestamp(), period_ends_business_at = clock_timestamp()
     + clock_offset(:merchantId::uuid, :environment::text)
   where merchant_id = :merchantId and environment = :environment and status = 'PENDING'
     and sort_code || account_number = any (:accounts::text[])`,
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
  const subject = await subjectOf(model, money, transfer);
  if (how.isAfterStranger) money.hub.sendForUnknown();
  money.hub.answer(transfer, wanted, how);
  if (how.isFollowedLate) money.hub.sendLate(transfer);
  await money.together(weather, [workOn(2), workOn(2)]);
  applyAnswer(subject, partsOf(money, subject, transfer));
};

/** The bank contradicts what was ordered, or itself: by amount, while two programs read. */
export const lieAboutTransfer = async (
  model: Model,
  money: Money,
  transfer: HubTransfer,
  lie: { readonly said: HubLie; readonly byPence: bigint },
  weather: Weather,
): Promise<void> => {
  const subject = await subjectOf(model, money, transfer);
  money.hub.lie(transfer, lie.said, lie.byPence);
  await money.together(weather, [workOn(2), workOn(2)]);
  applyAnswer(subject, partsOf(money, subject, transfer));
};

/** The transfers that pay it together: those of a payout are one message to the bank. */
export const partsOf = (
  { hub }: Money,
  subject: ModelRefund | ModelPayout,
  transfer: HubTransfer,
): readonly HubTransfer[] =>
  'payoutId' in subject
    ? hub.transfers.filter(({ messageId }) => messageId === transfer.messageId)
    : [transfer];

export const subjectOf = async (
  model: Model,
  { tools, tenant }: Money,
  { endToEndId }: HubTransfer,
): Promise<ModelRefund | ModelPayout> => {
  const [row] = await tools.database.tenant<{ id: string }, { readonly subject_id: string }>(
    tenant.merchantId,
    {
      name: 'test_model_subject_of',
      text: 'select subject_id from transfer where end_to_end_id = $1',
      valueNames: ['id'],
    },
    { id: endToEndId },
  );
  const subject =
    model.refunds.find(({ refundId }) => refundId === row?.subject_id) ??
    model.payouts.find(({ payoutId }) => payoutId === row?.subject_id);
  if (!subject) throw new Error(`${endToEndId} is for nothing that was predicted`);
  return subject;
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
