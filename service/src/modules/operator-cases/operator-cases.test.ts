import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import type { Mail, MailOutcome } from '../../rails/mail-rail.ts';
import { listCases, openCases, resolveCase, showCase } from './index.ts';
import { reportCases } from './jobs.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const aboutDispute = (subject: string) => ({
  tenant: service.sandbox,
  kind: 'DISPUTE_LOST' as const,
  subject,
  description: 'A dispute was lost.',
  evidence: { amountPence: 1250 },
});

const caseOf = async (subject: string) =>
  (await listCases(service.tools, null)).filter((each) => each.subject === subject);

test('a case that is reported twice is opened once, and again after it was resolved', async () => {
  const subject = randomUUID();
  await Promise.all([
    openCases(service.tools, [aboutDispute(subject)]),
    openCases(service.tools, [aboutDispute(subject)]),
  ]);
  const [opened, ...others] = await caseOf(subject);
  expect(others).toEqual([]);
  expect(opened).toMatchObject({ status: 'OPEN', merchantId: service.sandbox.merchantId });
  const { caseId = '' } = opened ?? {};
  await resolveCase(service.tools, caseId, { actor: 'Ada', resolution: 'Accepted.' });
  await openCases(service.tools, [aboutDispute(subject)]);
  expect((await caseOf(subject)).map(({ status }) => status).sort()).toEqual(['OPEN', 'RESOLVED']);
});

test('a case is resolved once, with its history', async () => {
  const subject = randomUUID();
  await openCases(service.tools, [aboutDispute(subject)]);
  const [{ caseId = '' } = {}] = await caseOf(subject);
  const resolve = () =>
    resolveCase(service.tools, caseId, { actor: 'Ada', resolution: 'Paid by insurance.' });
  const results = await Promise.allSettled([resolve(), resolve(), resolve()]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const shown = await showCase(service.tools, caseId);
  expect(shown).toMatchObject({ status: 'RESOLVED', resolution: 'Paid by insurance.' });
  expect(shown.history).toMatchObject([
    { fromStatus: 'OPEN', toStatus: 'RESOLVED', actor: 'Ada', detail: 'Paid by insurance.' },
  ]);
  await expect(showCase(service.tools, randomUUID())).rejects.toThrow('No operator case');
});

test('a case is mailed once, and again only when the mail failed', async () => {
  const subject = randomUUID();
  await openCases(service.tools, [
    { kind: 'BOOKS_UNBALANCED', subject, description: 'Out of balance.', evidence: {} },
  ]);
  const sent: Mail[] = [];
  const send = async (mail: Mail): Promise<MailOutcome> => {
    sent.push(mail);
    return { kind: 'SENT' };
  };
  const mailRail = { send, close: async () => undefined };
  const tools = { ...service.tools, mailRail, operatorMail: 'ops@example.com' };
  await Promise.all([reportCases(tools), reportCases(tools)]);
  await reportCases(tools);
  const mails = sent.filter(({ text }) => text.includes(subject));
  expect(mails).toMatchObject([
    { to: 'ops@example.com', subject: 'Florin needs you: BOOKS_UNBALANCED' },
  ]);
});
