import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recipientContext } from '../../service/src/modules/checkout/index.ts';
import { sendReceipts } from '../../service/src/modules/checkout/receipts/send-receipts.ts';
import { openCases } from '../../service/src/modules/operator-cases/index.ts';
import { reportCases } from '../../service/src/modules/operator-cases/jobs.ts';
import { listCaughtMails, listUnsentMails } from '../../service/src/modules/people/index.ts';
import { sendPersonMails } from '../../service/src/modules/people/mails/jobs.ts';
import { sendMails } from '../../service/src/modules/webhooks/jobs.ts';
import { openSideBySide } from '../../service/src/platform/side-by-side.ts';
import { openSmtp } from '../../service/src/rails/smtp.ts';
import { openMailServer } from '../harness/open-mail-server.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** A bad row in each queue of mails, before a good one in the order of the claim. */
let planted: Isolation;
beforeAll(async () => {
  planted = await openIsolation();
});
afterAll(() => planted.close());

const plantReceipt = async (to: string | null): Promise<void> => {
  const attemptId = randomUUID();
  const { secrets } = planted.service.tools;
  const recipient = to ? secrets.encrypt(to, recipientContext(attemptId)) : Buffer.from([0]);
  await planted.owner.query(
    `insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
       recipient_encrypted, subject, body_text, body_html)
     values ($1, 'SANDBOX', $2, 1, $2, $3, 'Receipt', 'words', 'words')`,
    [planted.service.merchant.merchantId, attemptId, recipient],
  );
};
const plantMerchantMail = async (to: string): Promise<void> => {
  await planted.owner.query(
    `insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
       created_at) values ($1, 'PRODUCTION', 'STORE_ACCOUNT_CHANGED', $2, $3, 's', 'b', now())`,
    [planted.service.merchant.merchantId, randomUUID(), to],
  );
};
const plantPersonMail = async (to: string, amountPence: string): Promise<void> => {
  await planted.owner.query(
    `insert into person_mail (kind, recipient, detail, expires_at) values ('PAYOUT_PAID', $1,
       jsonb_build_object('amountPence', $2::text, 'businessName', 'Tea'), now() + interval '1 day')`,
    [to, amountPence],
  );
};
const plantCases = async (): Promise<void> => {
  for (const subject of ['bad', 'good'])
    await openCases(planted.service.tools, [
      { kind: 'BOOKS_UNBALANCED', subject, description: `Case ${subject}.`, evidence: {} },
    ]);
  await planted.owner.query(`update operator_case set evidence = 'null' where subject = 'bad'`);
};

test.each([
  ['MERCHANT', plantMerchantMail, sendMails],
  ['PERSON', (to: string) => plantPersonMail(to, '1250'), sendPersonMails],
  ['RECEIPT', plantReceipt, sendReceipts],
] as const)('mails on which the server hangs hold no other of their queue: %s', async (...of) => {
  const [, plant, job] = of;
  for (let at = 0; at < 25; at += 1) await plant(`hang-${at}@tea.example`);
  await plant('behind@tea.example');
  const server = await openMailServer();
  const mailRail = openSmtp({ url: server.url, from: 'florin@pay.example', withoutTls: true });
  const { tools: opened } = planted.service;
  const mailRounds = openSideBySide(opened.log, () => opened.clock.sleep(10));
  const tools = { ...opened, mailRail, mailRounds, dashboardUrl: 'http://x/dashboard' };
  const rounds = (async () => {
    while ((await job(tools)) > 0);
  })();
  await waitUntil(async () => server.mails.length === 1);
  expect(server.mails[0]).toContain('behind@tea.example');
  await rounds;
  server.hangUp();
  await mailRounds.drain();
  await mailRail.close();
  server.close();
  await planted.rows(`delete from mail_outbox`);
  await planted.rows(`delete from person_mail`);
  await planted.rows(`delete from receipt_mail`);
});

test('a mail that cannot be written or sent stops no other, and is shown: every queue', async () => {
  await plantReceipt(null);
  await plantReceipt('payer@home.example');
  await plantMerchantMail('refused@tea.example');
  await plantMerchantMail('shop@tea.example');
  await plantPersonMail('bad@team.example', 'a lot');
  await plantPersonMail('ada@team.example', '1250');
  await plantCases();
  const sent: string[] = [];
  const mailRail = {
    send: async ({ to, text }: { readonly to: string; readonly text: string }) => {
      if (to.startsWith('refused')) throw new Error('the server hung up \0');
      sent.push(to === 'ops@pay.example' ? text.slice(0, 10) : to);
      return { kind: 'SENT' } as const;
    },
    close: async () => undefined,
  };
  const tools = {
    ...{ ...planted.service.tools, mailRail, operatorMail: 'ops@pay.example' },
    dashboardUrl: 'http://x/dashboard',
  };
  const jobs = [sendMails, sendReceipts, sendPersonMails, reportCases];
  // Twice at once, as two workers would.
  await Promise.all([...jobs, ...jobs].map((job) => job(tools)));
  const good = ['payer@home.example', 'shop@tea.example', 'ada@team.example', 'Case good.'];
  expect(sent.sort()).toEqual(good.sort());
  const { status, body } = await planted.service.operate('GET', '/failed-mails');
  expect(status, JSON.stringify(body)).toBe(200);
  const sources = body.data.map(({ source }: { readonly source: string }) => source);
  expect(sources.sort()).toEqual(['CASE', 'MERCHANT', 'PERSON', 'RECEIPT']);
  for (const each of body.data)
    expect(each).toMatchObject({ state: 'RETRYING', attempts: 1, canSend: true });
});

test('a mail that cannot be written hides no other in the lists of those that were not sent', async () => {
  const to = 'lists@team.example';
  await plantPersonMail(to, '1250');
  await plantPersonMail(to, 'a lot');
  const tools = { ...planted.service.tools, dashboardUrl: 'http://x/dashboard' };
  const lists = [
    (await listCaughtMails(tools, 100)).filter((mail) => mail.to === to),
    await listUnsentMails(tools, to),
  ];
  const bad = expect.stringMatching(/^This mail \(PAYOUT_PAID\) cannot be written: .+/);
  for (const list of lists) {
    expect(list).toHaveLength(2);
    expect(list).toContainEqual(expect.objectContaining({ text: bad }));
    expect(list).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('£12.50') }),
    );
  }
});
