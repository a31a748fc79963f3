import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Act, audited } from '../../../service/src/modules/audit/index.ts';
import { authenticateOperator } from '../../../service/src/modules/operators/guard-operators.ts';
import { revokeOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator();
});
afterAll(() => service.close());

const operate: OperatorService['operate'] = (...call) => service.operate(...call);
const rows = <Row>(text: string, values?: readonly string[]) => service.rows<Row>(text, values);

describe('an operator secret', () => {
  const list = (used: string | null) =>
    service.request('GET', '/api/operator/merchants', { secret: used });

  test('opens the operator API and nothing else; others do not open it', async () => {
    expect((await list(service.secret)).status).toBe(200);
    for (const other of [
      null,
      service.sandboxSecret,
      service.productionSecret,
      `${service.secret}x`,
    ]) {
      const reply = await list(other);
      expect([reply.status, reply.body.name]).toEqual([401, 'INVALID_CREDENTIAL']);
    }
    const payment = { secret: service.secret, body: service.order };
    expect((await service.request('POST', '/api/payments/process-payment', payment)).status).toBe(
      401,
    );
  });

  test('stands nowhere in the database, and ends by revocation and by expiry', async () => {
    const stored = await rows<{ text: string }>(
      "select s::text || encode(secret_sha256, 'escape') as text from operator_secret s",
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.some(({ text }) => text.includes(service.secret.slice(20)))).toBe(false);
    const grace = await service.newOperator('Grace');
    expect((await list(grace.secret)).status).toBe(200);
    await revokeOperatorSecret(service.tools, grace.operatorSecretId);
    expect((await list(grace.secret)).status).toBe(401);
    const ended = await service.newOperator('Past', new Date('2026-01-01T00:00:00Z'));
    expect((await list(ended.secret)).status).toBe(401);
  });
});

describe('audit', () => {
  // The list leaves out looks at itself.
  const newest = async (size: number) =>
    (await operate('GET', `/audit-records?size=${size}`)).body.data;

  test('says who did what, when and from where, also what was refused', async () => {
    const { merchantId } = service.merchant;
    const path = `/merchants/${merchantId}/production/switches`;
    await operate('PUT', path, { cardsEnabled: true });
    await operate('PUT', path, { cardsEnabled: 'yes' });
    const [refused, done] = await newest(2);
    expect(done).toMatchObject({
      ...{ channel: 'API', actor: 'Ada', address: '127.0.0.1', action: 'setMerchantSwitches' },
      ...{ merchantId, environment: 'PRODUCTION', detail: { cardsEnabled: true } },
      ...{ outcome: 'DONE', startedAt: expect.stringMatching(/Z$/) },
    });
    expect(refused).toMatchObject({ action: 'setMerchantSwitches', outcome: 'BAD_REQUEST' });
    expect(refused.detail).toEqual({});
    const about = await operate('GET', `/audit-records?merchantId=${merchantId}`);
    const others = about.body.data.filter(
      (each: object) => !Object.values(each).includes(merchantId),
    );
    expect(others).toEqual([]);
  });

  test('is listed of one actor', async () => {
    const grace = await service.newOperator('Grace');
    await service.request('GET', '/api/operator/merchants', { secret: grace.secret });
    await operate('GET', '/merchants');
    const actorId = grace.operatorSecretId;
    const { body } = await operate('GET', `/audit-records?actorId=${actorId}`);
    expect(body.data).toMatchObject([{ actorId, actor: 'Grace', action: 'listMerchants' }]);
  });

  test('is listed without what only reads, and of a merchant by its name', async () => {
    const { merchantId } = service.merchant;
    await operate('PUT', `/merchants/${merchantId}/sandbox/switches`, { cardsEnabled: true });
    await operate('GET', `/merchants/${merchantId}`);
    const listed = async (query: string) =>
      (await operate('GET', `/audit-records?size=1&merchant=ORNER%20coff${query}`)).body.data;
    const about = { merchantId, businessName: 'Corner Coffee' };
    expect(await listed('')).toMatchObject([{ ...about, action: 'getMerchant' }]);
    expect(await listed('&only=CHANGES')).toMatchObject([
      { ...about, action: 'setMerchantSwitches' },
    ]);
  });

  test('records no secret and no free text', async () => {
    const { merchantId } = service.merchant;
    await operate('POST', `/merchants/${merchantId}/sandbox/secrets`, { name: 'Till' });
    const [unknown, resolution] = [service.tools.ids.uuid(), 'Written off.'];
    await operate('POST', `/cases/${unknown}/resolve`, { resolution });
    const texts = JSON.stringify(await rows('select r::text from audit_record r'));
    expect(texts).not.toMatch(/florin_(sandbox|production|operator)_/);
    expect(texts).not.toContain('Written off.');
    expect(texts).toContain(unknown);
  });

  test.each([
    'update audit_record set actor = $$Eve$$',
    'delete from audit_record',
    'truncate audit_record cascade',
    'update audit_seal set hash = hash',
  ])('is append-only: %s', async (text) => {
    await expect(rows(text)).rejects.toThrow('permission denied');
  });

  test('nothing runs where no record can be written', async () => {
    const database = { ...service.database, system: () => Promise.reject(new Error('full')) };
    const act: Act = {
      ...{ channel: 'COMMAND', actorKind: 'OPERATOR', actorId: null, actor: 'ada' },
      ...{ address: 'host', action: 'merchant switches', merchantId: null, environment: null },
      detail: {},
    };
    let hasRun = false;
    const run = async () => {
      hasRun = true;
    };
    await expect(audited({ ...service.tools, database }, act, run)).rejects.toThrow('full');
    expect(hasRun).toBe(false);
  });
});

