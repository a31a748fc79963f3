import { describe, expect, it } from 'vitest';
import { broken, refused } from './fixtures/bodies.ts';
import { useScriptedRail } from './test/scripted-rail.ts';

const scripted = useScriptedRail();

describe('a dispute', () => {
  it.each([
    ['needs_response', 'OPEN'],
    ['under_review', 'OPEN'],
    ['won', 'WON'],
    ['lost', 'LOST'],
    ['warning_needs_response', 'OPEN', 0n],
    ['warning_under_review', 'OPEN', 0n],
    ['warning_closed', 'WON', 0n],
  ])('that is %s is %s', async (word, status, amountPence = 1250n) => {
    const body = {
      id: 'dp_1',
      status: word,
      amount: 1250,
      payment_intent: { id: 'pi_1', metadata: { attemptId: 'attempt-1' } },
      reason: 'general',
      submissions: 0,
      evidence_details: { due_by: 1_795_000_000 },
    };
    scripted.processor.script('GET disputes/:id', { body });
    expect(await scripted.rail.readDispute('dp_1')).toEqual({
      kind: 'DISPUTE',
      status,
      amountPence,
      paymentReference: 'pi_1',
      attemptId: 'attempt-1',
      reason: 'general',
      submissions: 0,
      respondBy: new Date(1_795_000_000_000),
    });
  });

  it('is UNKNOWN when it is not shown', async () => {
    expect((await scripted.rail.readDispute('dp_1')).kind).toBe('UNKNOWN');
  });
});

const read = 'GET disputes/:id';
const update = 'POST disputes/:id';
const close = 'POST disputes/:id/close';
const shown = (status: string, submissions = 0) => ({
  body: {
    ...{ id: 'dp_1', status, amount: 1250, payment_intent: 'pi_1', reason: 'general' },
    evidence_details: { due_by: 1_795_000_000, submission_count: submissions },
  },
});
const evidence = {
  texts: { customerEmail: 'ada@example.com', other: 'It was delivered.' },
  files: { receipt: 'file_1', other: 'file_2' },
};
const send = (contested = true, submissionsBefore = 0) =>
  scripted.rail.answerDispute({
    ...{ key: 'answer-1', disputeReference: 'dp_1', submissionsBefore },
    evidence: contested ? evidence : null,
  });
const keys = (operation: string) =>
  scripted.processor.sentTo(operation).map(({ headers }) => headers['idempotency-key']);

describe('the answer to a dispute', () => {
  it('is sent again once the inquiry that was answered is a dispute', async () => {
    scripted.processor.script(read, shown('needs_response', 1));
    scripted.processor.script(update, shown('under_review', 2));
    expect(await send(true, 1)).toMatchObject({ kind: 'ANSWERED', dispute: { submissions: 2 } });
    expect(keys(update)).toEqual(['answer-1']);
  });

  it('is sent once, under its key and the names of the processor', async () => {
    scripted.processor.script(read, shown('needs_response'));
    scripted.processor.script(update, shown('under_review', 1));
    expect(await send()).toMatchObject({ kind: 'ANSWERED', dispute: { status: 'OPEN' } });
    const [sent] = scripted.processor.sentTo(update);
    expect(Object.fromEntries(sent?.body ?? [])).toMatchObject({
      'evidence[customer_email_address]': 'ada@example.com',
      'evidence[uncategorized_text]': 'It was delivered.',
      'evidence[receipt]': 'file_1',
      'evidence[uncategorized_file]': 'file_2',
      submit: 'true',
    });
    expect(keys(update)).toEqual(['answer-1']);
  });

  it.each([
    ['evidence', true, shown('under_review', 1)],
    ['evidence that decided it', true, shown('won', 1)],
    ['a loss that was accepted', false, shown('lost')],
  ])('that was taken is not sent again: %s', async (_, contested, before) => {
    scripted.processor.script(read, before);
    expect((await send(contested)).kind).toBe('ANSWERED');
    expect(scripted.processor.requests).toHaveLength(1);
  });

  it('is REFUSED when the dispute was decided, or the processor takes none', async () => {
    scripted.processor.script(read, shown('lost'), shown('needs_response'));
    expect(await send()).toMatchObject({ kind: 'REFUSED', code: 'DISPUTE_CLOSED' });
    scripted.processor.script(update, refused(400, 'too_late'));
    expect(await send()).toMatchObject({ kind: 'REFUSED', code: 'too_late' });
  });

  it.each([
    ['hears nothing', { hangUp: true } as const],
    ['is not allowed', refused(403, 'more_permissions_required')],
    ['is not shown as taken', shown('needs_response')],
  ])('is UNKNOWN when it %s', async (_, answer) => {
    scripted.processor.script(read, shown('needs_response'));
    scripted.processor.script(update, answer);
    expect((await send()).kind).toBe('UNKNOWN');
  });

  it('is UNKNOWN and not sent while the dispute is not shown', async () => {
    expect((await send()).kind).toBe('UNKNOWN');
    scripted.processor.script(read, { hangUp: true });
    expect((await send()).kind).toBe('UNKNOWN');
    expect(scripted.processor.sentTo(update)).toEqual([]);
  });

  it('leaves a key under which a failure is played back', async () => {
    scripted.processor.script(read, shown('needs_response'));
    scripted.processor.script(close, broken(true), shown('lost'));
    expect(await send(false)).toMatchObject({ kind: 'ANSWERED', dispute: { status: 'LOST' } });
    expect(keys(close)).toEqual(['answer-1', expect.stringMatching(/^answer-1:.+/)]);
  });
});

describe('a file of evidence', () => {
  const upload = () =>
    scripted.rail.uploadEvidence({
      ...{ key: 'file-1', fileName: 'a.pdf', mediaType: 'application/pdf' },
      bytes: Buffer.from('%PDF-'),
    });

  it('is known by the id of the processor', async () => {
    scripted.processor.script('POST files', { body: { id: 'file_1', object: 'file' } });
    expect(await upload()).toEqual({ kind: 'UPLOADED', fileReference: 'file_1' });
    expect(keys('POST files')).toEqual(['file-1']);
  });

  it('is REFUSED with a reason, and UNKNOWN without an answer or an id', async () => {
    scripted.processor.script(
      'POST files',
      refused(400, 'file_type'),
      { hangUp: true },
      { body: {} },
    );
    expect(await upload()).toMatchObject({
      kind: 'REFUSED',
      description: expect.stringContaining('PDF, JPEG or PNG'),
    });
    expect((await upload()).kind).toBe('UNKNOWN');
    expect((await upload()).kind).toBe('UNKNOWN');
  });
});
