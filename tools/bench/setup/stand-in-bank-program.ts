import { constants, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http';
import { createServer, request as requestOverTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Its own process, so that its CPU is not the load generator's (see stand-in-bank.ts).
type Json = Record<string, unknown>;
type Answered = { readonly status: number; readonly headers: Json; readonly text: string };
type Sent = { readonly method: string; readonly path: string; readonly body: string };

const [simulatorFolder = '', trustFolder = ''] = process.argv.slice(2);
const read = (name: string): string => readFileSync(join(simulatorFolder, name), 'utf8');
const registration = JSON.parse(read('registration.json'));
const [bank] = registration.banks;
const bankOrigin = new URL(bank.paymentsUrl).origin;
const { wellKnown } = bank;
const { certificatePem, keyPem } = JSON.parse(read('private/server.json'));
/** A bank makes its key when it is first called: the recorded payment was such a call. */
const signingKey = () => ({
  key: read(`private/${bank.id}-signing-key.pem`),
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: 32,
});
let key: ReturnType<typeof signingKey> | undefined;

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString());
const signed = (header: unknown, payload: string): string => {
  key ??= signingKey();
  const head = encoded(header);
  return `${head}.${payload}.${sign('sha256', Buffer.from(`${head}.${payload}`), key).toString('base64url')}`;
};
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** The same claims as in the recorded token, but for these. */
const likeJwt = (recorded: string, changes: Json): string => {
  const [header, payload] = recorded.split('.').map((part, at) => (at < 2 ? decoded(part) : {}));
  const times = { iat: nowSeconds(), exp: nowSeconds() + 300 };
  return signed(header, encoded({ ...payload, ...times, ...changes }));
};

const recorded = new Map<string, Answered>();
/** What the payment was, each status once, in the order in which polls saw them. */
const statuses = new Map<string, Answered>();
const visits = new Map<string, Json>();
const codes = new Map<string, Json>();
const payments = new Map<string, { reads: number; readonly sent: Json }>();
let isReplaying = false;

const operationOf = ({ method, path, body }: Sent): string => {
  const { pathname } = new URL(path, bankOrigin);
  if (/\/domestic-payments\/./.test(pathname)) return 'read payment';
  if (body.includes('grant_type=authorization_code')) return 'exchange';
  return `${method} ${pathname}`;
};

const forward = ({ method, path, body }: Sent, { headers }: IncomingMessage): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const tls = { ca: read('ca.pem'), cert: read('transport.pem'), key: read('transport-key.pem') };
    const { host } = new URL(bankOrigin);
    const call = requestOverTls(`${bankOrigin}${path}`, {
      ...tls,
      method,
      headers: { ...headers, host },
    });
    call.on('response', async (answer) => {
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
    call.on('error', reject).end(body);
  });

const record = async (sent: Sent, request: IncomingMessage): Promise<Answered> => {
  const operation = operationOf(sent);
  const answer = await forward(sent, request);
  if (operation === 'read payment' && answer.status < 300) {
    const status = String((JSON.parse(answer.text).Data as Json).Status);
    if (!statuses.has(status)) statuses.set(status, answer);
  }
  if (answer.status < 300) recorded.set(operation, answer);
  return answer;
};

/** The recorded answer about another consent and payment, signed again. */
const resigned = (like: Answered, ids: Json, initiation: unknown): Answered => {
  const old = JSON.parse(like.text).Data as Json;
  let { text } = like;
  for (const [name, value] of Object.entries(ids))
    text = text.replaceAll(String(old[name]), String(value));
  const body = JSON.parse(text);
  body.Data.Initiation = initiation;
  text = JSON.stringify(body);
  const [head] = String(like.headers['x-jws-signature']).split('.');
  const header = { ...decoded(head), 'http://openbanking.org.uk/iat': nowSeconds() };
  const [protectedHeader, , signature] = signed(
    header,
    Buffer.from(text).toString('base64url'),
  ).split('.');
  const headers = { ...like.headers, 'x-jws-signature': `${protectedHeader}..${signature}` };
  return { ...like, headers, text };
};

const push = (like: Answered, { body }: Sent): Answered => {
  const asked = decoded(new URLSearchParams(body).get('request')?.split('.')[1]);
  const requestUri = `urn:stand-in:${randomUUID()}`;
  visits.set(requestUri, asked);
  return { ...like, text: JSON.stringify({ ...JSON.parse(like.text), request_uri: requestUri }) };
};

const intentOf = (visit: Json): unknown => {
  const { id_token: wanted } = visit.claims as { id_token: Record<string, { value: unknown }> };
  return wanted.openbanking_intent_id?.value;
};

const exchange = (like: Answered, { body }: Sent): Answered => {
  const code = new URLSearchParams(body).get('code') ?? '';
  const visit = codes.get(code) ?? {};
  codes.delete(code);
  const intent = intentOf(visit);
  const answer = JSON.parse(like.text);
  const claims = { nonce: visit.nonce, sub: intent, openbanking_intent_id: intent };
  const id_token = likeJwt(answer.id_token, claims);
  return { ...like, text: JSON.stringify({ ...answer, id_token }) };
};

const submit = (like: Answered, { body }: Sent): Answered => {
  const sent = JSON.parse(body).Data as Json;
  const DomesticPaymentId = randomUUID();
  payments.set(DomesticPaymentId, { reads: 0, sent });
  return resigned(like, { DomesticPaymentId, ConsentId: sent.ConsentId }, sent.Initiation);
};

/** One status on by each read: by its age a payment that is polled late would skip some, and events. */
const readPayment = (like: Answered, { path }: Sent): Answered => {
  const DomesticPaymentId = path.split('/').at(-1) ?? '';
  const payment = payments.get(DomesticPaymentId) ?? { reads: 0, sent: {} as Json };
  const inOrder = [...statuses.values()];
  const answer = inOrder[payment.reads] ?? inOrder.at(-1) ?? like;
  payment.reads += 1;
  const { sent } = payment;
  return resigned(answer, { DomesticPaymentId, ConsentId: sent.ConsentId }, sent.Initiation);
};

/** The recorded payment exists at the bank, and is polled there as long as it is polled. */
const isOfRecorded = (sent: Sent): boolean =>
  operationOf(sent) === 'read payment' && !payments.has(sent.path.split('/').at(-1) ?? '');

const replay = (like: Answered, sent: Sent): Answered => {
  const operation = operationOf(sent);
  if (operation === 'exchange') return exchange(like, sent);
  if (operation === 'read payment') return readPayment(like, sent);
  if (operation.endsWith('/domestic-payments')) return submit(like, sent);
  if (operation.endsWith('/domestic-payment-consents'))
    return resigned(like, { ConsentId: randomUUID() }, JSON.parse(sent.body).Data.Initiation);
  // A pushed request is the one other form that carries a request object.
  return sent.body.includes('request=') ? push(like, sent) : like;
};

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
]);
const tls = { cert: certificatePem, key: keyPem, ca: read('ca.pem'), requestCert: true };
const server = createServer(tls, async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const sent = { method: request.method ?? 'GET', path: request.url ?? '/', body };
  const like = isReplaying && !isOfRecorded(sent) ? recorded.get(operationOf(sent)) : undefined;
  const answer = like ? replay(like, sent) : await record(sent, request);
  const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name));
  response.writeHead(answer.status, Object.fromEntries(kept) as Record<string, string>);
  response.end(answer.text);
});
const portOf = async (listening: Server): Promise<number> => {
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
};
const origin = bankOrigin.replace(/\d+$/, String(await portOf(server)));