test('the 101st call of an address in a second is refused, whatever its secret', async () => {
  const now = service.tools.clock.now();
  const tools = { ...service.tools, clock: { ...service.tools.clock, now: () => now } };
  const authenticate = authenticateOperator(tools);
  const call = (address = '192.0.2.1') => authenticate(`Bearer ${service.secret}`, address);
  for (let at = 1; at <= 100; at += 1) await call();
  await expect(call()).rejects.toMatchObject({ definition: { name: 'RATE_LIMITED' } });
  expect((await call('192.0.2.2')).name).toBe('Ada');
});

describe('a logo', () => {
  test('is set and taken away, and its audit record does not repeat the picture', async () => {
    const { merchantId } = service.merchant;
    const merchant = `/merchants/${merchantId}`;
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(5_000)}</svg>`);
    const logo = `data:image/svg+xml;base64,${svg.toString('base64')}`;
    const changed = await operate('PUT', merchant, { logo });
    const address = `^/merchant-logos/${merchantId}/[0-9a-f]{32}\\.svg$`;
    expect(changed.body.logoUrl).toMatch(new RegExp(address));
    expect((await operate('PUT', merchant, { paymentLimit: 8_100 })).body.logoUrl).toBe(
      changed.body.logoUrl,
    );
    const [record] = await rows<{ detail: object }>(
      "select detail::jsonb from audit_record where action = 'changeMerchant' and detail like '%logo%'",
    );
    expect(record?.detail).toEqual({ given: ['logo'] });
    expect((await operate('PUT', merchant, { logo: null })).body.logoUrl).toBeNull();
  });

  test.each([
    ['a web page', `data:image/svg+xml;base64,${btoa('<html></html>')}`],
    ['another type', `data:image/png;base64,${btoa('<svg></svg>')}`],
    ['a JPEG', `data:image/jpeg;base64,${btoa('<svg></svg>')}`],
    ['too much', `data:image/svg+xml;base64,${btoa(`<svg>${' '.repeat(32_768)}</svg>`)}`],
    ['an address', 'https://tea.example/logo.svg'],
  ])('that is %s is refused', async (_, logo) => {
    const reply = await operate('PUT', `/merchants/${service.merchant.merchantId}`, { logo });
    expect([reply.status, reply.body.errors[0]?.field]).toEqual([400, 'logo']);
  });
});
