import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../contract/dashboard/index.ts';
import { limits } from '../../../contract/limits.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { sendAnswer } from '../../../service/src/modules/payments/dispute-answers/dispute-answer.ts';
import { sendAnswers } from '../../../service/src/modules/payments/dispute-answers/send-answers.ts';
import { simulatorFolder } from '../../../service/src/programs/wiring/simulator-folder.ts';
import { type CardPayments, cardPayments } from '../../harness/card-payments.ts';
import { type SignedIn, signIn } from '../../harness/dashboard/sign-in.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { openKillable } from '../../harness/open-killable.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let sandbox: Sandbox;
let cards: CardPayments;
let owner: SignedIn;
let cashier: SignedIn;
let call: ReturnType<typeof memberCalls>;
beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  const of = { merchantId: sandbox.merchant.merchantId, origin: sandbox.url };
  owner = await signIn(sandbox.tools, { ...of, name: 'Olive Owner' });
  cashier = await signIn(sandbox.tools, { ...of, role: 'cashier' });
  call = memberCalls(sandbox as never, owner.headers);
}, 120_000);
afterEach(() => cards.control.noFaults());
afterAll(() => sandbox.close());

type Disputed = { readonly paymentRequestId: string; readonly disputeReference: string };

const dispute = async (cardNumber = '4000000000000259'): Promise<Disputed> => {
  const body = { customerId: 'c', orderId: 'order-1', amount: 12.5, expiresIn: 3_600_000 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const { paymentRequestId } = made.body;
  await sandbox.request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber },
  });
  return waitUntil(async () => {
    const { disputes } = (
      await call(dashboard.getPaymentTimeline, { params: { paymentRequestId } })
    ).body;
    return disputes[0] && { paymentRequestId, disputeReference: disputes[0].reference };
  });
};
const timeline = async ({ paymentRequestId }: Disputed) =>
  (await call(dashboard.getPaymentTimeline, { params: { paymentRequestId } })).body;
const answerOf = async (params: Disputed) =>
  (await call(dashboard.getDisputeAnswer, { params })).body;
const save = (params: Disputed, body: object = { other: 'It was delivered.' }) =>
  call(dashboard.saveDisputeEvidence, { params, body });
const submit = (params: Disputed) => call(dashboard.submitDisputeAnswer, { params });
const accept = (params: Disputed) => call(dashboard.acceptDispute, { params });
const addFile = (params: Disputed, bytes: Buffer, more: object = {}) =>
  call(dashboard.addDisputeFile, {
    params,
    body: {
      ...{ kind: 'receipt', fileName: 'receipt.pdf', content: bytes.toString('base64') },
      ...more,
    },
  });
const pdf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(bytes - 8)]);
const reaches = (of: Disputed, status: string) =>
  waitUntil(async () => {
    const found = await answerOf(of);
    return found.status === status && found;
  });
const refused = ({ status, body }: { status: number; body: { name?: string } }) => [
  status,
  body.name,
];
/** As the processor has it. */
const atProcessor = async ({ disputeReference }: Disputed) => {
  const file = join(simulatorFolder(sandbox.folder), 'trust', 'registration.json');
  const { apiUrl, secretKey } = JSON.parse(await readFile(file, 'utf8')).cards;
  const reply = await fetch(`${apiUrl}/v1/disputes/${disputeReference}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  return (await reply.json()) as Readonly<Record<string, unknown>>;
};
const entriesOf = async (of: Disputed): Promise<string[]> =>
  (await timeline(of)).entries
    .filter(({ title }: { title: string }) => /answer|vidence|loss|closed/.test(title))
    .map(({ title }: { title: string }) => title);
const releaseLeases = () => cards.rows(`delete from work_lease where work = 'ANSWER'`);

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
    const removed = await call(dashboard.removeDisputeFile, {
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
    const audited = (await call(dashboard.listAudit, { query })).body.data;
    expect(audited[0]).toMatchObject({ actor: 'Olive Owner' });
    expect(JSON.stringify(audited)).not.toContain('ada@example.com');
    expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  });

  test('is lost by accepting the loss, once, by one who may', async () => {
    const of = await dispute();
    for (const operation of [dashboard.acceptDispute, dashboard.saveDisputeEvidence])
      expect(
        refused(await call(operation, { params: of, headers: cashier.headers, body: {} })),
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
    await cards.control.fault('cards:dispute', 'status', { status: 400 });
    await submit(of);
    const back = await waitUntil(async () => {
      const found = await answerOf(of);
      return found.refusal !== null && found;
    });
    expect(back).toMatchObject({
      status: 'DRAFT',
      refusal: expect.stringContaining('did not take the answer'),
    });
    await submit(of);
    expect(await reaches(of, 'SUBMITTED')).toMatchObject({ refusal: null });
  });

  test.each(['cut-after', 'cut-before', 'status'])(
    'whose answer is lost (%s) is read back, and there once',
    async (kind) => {
      const of = await dispute();
      await save(of);
      await cards.control.fault('cards:dispute', kind, { status: 500 });
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
      cards.rows(
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
    expect(refused(await call(dashboard.getDisputeAnswer, { params: other }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  test('takes a PDF, JPEG or PNG that the processor confirms', async () => {
    const of = await dispute();
    for (const bytes of [Buffer.from('MZ and more'), pdf(limits.disputeFilesBytes + 1)])
      expect((await addFile(of, bytes)).body.errors[0].field).toBe('content');
    const tooLarge = await addFile(of, pdf(limits.disputeFileBodyBytes));
    expect(refused(tooLarge)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    await cards.control.fault('cards:file', 'cut-after');
    expect(refused(await addFile(of, pdf(20)))).toEqual([503, 'UNAVAILABLE']);
    expect((await addFile(of, pdf(20))).body.files).toHaveLength(1);
    const account = (key: string) =>
      cards.rows('update attempt set account_key = $2 where payment_request_id = $1', [
        ...[of.paymentRequestId, key],
      ]);
    await account('gone');
    expect(refused(await addFile(of, pdf(21)))).toEqual([503, 'RAIL_NOT_CONFIGURED']);
    await account('simulated');
  });

  test('ends once, wherever the program that sends it is killed', {
    timeout: 120_000,
  }, async () => {
    const { tools, rails, tenant } = sandbox;
    const person = { kind: 'person', personId: owner.personId, name: 'O', role: 'owner' } as const;
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
    expect(await findBrokenInvariants(sandbox.databaseUrl)).toEqual([]);
  });
});
