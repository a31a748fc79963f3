import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { getMoney } from '../../../service/src/modules/dashboard/money.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import { disputedPence, type Model, type ModelPayment, payablePence } from './model.ts';
import type { Money } from './open-money.ts';
import { standingOf } from './scripted-hub.ts';

type Found = {
  readonly attempts: Readonly<Record<string, string>>;
  readonly refunds: Readonly<Record<string, string>>;
  readonly payouts: Readonly<Record<string, string>>;
  readonly payable: string;
  readonly open_payouts: Readonly<Record<string, string>>;
};

type FoundCredit = { readonly end_to_end_id: string; readonly status: string };

const read = statement<Tenant, Found>(
  'test_model_read',
  sql('merchantId', 'environment')`
   select
     (select coalesce(json_object_agg(attempt_id, concat_ws(' ', status, amount_pence + tip_pence,
         refunded_at_processor_pence(refunds), disputed_pence(disputes))), '{}')
       from attempt where merchant_id = :merchantId and environment = :environment) as attempts,
     (select coalesce(json_object_agg(refund_id, concat_ws(' ', status, step,
         coalesce(waits_for, '-'), amount_pence, (select count(*) from event e
           where e.resource_id = r.refund_id and e.event_type = 'REFUND_STATUS'))), '{}')
       from refund r where merchant_id = :merchantId and environment = :environment) as refunds,
     (select coalesce(json_object_agg(payout_id, status || ' ' || amount_pence)
         filter (where status <> 'PENDING'), '{}')
       from payout where merchant_id = :merchantId and environment = :environment) as payouts,
     (select coalesce(-sum(amount_pence), 0)::text from ledger_entry
       where merchant_id = :merchantId and environment = :environment
         and account = 'MERCHANT_PAYABLE') as payable,
     (select coalesce(json_object_agg(sort_code || account_number, amount_pence::text), '{}')
       from payout where merchant_id = :merchantId and environment = :environment
         and status = 'PENDING' and amount_pence <> 0) as open_payouts`,
);

/** Differences between the product and what the model predicts, one sentence each. */
export const findDifferences = async (model: Model, money: Money): Promise<readonly string[]> => {
  const { tenant, tools, bank, hub, processor } = money;
  const [found] = await tools.database.tenant(tenant.merchantId, read, tenant);
  if (!found) return ['nothing was read'];
  const attempts = model.payments.map((each): [string, string] => [
    each.attemptId,
    `${each.status} ${each.totalPence} ${each.refundedAtProcessorPence} ${disputedPence(each)}`,
  ]);
  const refunds = model.refunds.map((each): [string, string] => [
    each.refundId,
    [each.status, each.step, each.waitsFor ?? '-', each.pence, each.events].join(' '),
  ]);
  const payouts = model.payouts.map(({ payoutId, status, pence }): [string, string] => [
    payoutId,
    `${status} ${pence}`,
  ]);
  const payable = [...new Set(money.stores.map(({ account }) => account))].map(
    (account): [string, bigint] => [account, payablePence(model, account)],
  );
  const payableSum = String(payable.reduce((sum, [, pence]) => sum + pence, 0n));
  const open = payable
    .filter(([, pence]) => pence !== 0n)
    .map(([account, pence]): [string, string] => [account, String(pence)]);
  return [
    ...differ('attempt', attempts, found.attempts),
    ...differ('refund', refunds, found.refunds),
    ...known('refund', refunds, found.refunds),
    ...differ('payout', payouts, found.payouts),
    ...known('payout', payouts, found.payouts),
    ...(found.payable === payableSum
      ? []
      : [`payable is ${found.payable}, predicted ${payableSum}`]),
    ...differ('open payout of', open, found.open_payouts),
    ...known('open payout of', open, found.open_payouts),
    ...(await findCreditDifferences(model, money)),
    ...(await findTransferDifferences(money)),
    ...(await findLostMoney(money)),
    ...[...bank.complaints, ...hub.complaints, ...processor.complaints],
  ];
};

/** Whatever happened: what was earned is all of it somewhere (DASHBOARD-41). */
const findLostMoney = async ({ tenant, tools }: Money): Promise<readonly string[]> => {
  const { balance } = await getMoney(tools, tenant, {});
  const { sold, refunded, fees, reversed, ...places } = balance;
  const penceOf = (pounds: readonly number[]) =>
    pounds.reduce((sum, each) => sum + Math.round(each * 100), 0);
  const earned = penceOf([sold, -refunded, -fees, -reversed]);
  return earned === penceOf(Object.values(places))
    ? []
    : [`earned ${earned} pence, and they are at ${JSON.stringify(places)}`];
};

