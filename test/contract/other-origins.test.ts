import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccessSecret, createMerchant } from '../../service/src/modules/merchants/index.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { runCommand } from '../harness/programs/run-command.ts';
import { waitUntil } from '../harness/wait-until.ts';

const origin = 'https://shop.example';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  await createAccessSecret(sandbox.tools, sandbox.tenant, { name: 'web', webOrigins: [origin] });
});
afterAll(() => sandbox.close());

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.request(method, path, { secret: null, headers, ...(body ? { body } : {}) });

const create = async (secret = sandbox.secret): Promise<string> => {
  const body = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { secret, body });
  return created.body.paymentRequestId;
};

describe('pages of other origins', () => {
  const preflight = (path: string, from: string) =>
    send('OPTIONS', path, undefined, {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });

  test('are allowed only where a secret of the merchant lists them', async () => {
    const path = '/api/payments/get-payment-details';
    const granted = await preflight(path, origin);
    expect(granted.status).toBe(204);
    expect(granted.headers.get('access-control-allow-origin')).toBe(origin);
    expect(granted.headers.get('access-control-allow-credentials')).toBe('true');
    expect(granted.headers.get('access-control-allow-headers')).toContain('content-type');
    const start = '/api/payments/v1/secure-payment-auth';
    const strange = await preflight(start, 'https://evil.example');
    expect(strange.headers.get('access-control-allow-origin')).toBeNull();
    const id = await create();
    const from = async (address: string, shown: string, method = 'GET', body?: object) =>
      (await send(method, address, body, { origin: shown })).headers.get(
        'access-control-allow-origin',
      );
    expect(await from(path, origin, 'POST', { data: id })).toBe(origin);
    expect(await from(path, 'https://evil.example', 'POST', { data: id })).toBeNull();
    expect(await from(`/api/sdk-payment/payment-request/status/${id}`, origin)).toBe(origin);
    const other = await createMerchant(sandbox.tools, {
      businessName: 'Other',
      bankAccounts: testBankAccounts,
    });
    const theirs = await create(other.secrets.SANDBOX.secret);
    expect(await from(`/api/sdk-payment/payment-request/status/${theirs}`, origin)).toBeNull();
    expect(await from('/api/sdk-payment/institutions/customer?env=sandbox', origin)).toBe(origin);
    expect(await from('/api/payments/stores', origin)).toBeNull();
  });

  test('that no secret lists leave a line, and the merchant sees the call', async () => {
    const stranger = 'https://new-shop.example';
    const path = '/api/payments/get-payment-details';
    expect((await preflight(path, stranger)).headers.get('access-control-allow-origin')).toBe(
      stranger,
    );
    const id = await create();
    const refused = await send('POST', path, { data: id }, { origin: stranger });
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    const query = { operation: 'getPaymentDetails' };
    const { merchantId } = sandbox.merchant;
    const { headers } = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
    const seen = await waitUntil(async () => {
      const base = `/dashboard/api/merchants/${merchantId}/sandbox/requests`;
      const address = `${base}?${new URLSearchParams(query)}`;
      const { body } = await sandbox.request('GET', address, { secret: null, headers });
      const [row] = body.data.filter(({ failure }: { failure: string | null }) => failure);
      if (!row) throw new Error(JSON.stringify(body));
      return row;
    });
    expect(seen).toMatchObject({ status: 200, failure: 'ORIGIN_NOT_LISTED' });
    expect(sandbox.logged.filter((line) => line.includes(stranger))).toEqual([
      expect.stringContaining(seen.secretId),
    ]);
    const { code, said } = await askDoctor(stranger);
    expect([code, said]).toEqual([1, expect.stringContaining('no active access secret lists it')]);
  });

  /** As the operator asks who lists the origin of a page. */
  const askDoctor = (...words: readonly string[]) =>
    runCommand('doctor.ts origin', words, {
      DATABASE_URL: sandbox.databaseUrl,
      FLORIN_DATA: sandbox.folder,
    });

  test('are found by the doctor under the merchants that list them', async () => {
    const { merchantId } = sandbox.merchant;
    const listed = await askDoctor(origin);
    expect(listed).toEqual({
      code: 0,
      said: '',
      out: `ok       ${origin}: ${merchantId}/SANDBOX\n`,
    });
    for (const wrong of [[], ['shop.example'], [`${origin}/basket`]])
      expect((await askDoctor(...wrong)).said).toContain('is no origin');
  });

  const attempt = async (): Promise<readonly [id: string, paymentIdempotencyId: string]> => {
    const id = await create();
    const body = {
      institutionId: 'mock-sandbox-v1',
      paymentRequestSource: { paymentRequestId: id },
    };
    const started = await send('POST', '/api/payments/v1/secure-payment-auth', body);
    return [id, started.body.paymentIdempotencyId];
  };

  test('may call every page operation with credentials and read failures', async () => {
    const [id, attemptId] = await attempt();
    const cancelled = await create();
    await sandbox.request('POST', `/api/payment-request/cancel/${cancelled}`);
    const start = (paymentRequestId: string) => ({
      institutionId: 'mock-sandbox-v1',
      paymentRequestSource: { paymentRequestId },
    });
    const unknownId = '00000000-0000-4000-8000-000000000000';
    const calls: readonly (readonly [number, string, object?])[] = [
      [200, '/api/payments/get-payment-details?env=sandbox', { data: id }],
      [409, '/api/payments/get-payment-details', { data: cancelled }],
      [404, '/api/payments/get-payment-details', { data: unknownId }],
      [400, '/api/payments/get-payment-details', { data: 'no id' }],
      [200, '/api/institutions/customer?sendDisabledBanks=true&env=sandbox&search=mock'],
      [200, '/api/sdk-payment/institutions/customer?sendDisabledBanks=true&env=SANDBOX'],
      [503, '/api/sdk-payment/institutions/customer?sendDisabledBanks=true&env=PRODUCTION'],
      [200, `/api/payments/payment-status/${attemptId}?env=sandbox`],
      [200, `/api/payments/payment-status/${id}?type=request&env=sandbox`],
      [200, `/api/payments/v2/payment/${attemptId}/status?env=sandbox`],
      [200, `/api/sdk-payment/status/${attemptId}?env=SANDBOX`],
      [200, `/api/sdk-payment/payment-request/status/${id}?env=SANDBOX`],
      [200, '/api/payments/v1/secure-payment-auth', start(id)],
      [409, '/api/payments/v1/secure-payment-auth', start(cancelled)],
    ];
    for (const [status, path, body] of calls) {
      expect((await preflight(path, origin)).status, path).toBe(204);
      const answer = await send(body ? 'POST' : 'GET', path, body, { origin });
      expect(answer.status, path).toBe(status);
      expect(answer.headers.get('access-control-allow-origin'), path).toBe(origin);
      expect(answer.headers.get('access-control-allow-credentials'), path).toBe('true');
      expect(answer.headers.get('vary'), path).toContain('origin');
      expect(answer.headers.get('content-type'), path).toContain('application/json');
    }
  });

  test('may read why they are refused, whatever the reason', async () => {
    const path = '/api/payments/get-payment-details';
    const raw = async (text: string, headers: Record<string, string> = {}, from = origin) => {
      const reply = await fetch(`${sandbox.url}${path}`, {
        method: 'POST',
        headers: { origin: from, 'content-type': 'application/json', ...headers },
        body: text,
      });
      return [reply.status, reply.headers.get('access-control-allow-origin')];
    };
    expect(await raw('{"data":')).toEqual([400, origin]);
    expect(await raw('"\\u0000"')).toEqual([400, origin]);
    expect(await raw('{}', { 'content-type': 'text/plain' })).toEqual([415, origin]);
    expect(await raw('{}', { 'content-encoding': 'gzip' })).toEqual([415, origin]);
    expect(await raw(`{"data":"${'x'.repeat(70_000)}"}`)).toEqual([413, origin]);
    expect(await raw('{"data":', {}, 'https://evil.example')).toEqual([400, null]);
    const slash = await send('POST', `${path}/`, { data: 'no id' }, { origin });
    expect([slash.status, slash.headers.get('access-control-allow-origin')]).toEqual([400, origin]);
  });
});
