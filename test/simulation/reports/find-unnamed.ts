import { type Environment, environments } from '../../../service/src/kernel/environment.ts';
import { reconcileBalances } from '../../../service/src/modules/transfers/index.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import type { Reports } from './open-reports.ts';

type Case = {
  readonly kind: string;
  readonly subject: string;
  readonly evidence: Readonly<Record<string, string>>;
};

/** What the bank has and neither books nor a case explain, one sentence each. */
export const findUnnamed = async (reports: Reports): Promise<readonly string[]> => {
  // A difference that stays the same opens its case.
  for (let times = 0; times < 2; times += 1) await reconcileBalances(reports.all, 0);
  const cases = await listOpenCases(reports);
  const books = await reports.database.system(readBooks, {});
  const wrong = environments.flatMap((environment) => {
    const own = books.find((each) => each.environment === environment);
    if (!own) return [`nothing was read of ${environment}`];
    const sumOf = (kind: string, member: string): bigint =>
      cases
        .filter((each) => each.kind === kind && each.evidence.environment === environment)
        .reduce((sum, { evidence }) => sum + BigInt(evidence[member] ?? 0), 0n);
    const named = sumOf('CREDIT_UNMATCHED', 'pence') - sumOf('DEBIT_UNEXPLAINED', 'pence');
    const bank = reports.accounts[environment].balancePence();
    const here = BigInt(own.booked_pence) + BigInt(own.in_air_pence) + named;
    // Only of this does the balance alone say something.
    const kept = BigInt(own.kept_pence);
    const balance = sumOf('BANK_BALANCE_DIFFERS', 'differencePence');
    return [
      ...(bank === here + kept && balance === kept
        ? []
        : [`${environment}: the bank has ${bank}, books and cases explain ${here}`]),
      ...(own.open_credits === 0 ? [] : [`${own.open_credits} credits are looked for without end`]),
      ...(own.due_debits === 0 ? [] : [`${own.due_debits} debits are looked for without end`]),
      ...(own.differences === null ? [] : [`no case of ${own.differences}`]),
    ];
  });
  return [...wrong, ...(await findBrokenInvariants(reports.databaseUrl, {}))];
};

const pageSize = 100;

const listOpenCases = async (reports: Reports): Promise<readonly Case[]> => {
  const found: Case[] = [];
  for (let page = 0; ; page += 1) {
    const path = `/cases?status=OPEN&size=${pageSize}&page=${page}`;
    const { data } = (await reports.operate('GET', path)).body;
    found.push(...data);
    if (data.length < pageSize) return found;
  }
};

/** In the air: what only a status has told, or a return, and the account does not list. */
const readBooks = statement<
  object,
  {
    readonly environment: Environment;
    readonly booked_pence: string;
    readonly in_air_pence: string;
    /** Of payments that their bank rejected after the money had come, and which it has not taken back. */
    readonly kept_pence: string;
    readonly open_credits: number;
    readonly due_debits: number;
    readonly differences: string | null;
  }
>(
  'test_reports_books',
  sql()`
   select n.environment,
     (select coalesce(sum(amount_pence), 0)::text from ledger_entry
       where environment = n.environment and account = 'COLLECTING_ACCOUNT') as booked_pence,
     (select (coalesce(sum(t.amount_pence), 0) - (select coalesce(sum(e.amount_pence), 0)
           from ledger_entry e
           where e.environment = n.environment and e.account = 'COLLECTING_ACCOUNT'
             and e.attempt_id is not null and not exists (select from account_credit c
               where c.environment = e.environment and c.attempt_id = e.attempt_id)))::text
       from transfer t where t.environment = n.environment
         and (t.outcome = 'SETTLED' or exists (select from transfer_entry r
           where r.environment = t.environment and r.end_to_end_id = t.end_to_end_id
             and r.kind = 'RETURN'))
         and not exists (select from transfer_entry d where d.environment = t.environment
           and d.end_to_end_id = t.end_to_end_id and d.kind = 'DEBIT')) as in_air_pence,
     (select coalesce(sum(c.amount_pence), 0)::text from account_credit c
       join attempt a on a.merchant_id = c.merchant_id and a.environment = c.environment
         and a.attempt_id = c.attempt_id and a.status = 'FAILED'
       where c.environment = n.environment and c.status = 'MATCHED') as kept_pence,
     (select count(*)::int from account_credit
       where environment = n.environment and status = 'OPEN') as open_credits,
     (select count(*)::int from account_debit
       where environment = n.environment and due_at is not null) as due_debits,
     (select string_agg(t.end_to_end_id, ' ') from transfer t
       where t.environment = n.environment and t.difference_pence <> 0
         and not exists (select from operator_case c where c.kind = 'TRANSFER_CONTRADICTION'
           and c.subject = t.end_to_end_id and c.status = 'OPEN')) as differences
   from (values ('SANDBOX'), ('PRODUCTION')) n (environment)`,
);
