import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { openMailServer } from '../../../../test/harness/open-mail-server.ts';
import {
  type OperatorService,
  openOperator,
} from '../../../../test/journeys/operator/open-operator.ts';
import { openSmtp } from '../../rails/smtp.ts';
import { recipientContext } from '../checkout/index.ts';
import { sendReceipts } from '../checkout/receipts/send-receipts.ts';
import { openCases } from '../operator-cases/index.ts';
import { reportCases } from '../operator-cases/jobs.ts';
import { sendPersonMails } from '../people/mails/jobs.ts';
import { queueLinkMail } from '../people/mails/queue-link-mail.ts';
import { sendMails } from '../webhooks/jobs.ts';

let service: OperatorService;
let owner: pg.Client;
beforeAll(async () => {
  service = await openOperator();
  owner = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin -c session_replication_role=replica',
  });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

type Listed = { readonly source: string; readonly mailId: string };

const listed = async (query = '') => {
  const { status, body } = await service.operate('GET', `/failed-mails${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const send = ({ source, mailId }: Listed) =>
  service.operate('POST', `/failed-mails/${source}/${mailId}/send`, {});

/** Every job that mails, twice at once as two workers would, against a mail server. */
const runJobs = async (refuses: boolean): Promise<readonly string[]> => {
  const server = await openMailServer(refuses);
  const mailRail = openSmtp({ url: server.url, from: 'florin@pay.example', withoutTls: true });
  const tools = {
    ...{ ...service.tools, mailRail, operatorMail: 'ops@pay.example' },
    dashboardUrl: 'http://x/dashboard',
  };
  const jobs = [sendMails, sendReceipts, sendPersonMails, reportCases];
  await Promise.all([...jobs, ...jobs].map((job) => job(tools)));
  await mailRail.close();
  server.close();
  return server.mails;
};

const plantMerchantMails = async (): Promise<string> => {
  const { merchantId } = service.merchant;
  const attemptId = randomUUID();
  const payer = service.tools.secrets.encrypt('payer@home.example', recipientContext(attemptId));
  await owner.query(
    `insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
       recipient_encrypted, subject, body_text, body_html)
     values ($1, 'SANDBOX', $2, 1, $2, $3, 'Receipt', 'words of a receipt', 'words')`,
    [merchantId, attemptId, payer],
  );
  await owner.query(
    `insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
       created_at) values ($1, 'PRODUCTION', 'STORE_ACCOUNT_CHANGED', $2, 'shop@tea.example', 's',
       'words of a notice', now())`,
    [merchantId, attemptId],
  );
  return attemptId;
};

test('mails of every kind that failed are listed without their text, and sent again once', async () => {
  await plantMerchantMails();
  const { email } = await signIn(service.tools, { merchantId: service.merchant.merchantId });
  await queueLinkMail(service.tools, 'NEW_PASSWORD', email);
  await openCases(service.tools, [
    { kind: 'BOOKS_UNBALANCED', subject: 'books', description: 'Out of balance.', evidence: {} },
  ]);
  expect(await listed()).toMatchObject({ totalCount: 0, data: [] });
  expect(await runJobs(true)).toEqual([]);
  const { data, totalCount, ...more } = await listed();
  expect([totalCount, more.hasMailServer]).toEqual([4, false]);
  const sources = data.map(({ source }: Listed) => source);
  expect([...sources].sort()).toEqual(['CASE', 'MERCHANT', 'PERSON', 'RECEIPT']);
  for (const each of data)
    expect(each).toMatchObject({
      ...{ state: 'RETRYING', attempts: 1, canSend: true },
      title: 'The mail server refuses the address, or mails of ours.',
      nextAt: expect.stringMatching(/Z$/),
    });
  const of = (source: string) => data.find((each: Listed) => each.source === source);
  expect(of('RECEIPT')).toMatchObject({
    ...{ to: 'p…@home.example', kind: 'RECEIPT', environment: 'SANDBOX' },
    ...{ businessName: 'Corner Coffee', merchantId: service.merchant.merchantId },
  });
  expect(of('MERCHANT')).toMatchObject({ to: 's…@tea.example', environment: 'PRODUCTION' });
  expect(of('PERSON')).toMatchObject({ kind: 'NEW_PASSWORD', merchantId: null });
  const text = JSON.stringify(data);
  for (const secret of [email, 'payer@', 'words', 'new-password', 'no such box'])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(await runJobs(false)).toEqual([]);
  const all = await Promise.all([...data, ...data].map(send));
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
  for (const each of (await listed()).data)
    expect(each).toMatchObject({ canSend: false, nextAt: null });
  const mails = [...(await runJobs(false)), ...(await runJobs(false))];
  const addresses = ['home.example', 'ops@pay.example', 'tea.example', email];
  expect(mails).toHaveLength(addresses.length);
  for (const address of addresses)
    expect(mails.filter((mail) => mail.includes(address))).toHaveLength(1);
  expect((await listed()).totalCount).toBe(0);
  for (const each of data) expect((await send(each)).status, each.source).toBe(404);
});

test('a mail that was given up gets one more try, until what it says has ended', async () => {
  const { email } = await signIn(service.tools, { merchantId: service.merchant.merchantId });
  const failAgain = async () => {
    await owner.query(`update person_mail set due_at = now() where sent_at is null`);
    expect(await runJobs(true)).toEqual([]);
  };
  await queueLinkMail(service.tools, 'VERIFY_EMAIL', email);
  await owner.query(`update person_mail set attempts = 9 where recipient = $1`, [email]);
  await failAgain();
  const [mail] = (await listed()).data;
  expect(mail).toMatchObject({ state: 'GIVEN_UP', attempts: 10, canSend: true, nextAt: null });
  expect((await send(mail)).status).toBe(200);
  await failAgain();
  expect((await listed()).data).toMatchObject([{ state: 'GIVEN_UP', attempts: 11 }]);
  await Promise.all([send(mail), send(mail)]);
  expect(await runJobs(false)).toHaveLength(1);
  await queueLinkMail(service.tools, 'VERIFY_EMAIL', email);
  await failAgain();
  await owner.query(`update person_mail set expires_at = now() where sent_at is null`);
  const [late] = (await listed()).data;
  expect(late).toMatchObject({ state: 'ENDED', canSend: false });
  expect((await send(late)).status).toBe(404);
});

test.each([
  ['RECEIPT', 'none'],
  ['RECEIPT', `${randomUUID()}.SANDBOX.${randomUUID()}.99999999999`],
  ['RECEIPT', `${randomUUID()}.sandbox.${randomUUID()}.1`],
  ['MERCHANT', `${randomUUID()}.SANDBOX.1e3`],
  ['MERCHANT', `${randomUUID()}.SANDBOX.7`],
  ['PERSON', `x' or true`],
  ['CASE', randomUUID()],
])('%s %s is no mail', async (source, id) => {
  expect((await send({ source, mailId: encodeURIComponent(id) })).status).toBe(404);
});

test('a receipt that is kept for the developer of a sandbox alone is not sent by hand', async () => {
  const attemptId = await plantMerchantMails();
  await owner.query(`update receipt_mail set due_at = '9999-01-01' where attempt_id = $1`, [
    attemptId,
  ]);
  const mailId = `${service.merchant.merchantId}.SANDBOX.${attemptId}.1`;
  expect((await send({ source: 'RECEIPT', mailId })).status).toBe(404);
  const { rows } = await owner.query(
    `select 1 from receipt_mail where attempt_id = $1 and due_at > now()`,
    [attemptId],
  );
  expect(rows).toHaveLength(1);
});
