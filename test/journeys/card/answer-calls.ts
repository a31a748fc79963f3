import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as dashboard from '../../../contract/dashboard/index.ts';
import { memberCalls } from '../../../service/src/modules/dashboard/test/member-calls.ts';
import { simulatorFolder } from '../../../service/src/programs/wiring/simulator-folder.ts';
import { cardPayments } from '../../harness/card-payments.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { openSandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

type Disputed = { readonly paymentRequestId: string; readonly disputeReference: string };

const openProduct = async () => {
  const sandbox = await openSandbox();
  const of = { merchantId: sandbox.merchant.merchantId, origin: sandbox.url };
  const owner = await signIn(sandbox.tools, { ...of, name: 'Olive Owner' });
  const cashier = await signIn(sandbox.tools, { ...of, role: 'cashier' });
  const call = memberCalls(sandbox as never, owner.headers);
  return { sandbox, cards: cardPayments(sandbox), owner, cashier, call };
};

export const pdf = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(bytes - 8)]);

export const refused = ({ status, body }: { status: number; body: { name?: string } }) => [
  status,
  body.name,
];

/** Disputed payments, and what their owner answers. */
export const answerCalls = () => {
  let opened: Awaited<ReturnType<typeof openProduct>>;
  const dispute = async (cardNumber = '4000000000000259'): Promise<Disputed> => {
    const body = { customerId: 'c', orderId: 'order-1', amount: 12.5, expiresIn: 3_600_000 };
    const made = await opened.sandbox.request('POST', '/api/payments/process-payment', { body });
    const { paymentRequestId } = made.body;
    await opened.sandbox.request('POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
      body: { method: 'CARD', cardNumber },
    });
    return waitUntil(async () => {
      const { disputes } = (
        await opened.call(dashboard.getPaymentTimeline, { params: { paymentRequestId } })
      ).body;
      return disputes[0] && { paymentRequestId, disputeReference: disputes[0].reference };
    });
  };
  const timeline = async ({ paymentRequestId }: Disputed) =>
    (await opened.call(dashboard.getPaymentTimeline, { params: { paymentRequestId } })).body;
  const answerOf = async (params: Disputed) =>
    (await opened.call(dashboard.getDisputeAnswer, { params })).body;
  const save = async (params: Disputed, evidence: object = { other: 'It was delivered.' }) =>
    saveAt(params, (await answerOf(params)).version, evidence);
  const saveAt = (params: Disputed, version: number, evidence: object) =>
    opened.call(dashboard.saveDisputeEvidence, { params, body: { version, evidence } });
  const submit = async (params: Disputed) => submitAt(params, (await answerOf(params)).version);
  const submitAt = (params: Disputed, version: number) =>
    opened.call(dashboard.submitDisputeAnswer, { params, body: { version } });
  const accept = (params: Disputed) => opened.call(dashboard.acceptDispute, { params });
  const addFile = (params: Disputed, bytes: Buffer, more: object = {}) =>
    opened.call(dashboard.addDisputeFile, {
      params,
      body: {
        ...{ kind: 'receipt', fileName: 'receipt.pdf', content: bytes.toString('base64') },
        ...more,
      },
    });
  const reaches = (of: Disputed, status: string) =>
    waitUntil(async () => {
      const found = await answerOf(of);
      return found.status === status && found;
    });
  /** As the processor has it. */
  const atProcessor = async ({ disputeReference }: Disputed) => {
    const file = join(simulatorFolder(opened.sandbox.folder), 'trust', 'registration.json');
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
  const releaseLeases = () => opened.cards.rows(`delete from work_lease where work = 'ANSWER'`);
  const open = async () => {
    opened = await openProduct();
    return opened;
  };
  return {
    ...{
      open,
      close: () => opened.sandbox.close(),
      noFaults: () => opened.cards.control.noFaults(),
    },
    ...{
      dispute,
      timeline,
      answerOf,
      save,
      saveAt,
      submit,
      submitAt,
      accept,
      addFile,
      reaches,
      atProcessor,
      entriesOf,
      releaseLeases,
    },
  };
};