const readCredits = statement<{ readonly ids: readonly string[] }, FoundCredit>(
  'test_model_credits',
  sql('ids')`
   select end_to_end_id, status from account_credit
   where environment = 'SANDBOX' and end_to_end_id = any (:ids::text[])`,
);

const findCreditDifferences = async (
  model: Model,
  { tools }: Money,
): Promise<readonly string[]> => {
  const listed = model.payments.filter((each) => each.listed !== 'NOTHING');
  if (listed.length === 0) return [];
  const ids = listed.map(({ idempotencyId }) => idempotencyId);
  const found = await tools.database.system(readCredits, { ids });
  return listed.flatMap((payment) => {
    const own = found.filter((each) => each.end_to_end_id === payment.idempotencyId);
    const status = own.map((each) => each.status).join();
    const possible = creditStatuses(payment);
    if (possible.includes(status)) return [];
    return [`credit of ${payment.attemptId} is ${status}, predicted ${possible.join(' or ')}`];
  });
};

/** One of a failed payment is looked for three times before it is UNMATCHED. */
const creditStatuses = (payment: ModelPayment): readonly string[] => {
  const { isMatched, isTakenBack, listed, status } = payment;
  if (isTakenBack) return ['REVERSED'];
  if (isMatched) return listed === 'CREDIT_AND_DEBIT' ? ['MATCHED', 'REVERSED'] : ['MATCHED'];
  if (listed === 'CREDIT_AND_DEBIT') return ['REVERSED'];
  return status === 'FAILED' ? ['OPEN', 'UNMATCHED'] : ['OPEN'];
};

const readTransfers = statement<
  Tenant,
  {
    readonly end_to_end_id: string;
    readonly subject_id: string;
    readonly left_pence: string;
    readonly has_case: boolean;
  }
>(
  'test_model_transfers',
  sql('merchantId', 'environment')`
   select t.end_to_end_id, t.subject_id::text,
     coalesce(-(select sum(e.amount_pence) from ledger_entry e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.account = 'COLLECTING_ACCOUNT' and e.resource_id = t.subject_id), 0)::text
       as left_pence,
     exists (select from operator_case c where c.kind = 'TRANSFER_CONTRADICTION'
       and c.subject = t.end_to_end_id and c.status = 'OPEN') as has_case
   from transfer t where t.merchant_id = :merchantId and t.environment = :environment`,
);

/**
 * What the bank says of each refund and payout, in all its transfers, equals our books, and a case is
 * open while it contradicts itself about one.
 */
const findTransferDifferences = async ({
  tools,
  tenant,
  hub,
}: Money): Promise<readonly string[]> => {
  const rows = await tools.database.tenant(tenant.merchantId, readTransfers, tenant);
  const found = rows.map(({ end_to_end_id: id, left_pence, has_case }): [string, string] => [
    id,
    `${left_pence} ${has_case}`,
  ]);
  const subjects = new Map(rows.map((row) => [row.end_to_end_id, row.subject_id]));
  const leftPence = new Map<string | undefined, bigint>();
  for (const each of hub.transfers) {
    const subject = subjects.get(each.endToEndId);
    leftPence.set(subject, (leftPence.get(subject) ?? 0n) + standingOf(each).leftPence);
  }
  const atBank = hub.transfers.map((each): [string, string] => {
    const left = leftPence.get(subjects.get(each.endToEndId));
    return [each.endToEndId, `${left} ${standingOf(each).differencePence !== 0n}`];
  });
  return differ('transfer', atBank, Object.fromEntries(found));
};

const differ = (
  what: string,
  predicted: readonly (readonly [string, string])[],
  found: Readonly<Record<string, string>>,
): readonly string[] =>
  predicted
    .filter(([id, text]) => found[id] !== text)
    .map(([id, text]) => `${what} ${id} is ${found[id]}, predicted ${text}`);

const known = (
  what: string,
  predicted: readonly (readonly [string, string])[],
  found: Readonly<Record<string, string>>,
): readonly string[] => {
  const ids = new Set(predicted.map(([id]) => id));
  return Object.entries(found)
    .filter(([id]) => !ids.has(id))
    .map(([id, text]) => `${what} ${id} ${text} was not predicted`);
};
