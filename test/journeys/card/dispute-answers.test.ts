import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../contract/dashboard/index.ts';
import { limits } from '../../../contract/limits.ts';
import { sendAnswer } from '../../../service/src/modules/payments/dispute-answers/dispute-answer.ts';
import { sendAnswers } from '../../../service/src/modules/payments/dispute-answers/send-answers.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { openKillable } from '../../harness/open-killable.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { answerCalls, pdf, refused } from './answer-calls.ts';

const answers = answerCalls();
const { dispute, timeline, answerOf, save, submit, accept, addFile, reaches } = answers;
const { atProcessor, entriesOf, releaseLeases } = answers;
let opened: Awaited<ReturnType<typeof answers.open>>;
beforeAll(async () => {
  opened = await answers.open();
});
afterEach(answers.noFaults);
afterAll(answers.close);

describe('the evidence of a dispute', () => {
  test('is drafted, sent once with its files, and decides it', async () => {
    const of = await dispute();
    expect(await answerOf(of)).toMatchObject({ status: 'DRAFT', evidence: {}, files: [] });
    expect(refused(await submit(of))).toEqual([409, 'INVALID_STATE']);
    const largest = pdf(limits.disputeFilesBytes);
    const added = await addFile(of, largest);
    expect([added.status, added.body.message]).toEqual([200, undefined]);
    expect((await addFile(of, pdf(20), { kind: 'other' })).body.errors[0]).toMatchObject({
      field: 'content',
      message: expect.stringContaining('4.5 MB'),
    });
    expect((await addFile(of, pdf(20), { fileName: 'smaller.pdf' })).body.files).toEqual([
      { kind: 'receipt', fileName: 'smaller.pdf', bytes: 20 },
    ]);
    await addFile(of, pdf(20), { kind: 'other' });
    const removed = await opened.call(dashboard.removeDisputeFile, {
      params: { ...of, fileKind: 'other' } as never,
    });
    expect(removed.body.files).toHaveLength(1);
    const evidence = { customerEmail: 'ada@example.com', other: 'winning_evidence' };
    await save(of, { customerName: 'Somebody' });
    expect((await save(of, evidence)).body).toMatchObject({ status: 'DRAFT', evidence });
    expect((await atProcessor(of)).evidence_details).toMatchObject({ has_evidence: false });
    const sent = await Promise.all([submit(of), submit(of), submit(of)]);
    for (const { status, body } of sent)
      expect([status, body.status]).toEqual([200, expect.stringMatching(/^SUBMITT(ING|ED)$/)]);
    expect(await reaches(of, 'SUBMITTED')).toMatchObject({ sentBy: 'Olive Owner', evidence });
    expect(refused(await save(of))).toEqual([409, 'INVALID_STATE']);
    expect(refused(await addFile(of, pdf(20)))).toEqual([409, 'INVALID_STATE']);
    expect(refused(await accept(of))).toEqual([409, 'INVALID_STATE']);
    expect(await atProcessor(of)).toMatchObject({
      status: 'won',
      evidence_details: { submission_count: 1 },
      evidence: {
        customer_email_address: 'ada@example.com',
        customer_name: null,
        receipt: expect.stringMatching(/^file_/),
      },
    });
    expect((await timeline(of)).disputes).toMatchObject([{ status: 'WON', answer: 'SUBMITTED' }]);
    expect(await entriesOf(of)).toEqual([
      'The answer to the dispute was begun',
      'Evidence was sent for the dispute',
      'The card processor has the evidence',
    ]);
    const query = { operation: 'submitDisputeAnswer' };
    const audited = (await opened.call(dashboard.listAudit, { query })).body.data;
    expect(audited[0]).toMatchObject({ actor: 'Olive Owner' });
    expect(JSON.stringify(audited)).not.toContain('ada@example.com');
    expect(await findBrokenInvariants(opened.sandbox.databaseUrl)).toEqual([]);
  });

  test('is lost by accepting the loss, once, by one who may', async () => {
    const of = await dispute();
    for (const operation of [dashboard.acceptDispute, dashboard.saveDisputeEvidence])
      expect(
        refused(
          await opened.call(operation, {
            ...{ params: of, headers: opened.cashier.headers },
            body: { version: 0, evidence: {} },
          }),
        ),
      ).toEqual([403, 'NOT_PERMITTED']);
    await Promise.all([accept(of), accept(of)]);
    await reaches(of, 'ACCEPTED');
    expect(refused(await submit(of))).toEqual([409, 'INVALID_STATE']);
    expect((await accept(of)).body.status).toBe('ACCEPTED');
    expect((await timeline(of)).disputes).toMatchObject([{ status: 'LOST', answer: 'ACCEPTED' }]);
    expect((await entriesOf(of)).slice(1)).toEqual([
      'The loss of the dispute was accepted',
      'The card processor closed the dispute',
    ]);
  });

  test('is sent or accepted, whichever was first', async () => {
    const of = await dispute();
    await save(of);
    const [one, other] = await Promise.all([submit(of), accept(of)]);
    expect([one?.status, other?.status].sort()).toEqual([200, 409]);
    await waitUntil(async () => /ED$/.test((await answerOf(of)).status));
    const { status, evidence_details: details } = await atProcessor(of);
    expect(details).toMatchObject({ submission_count: status === 'lost' ? 0 : 1 });
  });

  test('is a draft again, with the reason, when the processor does not take it', async () => {
    const of = await dispute();
    await save(of);
    await opened.cards.control.fault('cards:dispute', 'status', { status: 400 });
    await submit(of);
    const back = await waitUntil(async () => {
      const found = await answerOf(of);
      return found.refusal !== null && found;
    });
    const theirs = { other: 'It was delivered.' };
    expect(back).toMatchObject({
      status: 'DRAFT',
      refusal: expect.stringContaining('did not take the answer'),
    });
    await submit(of);
    const taken = await reaches(of, 'SUBMITTED');
    expect(taken).toMatchObject({ refusal: null, submissions: [{ evidence: theirs }, {}] });
  });

  test.each(['cut-after', 'cut-before', 'status'])(
    'whose answer is lost (%s) is read back, and there once',
    async (kind) => {
      const of = await dispute();
      await save(of);
      await opened.cards.control.fault('cards:dispute', kind, { status: 500 });
      await submit(of);
      await reaches(of, 'SUBMITTED');
      expect((await atProcessor(of)).evidence_details).toMatchObject({ submission_count: 1 });
      expect(await entriesOf(of)).toHaveLength(3);
    },
  );

  test('of an inquiry, which has taken nothing, is evidence and no acceptance', async () => {
    const of = await dispute('4000000000001976');
    const reply = await accept(of);
    expect([reply.status, reply.body.message]).toEqual([409, expect.stringContaining('refund')]);
    expect((await save(of)).status).toBe(200);
  });

  test('is refused after the deadline, and where the dispute is decided or not there', async () => {
    const of = await dispute();
    await save(of);
    const edit = (change: string) =>
      opened.cards.rows(
        `update attempt set disputes = jsonb_set(disputes, '{0}', disputes->0 || $2::jsonb)
         where payment_request_id = $1`,
        [of.paymentRequestId, change],
      );
    await edit('{"respondBy": "2026-01-02T00:00:00Z"}');
    const late = await submit(of);
    expect(refused(late)).toEqual([409, 'INVALID_STATE']);
    expect(late.body.message).toContain('deadline for an answer has passed');
    expect(refused(await accept(of))).toEqual([409, 'INVALID_STATE']);
    await edit('{"status": "LOST"}');
    expect((await save(of)).body.message).toContain('is decided');
    const other = { ...of, disputeReference: 'dp_none' };
    expect(refused(await opened.call(dashboard.getDisputeAnswer, { params: other }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  test('takes a PDF, JPEG or PNG that the processor confirms', async () => {
    const of = await dispute();
    const folded = pdf(200).toString('base64').replace(/.{76}/g, '$&\n');
    for (const content of [folded, '%PDF-', '']) {
      const { status, body } = await addFile(of, pdf(20), { content });
      expect([status, body.errors[0]]).toMatchObject([400, { field: 'content' }]);
    }
    for (const bytes of [Buffer.from('MZ and more'), pdf(limits.disputeFilesBytes + 1)])
      expect((await addFile(of, bytes)).body.errors[0].field).toBe('content');
    const tooLarge = await addFile(of, pdf(limits.disputeFileBodyBytes));
    expect(refused(tooLarge)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await opened.cards.control.fault('cards:file', 'cut-after');
    expect(refused(await addFile(of, pdf(20)))).toEqual([503, 'UNAVAILABLE']);
    expect((await addFile(of, pdf(20))).body.files).toHaveLength(1);
    const account = (key: string) =>
      opened.cards.rows('update attempt set account_key = $2 where payment_request_id = $1', [
        ...[of.paymentRequestId, key],
      ]);
    await account('gone');
    expect(refused(await addFile(of, pdf(21)))).toEqual([503, 'RAIL_NOT_CONFIGURED']);
    await account('simulated');
  });

  test('ends once, wherever the program that sends it is killed', {
    timeout: 120_000,
  }, async () => {
    const { tools, rails, tenant } = opened.sandbox;
    const person = {
      kind: 'person',
      personId: opened.owner.personId,
      name: 'O',
      role: 'owner',
    } as const;
    const killable = openKillable();
    const database = killable.database(tools.database);
    const cardRails = {
      findAccount: async (...of: Parameters<typeof rails.cardRails.findAccount>) => {
        const rail = await rails.cardRails.findAccount(...of);
        return (
          rail && {
            ...rail,
            answerDispute: (answer: Parameters<typeof rail.answerDispute>[0]) =>
              killable.step('answered', () => rail.answerDispute(answer)),
          }
        );
      },
    };
    const mortal = { ...tools, database, cardRails };
    await killable.killAfterEach({
      prepare: async () => {
        const of = await dispute();
        await save(of);
        return of;
      },
      work: async (of) => {
        await sendAnswer(mortal, { ...of, tenant }, person, 'submitted');
        await sendAnswers(mortal);
      },
      check: async (of, killed) => {
        await submit(of);
        await waitUntil(async () => {
          await releaseLeases();
          return (await answerOf(of)).status === 'SUBMITTED';
        });
        expect((await atProcessor(of)).evidence_details, killed).toMatchObject({
          submission_count: 1,
        });
        expect(await entriesOf(of), killed).toHaveLength(3);
      },
    });
    expect(await findBrokenInvariants(opened.sandbox.databaseUrl)).toEqual([]);
  });
});
