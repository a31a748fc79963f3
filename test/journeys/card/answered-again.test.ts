import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { answerCalls, refused } from './answer-calls.ts';

const answers = answerCalls();
const { dispute, timeline, answerOf, save, saveAt, submit, submitAt, reaches } = answers;
const { atProcessor, entriesOf, releaseLeases } = answers;
let opened: Awaited<ReturnType<typeof answers.open>>;
beforeAll(async () => {
  opened = await answers.open();
});
afterAll(answers.close);

describe('the answer to a dispute', () => {
  test('of two members is not overwritten by the second, nor sent unread', async () => {
    const of = await dispute();
    const { version } = (await saveAt(of, 0, { customerName: 'Ada' })).body;
    const theirs = await saveAt(of, version, { customerName: 'Ada', other: 'Theirs' });
    const late = await saveAt(of, version, { customerName: 'Ada', other: 'Mine' });
    expect([...refused(late), late.body.message]).toEqual([
      ...[409, 'CONFLICT'],
      expect.stringContaining('Another member has changed this answer'),
    ]);
    expect(refused(await saveAt(of, 0, {}))).toEqual([409, 'CONFLICT']);
    expect(refused(await submitAt(of, version))).toEqual([409, 'CONFLICT']);
    expect((await answerOf(of)).evidence).toEqual({ customerName: 'Ada', other: 'Theirs' });
    expect((await submitAt(of, theirs.body.version)).status).toBe(200);
    expect((await submitAt(of, version)).status).toBe(200);
  });

  test('of an inquiry is a draft again when the bank takes the money, and is sent again', async () => {
    const of = await dispute('4000000000001976');
    await save(of, { other: 'escalate_inquiry_evidence' });
    await submit(of);
    const again = await waitUntil(async () => {
      const found = await answerOf(of);
      return found.status === 'DRAFT' && found.submissions.length === 1 && found;
    });
    const evidence = { other: 'escalate_inquiry_evidence' };
    expect(again).toMatchObject({ evidence, submissions: [{ sentBy: 'Olive Owner', evidence }] });
    expect((await timeline(of)).disputes).toMatchObject([{ amount: 12.5, answer: 'DRAFT' }]);
    await save(of, { other: 'winning_evidence' });
    await submit(of);
    await waitUntil(async () => (await timeline(of)).disputes[0].status === 'WON');
    expect(await reaches(of, 'SUBMITTED')).toMatchObject({
      submissions: [{ evidence }, { evidence: { other: 'winning_evidence' } }],
    });
    expect((await atProcessor(of)).evidence_details).toMatchObject({ submission_count: 2 });
    expect(await entriesOf(of)).toContain(
      'The bank took the money after it had asked: answer again',
    );
    expect(await findBrokenInvariants(opened.sandbox.databaseUrl)).toEqual([]);
  });

  test('is tried again before its deadline, however often it failed', async () => {
    const of = await dispute();
    await save(of);
    const account = (key: string) =>
      opened.cards.rows('update attempt set account_key = $2 where payment_request_id = $1', [
        ...[of.paymentRequestId, key],
      ]);
    const failures = (count: number) =>
      waitUntil(async () => {
        const [lease] = await opened.cards.rows(
          `select failures, extract(epoch from leased_until - now())::int as seconds
           from work_lease where work = 'ANSWER'`,
        );
        return lease?.failures === count && lease;
      });
    await account('gone');
    await submit(of);
    await failures(1);
    await opened.cards.rows(`update work_lease set failures = 12, leased_until = now()
      where work = 'ANSWER'`);
    // The simulated bank leaves an hour; after as many failures other work waits for one.
    expect((await failures(13)).seconds).toBeLessThanOrEqual(180);
    await account('simulated');
    await releaseLeases();
    await reaches(of, 'SUBMITTED');
  });
});
