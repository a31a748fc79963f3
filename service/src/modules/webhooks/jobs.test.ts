import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Mail, MailOutcome } from '../../rails/mail-rail.ts';
import { merchantRoutes, webhookJobs } from './index.ts';
import { sendMails } from './jobs.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(() => service.close());

const write = statement<{ merchantId: string; recipient: string | null }, never>(
  'test_mail',
  sql('merchantId', 'recipient')`
   insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
     created_at)
   values (:merchantId, 'SANDBOX', 'WEBHOOK_EXHAUSTED', gen_random_uuid()::text, :recipient, 'Stopped',
     'Why', now())`,
);
const dueNow = statement<{ merchantId: string }, never>(
  'test_mail_due',
  sql('merchantId')`update mail_outbox set due_at = now() where merchant_id = :merchantId`,
);

const sentLongAgo = statement<{ merchantId: string }, never>(
  'test_mail_sent',
  sql('merchantId')`
   update mail_outbox set sent_at = now() - interval '91 days'
   where merchant_id = :merchantId and recipient = 'owner@shop.example'`,
);

const railOf = (outcomes: readonly MailOutcome[]) => {
  const sent: Mail[] = [];
  const left = [...outcomes];
  return {
    sent,
    close: async () => undefined,
    send: async (mail: Mail): Promise<MailOutcome> => {
      sent.push(mail);
      return left.shift() ?? { kind: 'SENT' };
    },
  };
};

test('a mail is stored and shown without a mail server, sent with one, and retried', async () => {
  const { merchantId, secrets } = await service.newMerchant();
  const { secret } = secrets.SANDBOX;
  const list = async () => (await service.request('GET', '/api/webhook/mails', { secret })).body;
  await service.database.system(write, { merchantId, recipient: 'owner@shop.example' });
  expect(await sendMails({ ...service.tools, mailRail: null })).toBe(0);
  expect(await list()).toMatchObject([{ subject: 'Stopped', text: 'Why', sentAt: null }]);
  const mailRail = railOf([{ kind: 'FAILED', description: 'mailbox is full' }]);
  expect(await sendMails({ ...service.tools, mailRail })).toBe(1);
  expect(await list()).toMatchObject([{ sentAt: null, lastError: 'mailbox is full' }]);
  expect(await sendMails({ ...service.tools, mailRail })).toBe(0);
  await service.database.system(dueNow, { merchantId });
  expect(await sendMails({ ...service.tools, mailRail })).toBe(1);
  const [mail] = await list();
  expect(mail.sentAt).not.toBeNull();
  expect(mail.lastError).toBeNull();
  expect(mailRail.sent.map(({ to }) => to)).toEqual(['owner@shop.example', 'owner@shop.example']);
  expect(mailRail.sent[0]?.messageId).toBe(mailRail.sent[1]?.messageId);
  expect(await sendMails({ ...service.tools, mailRail })).toBe(0);
});

test('a mail without a recipient stays readable', async () => {
  const { merchantId, secrets } = await service.newMerchant();
  await service.database.system(write, { merchantId, recipient: null });
  expect(await sendMails({ ...service.tools, mailRail: railOf([]) })).toBe(0);
  const { secret } = secrets.SANDBOX;
  const { body } = await service.request('GET', '/api/webhook/mails', { secret });
  expect(body).toMatchObject([{ to: null, sentAt: null }]);
});

test('a mail is deleted long after it was sent, and one that was not sent stays', async () => {
  const { merchantId, secrets } = await service.newMerchant();
  for (const recipient of ['owner@shop.example', 'other@shop.example'])
    await service.database.system(write, { merchantId, recipient });
  await service.database.system(sentLongAgo, { merchantId });
  const prune = webhookJobs({ ...service.tools, mailRail: null }).find(
    ({ name }) => name === 'pruneSentMails',
  );
  await prune?.run();
  const { secret } = secrets.SANDBOX;
  const { body } = await service.request('GET', '/api/webhook/mails', { secret });
  expect(body).toMatchObject([{ to: 'other@shop.example', sentAt: null }]);
});
