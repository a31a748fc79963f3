import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

type Sent = { readonly path: string; readonly method: string; readonly body: string };
type Answered = { readonly status: number; readonly text: string };
type Ids = Readonly<Record<'intentId' | 'attemptId' | 'paymentRequestId', string>>;

type ProcessorStub = { readonly close: () => void };

/**
 * In front of the simulated processor, for one measurement: it lets the processor create the first
 * charge, and answers every later one with that answer under new ids. It books nothing and sends no
 * events. Other calls go to the processor. The product reads its address in `trustFolder`.
 */
export const openProcessorStub = async (
  simulatorFolder: string,
  trustFolder: string,
): Promise<ProcessorStub> => {
  await cp(simulatorFolder, trustFolder, { recursive: true });
  const file = join(trustFolder, 'registration.json');
  const registration = JSON.parse(await readFile(file, 'utf8'));
  const answer = answering(registration.cards.apiUrl);
  const server = createServer((request, response) => void serve(answer, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  registration.cards.apiUrl = `http://127.0.0.1:${port}`;
  await writeFile(file, JSON.stringify(registration));
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Answer = (sent: Sent, headers: IncomingMessage['headers']) => Promise<Answered>;

const serve = async (
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { url: path = '/', method = 'GET' } = request;
  const { status, text } = await answer({ path, method, body }, request.headers);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
};

const answering = (apiUrl: string): Answer => {
  let recorded: { readonly text: string; readonly ids: Ids } | null = null;
  let count = 0;
  return async (sent, headers) => {
    const isCharge = sent.path === '/v1/payment_intents' && sent.body.includes('off_session=true');
    if (isCharge && recorded) {
      count += 1;
      const ids = { ...idsSent(sent.body), intentId: `${recorded.ids.intentId}${count}` };
      return { status: 200, text: replaced(recorded.text, recorded.ids, ids) };
    }
    const answered = await forward(apiUrl, sent, headers);
    if (isCharge && answered.status === 200) {
      const { id: intentId } = JSON.parse(answered.text) as { id: string };
      recorded = { text: answered.text, ids: { ...idsSent(sent.body), intentId } };
    }
    return answered;
  };
};

const idsSent = (body: string) => {
  const form = new URLSearchParams(body);
  const read = (name: string) => form.get(`metadata[${name}]`) ?? '';
  return { attemptId: read('attemptId'), paymentRequestId: read('paymentRequestId') };
};

const replaced = (text: string, from: Ids, to: Ids): string =>
  text
    .replaceAll(from.intentId, to.intentId)
    .replaceAll(from.attemptId, to.attemptId)
    .replaceAll(from.paymentRequestId, to.paymentRequestId);

const forward = async (
  apiUrl: string,
  { path, method, body }: Sent,
  headers: IncomingMessage['headers'],
): Promise<Answered> => {
  const { authorization = '', 'content-type': type, 'idempotency-key': key } = headers;
  const reply = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization,
      ...(type && { 'content-type': type }),
      ...(typeof key === 'string' && { 'idempotency-key': key }),
      ...(typeof headers['stripe-version'] === 'string' && {
        'stripe-version': headers['stripe-version'],
      }),
    },
    ...(method === 'POST' && { body }),
  });
  return { status: reply.status, text: await reply.text() };
};
