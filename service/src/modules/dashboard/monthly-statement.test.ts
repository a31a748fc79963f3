import { afterAll, beforeAll, expect, test } from 'vitest';
import * as dashboard from '../../../../contract/dashboard/index.ts';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { openKillable } from '../../../../test/harness/open-killable.ts';
import { startOfLondonDay } from '../../kernel/london-day.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Mail } from '../../rails/mail-rail.ts';
import { clockRoutes } from '../sandbox/clock.ts';
import { webhookJobs, merchantRoutes as webhookRoutes } from '../webhooks/index.ts';
import { statementJobs, statementsDue } from './monthly-statement.ts';
import { memberCalls } from './test/member-calls.ts';
import { type MemberPages, openMemberPages } from './test/open-member-pages.ts';

const dashboardUrl = 'https://pay.example/dashboard';
const hourMs = 60 * 60 * 1000;
const { changeStatementMails, getMoney, getSettings, getStatement } = dashboard;

let members: MemberPages;
beforeAll(async () => {
  members = await openMemberPages((tools) => [
    ...webhookRoutes(tools as never),
    ...clockRoutes({ ...tools, dueSources: [statementsDue({ ...tools, dashboardUrl })] }),
  ]);
  // In the middle of a month, whenever this runs.
  const now = await nowOf();
  const middle = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12);
  await advance(middle - now.getTime());
});
afterAll(() => members.close());

const book = statement<{ readonly merchantId: string; readonly day: string }, never>(
  'test_statement_book',
  sql('merchantId', 'day')`
   insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
     resource_id, occurred_at)
   select :merchantId::uuid, 'SANDBOX', gen_random_uuid(), account, pence, reason, gen_random_uuid(),
     :day::date + interval '12 hours'
   from (values ('MERCHANT_UNSETTLED', -123456, 'PAYMENT_COMPLETED'),
     ('DUE_FROM_BANK', 123456, 'PAYMENT_COMPLETED'), ('MERCHANT_UNSETTLED', 250, 'FEE_CHARGED'),
     ('FEES', -250, 'FEE_CHARGED'), ('MERCHANT_UNSETTLED', 1206, 'REFUND_COMPLETED'),
     ('REFUNDS_IN_TRANSIT', -1206, 'REFUND_COMPLETED'),
     ('STORE_PAID_OUT', 2000, 'PAYOUT_SETTLED'), ('MERCHANT_UNSETTLED', 2000, 'PAYOUT_HANDED_OVER'),
     ('PAYOUTS_IN_TRANSIT', -4000, 'PAYOUT_HANDED_OVER')) as e (account, pence, reason)`,
);
const forgetProofs = statement<{ readonly merchantId: string }, never>(
  'test_statement_forget_proofs',
  sql('merchantId')`
   update person set email_verified = false where person_id in (
     select person_id from membership where merchant_id = :merchantId::uuid)`,
);

const set = (emails: readonly string[]) => members.call(changeStatementMails, { body: { emails } });
const nowOf = async () => new Date((await members.call(getSettings)).body.now);
const advance = (advanceMs: number, secret = members.sandboxSecret) =>
  members.request('POST', '/api/sandbox/clock', { secret, body: { advanceMs } });
type Listed = { readonly to: string; readonly subject: string; readonly text: string };
const mailsOf = async (secret = members.sandboxSecret): Promise<readonly Listed[]> =>
  (await members.request('GET', '/api/webhook/mails?limit=50', { secret })).body;
/** Twice at once, as two workers would. */
const work = async () => {
  const jobs = statementJobs({ ...members.tools, dashboardUrl });
  await Promise.all([...jobs, ...jobs].map(({ run }) => run()));
};
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

test('up to five addresses are set by environment, and a wrong one names its field', async () => {
  const saved = await set(['Ada@Books.example', 'ada@books.example', 'bob@books.example']);
  expect(saved.body.statementEmails).toEqual(['ada@books.example', 'bob@books.example']);
  for (const [wrong, field] of [
    [['ada@books.example', 'ada'], 'emails.1'],
    [Array.from({ length: 6 }, (_, at) => `a${at}@books.example`), 'emails'],
  ] as const) {
    const { status, body } = await set(wrong);
    expect([status, body.errors?.[0]?.field]).toEqual([400, field]);
  }
  expect((await members.call(getSettings)).body.statementEmails).toHaveLength(2);
  const path = `/dashboard/api/merchants/${members.merchant.merchantId}/production/settings`;
  const production = await members.request('GET', path, {
    ...{ secret: null, headers: members.owner.headers },
  });
  expect(production.body.statementEmails).toEqual([]);
  const { merchantId } = members.merchant;
  const { headers } = await signIn(members.tools, { merchantId, role: 'readOnly' });
  const refused = await members.call(changeStatementMails, { headers, body: { emails: [] } });
  expect(refused.status).toBe(403);
});

