import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { mayMailSql } from '#modules/people/index.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import type { Job } from '#platform/jobs.ts';
import { runInTurn } from '#platform/run-each.ts';
import type { Uses } from '#platform/tools.ts';
import { neverMailed } from '#rails/mail-rail.ts';
import { readPaidAndOwed } from './money.ts';
import { showStatement } from './statement.ts';
import { writeStatementMail } from './write-statement-mail.ts';

/** At six in London on the day after a month, by the tenant's own clock. */
const endsAt = (month: string) =>
  `((${month} + interval '1 month' + interval '6 hours') at time zone 'Europe/London')`;

const dueAfter = (month: string) => sql('merchantId', 'environment')`
  ${endsAt(month)} - clock_offset(:merchantId::uuid, :environment::text)`;

/** The month that is not over yet is the first; one that waits to be mailed goes to the new addresses. */
const setEmails = statement<Tenant & { readonly emails: readonly string[] }, never>(
  'statement_mail_set',
  sql('merchantId', 'environment', 'emails')`
   insert into statement_mail as s (merchant_id, environment, emails, month, due_at)
   select :merchantId::uuid, :environment::text, :emails::text[], n.month,
     case when cardinality(:emails::text[]) > 0 then ${dueAfter('n.month')} end
   from (select date_trunc('month', business_now(:merchantId::uuid, :environment::text)
     at time zone 'Europe/London' - interval '6 hours')::date as month) n
   on conflict (merchant_id, environment) do update set emails = excluded.emails,
     month = case when s.due_at is null then excluded.month else s.month end,
     due_at = case when cardinality(excluded.emails) > 0 then coalesce(s.due_at, excluded.due_at) end,
     updated_at = clock_timestamp()`,
  { guardedBy: 'primary key of merchant and environment: the later write wins' },
);

export const setStatementEmails = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  typed: readonly string[],
): Promise<void> => {
  const emails = [...new Set(typed.map((email) => email.toLowerCase()))];
  await database.tenant(tenant.merchantId, setEmails, { ...tenant, emails });
};

const isFree = isNotPutOff('s', 'merchant_id', 'STATEMENT');

export const statementDueAt = earliestDue({
  at: 's.due_at',
  from: 'statement_mail s',
  and: isFree,
});

type DueStatement = {
  readonly merchant_id: string;
  readonly environment: Tenant['environment'];
  readonly business_name: string;
  readonly month: string;
  readonly last_day: string;
};

const findDue = statement<{ readonly limit: number }, DueStatement>(
  'statement_mail_due',
  ofEachEnvironment(sql('limit')`
   select s.merchant_id, s.environment, m.business_name, s.month::text as month,
     (s.month + interval '1 month' - interval '1 day')::date::text as last_day
   from statement_mail s join merchant m on m.merchant_id = s.merchant_id
   where ${ofShare('s')} and s.due_at <= statement_timestamp() and ${isFree}
   order by s.due_at limit :limit`),
);

type StatementMail = Tenant & {
  readonly month: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** The month moves on in the statement that queues its mails: each address gets each month once. */
const queueMails = statement<StatementMail, never>(
  'statement_mail_queue',
  sql('merchantId', 'environment', 'month', 'subject', 'text', 'html')`
   with moved as (
     update statement_mail s set month = (s.month + interval '1 month')::date,
       due_at = ${dueAfter(`s.month + interval '1 month'`)}
     where s.merchant_id = :merchantId::uuid and s.environment = :environment::text
       and s.month = :month::date and s.due_at <= statement_timestamp()
     returning s.emails)
   insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
     body_html, created_at, due_at)
   select :merchantId::uuid, :environment::text, 'STATEMENT',
     concat_ws(':', 'STATEMENT', :month::text, e.email), e.email, :subject::text, :text::text,
     :html::text, clock_timestamp(),
     case when ${mayMailSql('e.email')} then clock_timestamp() else ${neverMailed} end
   from moved cross join unnest(moved.emails) as e (email)
   on conflict (merchant_id, environment, dedupe_key) do nothing`,
  { guardedBy: 'month as read and still due: the second of two finds it moved on' },
);

type MailTools = Uses<'database' | 'log'> & { readonly dashboardUrl: string };

const atOnce = 50;

/** Answers for how many merchants and environments the statement of a month was queued. */
const mailStatements = async (tools: MailTools): Promise<number> => {
  const due = await tools.database.system(findDue, { limit: atOnce });
  return runInTurn(
    tools,
    'STATEMENT',
    due,
    ({ merchant_id }) => merchant_id,
    (row) => mailStatement(tools, row),
  );
};

const mailStatement = async (tools: MailTools, row: DueStatement): Promise<void> => {
  const tenant = tenantOf(row);
  const { month: fromDay, last_day: toDay, business_name: businessName } = row;
  const [stated, money] = await Promise.all([
    showStatement(tools, tenant, { from: fromDay, to: toDay }),
    readPaidAndOwed(tools, tenant, { fromDay, toDay }),
  ]);
  const { dashboardUrl } = tools;
  const facts = { tenant, businessName, fromDay, toDay, dashboardUrl };
  const mail = writeStatementMail({ ...facts, totals: { ...stated, ...money } });
  await tools.database.system(queueMails, { ...tenant, month: fromDay, ...mail });
};

/** Safe to run anywhere, any number of times. */
export const statementJobs = (tools: MailTools): readonly Job[] => [
  { name: 'mailStatements', run: () => mailStatements(tools) },
];

const nextDue = statement<Tenant & { readonly after: Date }, { readonly due_at: Date }>(
  'statement_mail_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select ${endsAt('month')} as due_at from statement_mail
   where merchant_id = :merchantId and environment = :environment and due_at is not null
     and ${endsAt('month')} > :after::timestamptz`,
);

const recompute = statement<Tenant, never>(
  'statement_mail_tenant_recompute',
  sql('merchantId', 'environment')`
   update statement_mail set due_at = ${dueAfter('month')}
   where merchant_id = :merchantId and environment = :environment and due_at is not null`,
  { guardedBy: 'derives from the month, so a repeat changes nothing' },
);

/** What falls due for a merchant's statement when its sandbox clock is moved. */
export const statementsDue = (tools: MailTools) => ({
  nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
    const values = { ...tenant, after };
    const [row] = await tools.database.tenant(tenant.merchantId, nextDue, values);
    return row?.due_at ?? null;
  },
  recompute: async (tenant: Tenant): Promise<void> => {
    await tools.database.tenant(tenant.merchantId, recompute, tenant);
  },
  runDue: async (): Promise<void> => {
    await mailStatements(tools);
  },
});