// Like the simulator's: where the bank names its addresses, without TLS. Its issuer and pages stay.
const configuration = createPlainServer(async (_, response) => {
  const text = await (await fetch(wellKnown)).text();
  response.setHeader('content-type', 'application/json');
  response.end(text.replaceAll(bankOrigin, origin));
});
const { pathname } = new URL(wellKnown);
bank.wellKnown = `http://127.0.0.1:${await portOf(configuration)}${pathname}`;
bank.paymentsUrl = bank.paymentsUrl.replace(bankOrigin, origin);
await cp(simulatorFolder, trustFolder, { recursive: true });
await writeFile(join(trustFolder, 'registration.json'), JSON.stringify(registration));

const answerOf = (asked: string): string => {
  if (asked === 'replay') isReplaying = true;
  const visit = visits.get(asked);
  if (!visit) return '';
  visits.delete(asked);
  const code = randomUUID();
  codes.set(code, visit);
  const { kid } = decoded(
    JSON.parse(recorded.get('exchange')?.text ?? '{}').id_token?.split('.')[0],
  );
  const times = { iat: nowSeconds(), exp: nowSeconds() + 300 };
  const claims = { iss: bank.issuer, aud: registration.clientId, code, state: visit.state };
  return signed({ alg: 'PS256', kid }, encoded({ ...claims, ...times }));
};
process.on('message', (asked: string) => process.send?.({ asked, answer: answerOf(asked) }));
process.on('disconnect', () => process.exit());
process.send?.({ asked: 'ready', answer: '' });