test('a month is mailed once when it is over, with the totals of its statement', async () => {
  const { merchantId } = members.merchant;
  const other = await members.newMerchant();
  const now = await nowOf();
  const month = now.toISOString().slice(0, 7);
  const first = `${month}-01`;
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1));
  const last = new Date(next.getTime() - 1).toISOString().slice(0, 10);
  await members.database.system(book, { merchantId, day: last });
  const dueAt = startOfLondonDay(next.toISOString().slice(0, 10)).getTime() + 6 * hourMs;
  const minutes = 5 * 60_000;
  expect((await advance(dueAt - now.getTime() - minutes)).status).toBe(200);
  await work();
  expect(await mailsOf()).toEqual([]);
  expect((await advance(2 * minutes)).status).toBe(200);
  await work();
  const mails = await mailsOf();
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(now);
  const subject = `Sandbox: Corner Coffee: statement of ${name}`;
  expect(mails.map((mail) => [mail.to, mail.subject]).sort()).toEqual([
    ['ada@books.example', subject],
    ['bob@books.example', subject],
  ]);
  const query = { from: first, to: last };
  const { body: stated } = await members.call(getStatement, { query });
  const { body: money } = await members.call(getMoney, { query });
  const { waiting, inPayout, heldForCases } = money.balance;
  expect([stated.sold, stated.fees, money.paidOut.amount]).toEqual([1234.56, 2.5, 20]);
  for (const [label, amount] of [
    ['Sold', stated.sold],
    ['Refunded', stated.refunded],
    ['Fees', stated.fees],
    ['Left', stated.net],
    ['VAT in sales', stated.tax],
    ['Paid out', money.paidOut.amount],
    ['Balance not paid out on .*', waiting + inPayout + heldForCases],
  ] as const)
    expect(mails[0]?.text).toMatch(new RegExp(`^${label}: ${pounds.format(amount)}$`, 'm'));
  expect(mails[0]?.text).toContain(
    `\n${dashboardUrl}/${merchantId}/sandbox/home/statement?month=${month}\n`,
  );
  await advance(2 * hourMs);
  await work();
  expect(await mailsOf()).toHaveLength(2);
  expect(await mailsOf(other.secrets.SANDBOX.secret)).toEqual([]);
});

test('each later month has its own mail, with HTML, and who is taken off gets none', async () => {
  await set(['ada@books.example']);
  await advance(62 * 24 * hourMs);
  await work();
  expect((await mailsOf()).filter(({ to }) => to === 'ada@books.example')).toHaveLength(3);
  await set([]);
  await advance(31 * 24 * hourMs);
  await work();
  expect(await mailsOf()).toHaveLength(4);
  const sent: Mail[] = [];
  const send = async (mail: Mail) => {
    sent.push(mail);
    return { kind: 'SENT' } as const;
  };
  const mailRail = { send, close: async () => undefined };
  for (const { name, run } of webhookJobs({ ...members.tools, mailRail }))
    if (name === 'sendMails') await run();
  expect(sent).toHaveLength(4);
  for (const { html } of sent) {
    expect(html).toContain('Balance not paid out on ');
    expect(html?.replace(/<[^>]+>/g, '')).toMatch(
      / \d{4} to \d+ \w+ \d{4}\. Open the statement by day/,
    );
  }
  expect(sent.some(({ html }) => html?.includes('£1,234.56'))).toBe(true);
});

test('a sandbox of which nobody has proven an address shows the mail, and sends none', async () => {
  const { merchantId, secrets } = await members.newMerchant();
  const { secret } = secrets.SANDBOX;
  const { headers } = await signIn(members.tools, { merchantId });
  await members.database.system(forgetProofs, { merchantId });
  const call = memberCalls({ ...members, merchant: { ...members.merchant, merchantId } }, headers);
  const emails = ['stranger@elsewhere.example'];
  expect((await call(changeStatementMails, { body: { emails } })).status).toBe(200);
  await advance(32 * 24 * hourMs, secret);
  const shown = await mailsOf(secret);
  expect(shown.length).toBeGreaterThan(0);
  for (const mail of shown) expect(mail).toMatchObject({ to: emails[0], sentAt: null });
  const sent: string[] = [];
  const send = async ({ to }: Mail) => {
    sent.push(to);
    return { kind: 'SENT' } as const;
  };
  for (const { name, run } of webhookJobs({
    ...members.tools,
    mailRail: { send, close: async () => undefined },
  }))
    if (name === 'sendMails') await run();
  expect(sent).toEqual([]);
});

const fallDue = statement<{ readonly merchantId: string }, never>(
  'test_statement_fall_due',
  sql('merchantId')`
   update statement_mail set due_at = now() where merchant_id = :merchantId::uuid`,
);
const endLeases = statement<object, never>(
  'test_statement_end_leases',
  sql()`update mail_outbox set leased_until = now() - interval '1 second'
   where leased_until is not null`,
);

test('wherever the worker is killed, a month is mailed, at most again under its Message-ID', async () => {
  const killable = openKillable();
  const { merchantId } = members.merchant;
  const sent: Mail[] = [];
  const send = async (mail: Mail) => {
    sent.push(mail);
    return { kind: 'SENT' } as const;
  };
  const mailed = async (tools: MemberPages['tools'], sendMail: typeof send) => {
    const mailRail = { send: sendMail, close: async () => undefined };
    for (const { run } of statementJobs({ ...tools, dashboardUrl })) await run();
    for (const { name, run } of webhookJobs({ ...tools, mailRail }))
      if (name === 'sendMails') await run();
  };
  const mortal = { ...members.tools, database: killable.database(members.tools.database) };
  const counts = new Set<number>();
  const steps = await killable.killAfterEach({
    prepare: async (round) => {
      const email = `killed-${round}@books.example`;
      await set([email]);
      await members.database.system(fallDue, { merchantId });
      return email;
    },
    work: () => mailed(mortal, (mail) => killable.step('send', () => send(mail))),
    check: async (email, killed) => {
      await members.database.system(endLeases, {});
      await mailed(members.tools, send);
      const own = sent.filter(({ to }) => to === email);
      expect(new Set(own.map(({ messageId }) => messageId)).size, killed).toBe(1);
      expect(new Set(own.map(({ text }) => text)).size, killed).toBe(1);
      counts.add(own.length);
    },
  });
  expect(steps).toEqual(expect.arrayContaining(['statement_mail_queue', 'mail_claim', 'send']));
  // Twice only where it was killed between the mail and its record.
  expect([...counts].sort()).toEqual([1, 2]);
});
