import { limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Cases that could not be mailed, as rows of the operator's list (DASHBOARD-23). */
export const failedCaseMails = sql('limit')`
   (select 'CASE' as source, m.kind, m.merchant_id, m.environment, m.case_id::text as mail_id,
      null::text as recipient, null::bytea as recipient_encrypted, null::uuid as attempt_id,
      m.opened_at as created_at, m.leased_until as due_at, null::timestamptz as leased_until,
      false as is_given_up, false as is_late, m.report_attempts::int as attempts,
      m.report_error as last_error
    from (select * from operator_case where reported_at is null
      order by opened_at limit ${limits.stuckScanMax}) m
    where m.report_error is not null order by m.opened_at desc limit :limit)`;

/** Ends the pause after a failure. While a worker mails a case it has no error, and its lease stays. */
export const sendCaseAgain = statement<{ readonly caseId: string }, { readonly case_id: string }>(
  'operator_case_send_again',
  sql('caseId')`
   update operator_case set leased_until = least(leased_until, statement_timestamp())
   where case_id = :caseId::uuid and reported_at is null and report_error is not null
   returning case_id`,
  { guardedBy: 'an error and no report: a pause that is only made shorter' },
);
