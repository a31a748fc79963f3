import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { endTracing } from '../../service/src/platform/tracing.ts';
import { openReceiver, type Receiver } from '../harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

const requestId = '5f0c1a9e-2b7d-4c1e-8f6a-0d3b9e7a4c21';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

let hook: Receiver;
let collector: Receiver;
const sandboxes: Sandbox[] = [];
beforeAll(async () => {
  [hook, collector] = await Promise.all([openReceiver(), openReceiver()]);
});
afterAll(async () => {
  for (const sandbox of sandboxes) await sandbox.close();
  await endTracing();
  await Promise.all([hook.close(), collector.close()]);
});

const loggedOf = statement<{ readonly requestId: string }, { readonly operation: string }>(
  'test_logged_of',
  sql('requestId')`select operation from request_log where request_id = :requestId`,
);

/** A payment by bank that a caller with these headers makes, and the delivery of its outcome. */
const pay = async (sandbox: Sandbox, headers: Record<string, string>) => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5, expiresIn: 3_600_000 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body, headers });
  expect(made.status).toBe(200);
  const { paymentRequestId } = made.body;
  const path = `/api/sandbox/payment-requests/${paymentRequestId}/pay`;
  expect((await sandbox.request('POST', path, { body: {} })).body.status).toBe('COMPLETED');
  const delivery = await waitUntil(async () =>
    hook.received.find(({ json }) => json.paymentRequestId === paymentRequestId),
  );
  const status = await sandbox.request(
    'GET',
    `/api/payments/v1/payment-status/${paymentRequestId}`,
  );
  return {
    paymentRequestId,
    answeredId: made.headers.get('x-request-id'),
    tracingId: status.body.transactionDetails[0].tracingId,
    delivery: delivery.headers,
  };
};

const open = async (settings: Readonly<Record<string, string>> = {}): Promise<Sandbox> => {
  const sandbox = await openSandbox(settings);
  sandboxes.push(sandbox);
  const body = { url: hook.url, event: 'PAYMENTS_STATUS' };
  expect((await sandbox.request('POST', '/api/webhook/merchant', { body })).status).toBe(200);
  return sandbox;
};

test('one id goes from the caller through answer, log, bank and webhook', async () => {
  const sandbox = await open();
  const given = await pay(sandbox, { 'x-request-id': requestId, traceparent });
  expect(given).toMatchObject({ answeredId: requestId, tracingId: requestId });
  expect(given.delivery).toMatchObject({ 'x-request-id': requestId, traceparent });
  const calls = sandbox.logged
    .map((line) => JSON.parse(line))
    .filter(({ msg, interactionId }) => msg === 'bank answered' && interactionId === requestId);
  expect(calls.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['create consent', 'submit payment']),
  );
  const logged = await waitUntil(async () => {
    const rows = await sandbox.tools.database.system(loggedOf, { requestId });
    return rows.length > 0 && rows;
  });
  expect(logged).toEqual([{ operation: 'requestPayment' }]);

  // What is no UUID could be anything: the request gets an id of ours, which goes the same way.
  const own = await pay(sandbox, { 'x-request-id': 'order 17', traceparent: 'x' });
  expect(own.answeredId).toMatch(/^[0-9a-f-]{36}$/);
  expect(own.tracingId).toBe(own.answeredId);
  expect(own.delivery['x-request-id']).toBe(own.answeredId);
  expect(own.delivery.traceparent).toBeUndefined();
});

test('a refund has the id of the call that asked for it, when it ends later and when at once', async () => {
  const [sandbox = await open()] = sandboxes;
  const listens = { url: hook.url, event: 'REFUND_STATUS' };
  const listening = await sandbox.request('POST', '/api/webhook/merchant', { body: listens });
  expect(listening.status).toBe(200);
  const { paymentRequestId } = await pay(sandbox, {});
  for (const refundNotes of ['cold coffee', 'FAILURE TEST']) {
    const headers = { 'x-request-id': randomUUID(), traceparent };
    const body = { paymentRequestId, amount: 2, refundNotes };
    const asked = await sandbox.request('POST', '/api/refund', { body, headers });
    expect(asked.status).toBe(200);
    const told = await waitUntil(async () =>
      hook.received.find(({ json }) => json.refundId === asked.body.refundId),
    );
    expect(told.headers).toMatchObject(headers);
  }
});

test('the call that makes a bank link gives its id to the calls to the bank', async () => {
  const [sandbox = await open()] = sandboxes;
  const headers = { 'x-request-id': randomUUID() };
  const body = { redirectUrl: 'https://shop.example/back' };
  const { body: made } = await sandbox.request('POST', '/api/bank/auth/initiate', {
    body,
    headers,
  });
  const bank = 'harbour-sandbox';
  const page = await (await fetch(`${made.url}&institutionId=${bank}`)).text();
  const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(page) ?? [];
  const started = await fetch(new URL('/link-bank/start', made.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      accountAuthId: made.accountAuthId,
      institutionId: bank,
      formToken,
    }),
  });
  expect(started.headers.get('location')).toContain(bank);
  const calls = sandbox.logged
    .map((line) => JSON.parse(line))
    .filter(({ interactionId }) => interactionId === headers['x-request-id']);
  expect(calls.map(({ operation }) => operation)).toContain('create account consent');
});

type Span = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string };
  }[];
};

const exported = (): readonly Span[] =>
  collector.received.flatMap(({ json }) =>
    json.resourceSpans.flatMap((each: { scopeSpans: { spans: Span[] }[] }) =>
      each.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );

test('a collector of OpenTelemetry gets the spans of a payment, in the trace of the caller', async () => {
  const token = join(tmpdir(), `florin-collector-token-${process.pid}`);
  await writeFile(token, 'authorization=Bearer%20of-a-collector\n');
  const sandbox = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: token,
  });
  await rm(token);
  const { delivery, answeredId } = await pay(sandbox, { traceparent });
  await endTracing();
  expect(collector.received.map(({ path }) => path)).toContain('/v1/traces');
  expect(collector.received[0]?.headers.authorization).toBe('Bearer of-a-collector');
  const spans = exported();
  const inTrace = spans.filter((span) => span.traceId === traceId);
  const [request] = inTrace.filter(({ name }) => name === 'POST /api/payments/process-payment');
  const [webhook] = inTrace.filter(({ name }) => name === 'webhook');
  expect(request?.parentSpanId).toBe(traceparent.split('-')[2]);
  expect(webhook?.parentSpanId).toBe(request?.spanId);
  expect(delivery.traceparent).toBe(`00-${traceId}-${webhook?.spanId}-01`);
  // The payer's visit is a request of its own, with the calls to the bank in it; the id leads there.
  const [consent] = spans.filter(({ name }) => name === 'bank create consent');
  const visit = spans.find(({ spanId }) => spanId === consent?.parentSpanId);
  expect(visit?.name).toBe('POST /api/sandbox/payment-requests/:paymentRequestId/pay');
  const ids = consent?.attributes.filter(({ key }) => key === 'florin.request_id');
  expect(ids).toEqual([{ key: 'florin.request_id', value: { stringValue: answeredId } }]);
  // Nothing of the payment or its payer is in a name or an attribute.
  expect(JSON.stringify(spans)).not.toContain('Corner Coffee');
});
