import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCases } from '../../../service/src/modules/operator-cases/index.ts';
import { loadPayment } from '../../../service/src/modules/payments/index.ts';
import { submit } from '../../../service/src/modules/payments/test/submit.ts';
import { addCollectingAccount } from '../../harness/add-collecting-account.ts';
import { testBankAccounts } from '../../harness/open-test-service.ts';
import { type OperatorService, openOperator } from './open-operator.ts';

let service: OperatorService;
beforeAll(async () => {
  service = await openOperator();
});
afterAll(() => service.close());

const operate: OperatorService['operate'] = (...call) => service.operate(...call);
const rows = <Row>(text: string, values?: readonly string[]) => service.rows<Row>(text, values);

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

describe('an operator creates a merchant and runs it without SQL', () => {
  let merchantId: string;
  let merchant: string;
  test('with bank accounts, limit, owner mail, strict settlement and branding', async () => {
    const made = await operate('POST', '/merchants', {
      businessName: 'Tea House',
      ownerEmail: 'owner@tea.example',
      paymentLimit: 5000,
      completedAtSettlement: true,
      accentColour: '#7A3E1D',
      avatarUrl: 'https://tea.example/logo.png',
      supportEmail: 'help@tea.example',
      supportPhone: '+44 20 7946 0000',
      supportUrl: 'https://tea.example/help',
      bankAccounts: testBankAccounts,
    });
    expect(made.status).toBe(200);
    expect(made.body.storeIds).toEqual({ SANDBOX: uuid, PRODUCTION: uuid });
    merchantId = made.body.merchantId;
    merchant = `/merchants/${merchantId}`;
    const shown = await operate('GET', merchant);
    expect(shown.body).toEqual({
      merchantId,
      businessName: 'Tea House',
      ownerEmail: 'owner@tea.example',
      categoryCode: '5999',
      paymentLimit: 5000,
      completedAtSettlement: true,
      accentColour: '#7a3e1d',
      avatarUrl: 'https://tea.example/logo.png',
      supportEmail: 'help@tea.example',
      supportPhone: '+44 20 7946 0000',
      supportUrl: 'https://tea.example/help',
      logoUrl: null,
      switches: {
        SANDBOX: expect.objectContaining({ cardsEnabled: true, refundsEnabled: true }),
        PRODUCTION: expect.objectContaining({ cardsEnabled: false, refundsEnabled: false }),
      },
      suspensions: [],
    });
    const first = { secret: made.body.secrets.SANDBOX.secret };
    const identity = await service.request('POST', '/api/payments/process-payment', {
      ...first,
      body: { ...service.order, amount: 5000.01 },
    });
    expect(identity.status).toBe(400);
    const listed = await operate('GET', '/merchants?size=1');
    expect(listed.body).toMatchObject({ size: 1, data: [{ merchantId }] });
    expect(listed.body.totalCount).toBeGreaterThan(1);
  });

  test('changes what is named and leaves the rest; null takes away', async () => {
    const changed = await operate('PUT', merchant, {
      paymentLimit: 80.5,
      completedAtSettlement: false,
      avatarUrl: null,
      ownerEmail: null,
      supportPhone: null,
    });
    expect(changed.body).toMatchObject({
      businessName: 'Tea House',
      paymentLimit: 80.5,
      completedAtSettlement: false,
      avatarUrl: null,
      ownerEmail: null,
      supportPhone: null,
      accentColour: '#7a3e1d',
      supportEmail: 'help@tea.example',
    });
  });

  test('adds a store, which takes payments', async () => {
    const made = await operate('POST', `${merchant}/sandbox/stores`, {
      locationName: 'Harbour',
      addressLine1: '1 Quay',
      city: 'Leeds',
      postalCode: 'LS1 1AA',
      bankAccount: testBankAccounts.SANDBOX,
    });
    expect(made.body).toEqual({ storeId: uuid });
    const listed = await operate('GET', `${merchant}/sandbox/stores`);
    expect(listed.body.data).toMatchObject([
      { id: made.body.storeId, locationName: 'Harbour', cityOrTown: 'Leeds', primary: false },
      { locationName: 'DEFAULT', primary: true },
    ]);
    const wrong = await operate('POST', `${merchant}/sandbox/stores`, {
      locationName: 'Wrong',
      bankAccount: { ...testBankAccounts.PRODUCTION, accountNumber: '88837492' },
    });
    expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'accountNumber']);
  });

  test('makes, lists and revokes an access secret with its origins, scope and expiry', async () => {
    const options = {
      name: 'Till',
      redirectUrl: 'https://tea.example/back',
      webOrigins: ['https://tea.example', 'http://localhost:*'],
      scope: 'READ',
      expiresAt: '2099-01-01T00:00:00.000Z',
    };
    const made = await operate('POST', `${merchant}/sandbox/secrets`, options);
    const till = { secret: made.body.secret };
    expect((await service.request('GET', '/api/transactions', till)).status).not.toBe(401);
    const write = { ...till, body: service.order };
    expect((await service.request('POST', '/api/payments/process-payment', write)).status).toBe(
      403,
    );
    const listed = await operate('GET', `${merchant}/sandbox/secrets`);
    const entry = { ...options, secretId: made.body.secretId, lastFour: till.secret.slice(-4) };
    expect(listed.body.data[0]).toMatchObject({ ...entry, revokedAt: null });
    expect(JSON.stringify(listed.body)).not.toContain(till.secret);
    const path = `${merchant}/sandbox/secrets/${made.body.secretId}`;
    expect((await operate('DELETE', path)).body).toEqual({ secretId: made.body.secretId });
    expect((await service.request('POST', '/api/payments/process-payment', write)).status).toBe(
      401,
    );
    const after = await operate('GET', `${merchant}/sandbox/secrets`);
    expect(after.body.data[0].revokedAt).toMatch(/Z$/);
  });

  test.each([
    [{ name: 'a/b' }, 'name'],
    [{ name: 'Till', redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    [{ name: 'Till', webOrigins: ['http://localhost:*'] }, 'webOrigins'],
    [{ name: 'Till', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('a secret of production is refused with %j', async (options, field) => {
    const reply = await operate('POST', `${merchant}/production/secrets`, options);
    expect([reply.status, reply.body.errors[0]?.field]).toEqual([400, field]);
  });

  test('sets switches, tips and parts of amounts', async () => {
    const on = { payoutsEnabled: true, refundsEnabled: true, cardsEnabled: true };
    const path = `${merchant}/production`;
    expect((await operate('PUT', `${path}/switches`, on)).body.name).toBe('RAIL_NOT_CONFIGURED');
    await addCollectingAccount(service.tools);
    expect((await operate('PUT', `${path}/switches`, on)).body).toMatchObject(on);
    const refused = await operate('PUT', `${path}/switches`, { payoutsEnabled: false });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'refundsEnabled']);
    const tips = { enabled: true, tipType: 'PERCENTAGE', options: [10, 15, 20], allowCustom: true };
    expect((await operate('PUT', `${path}/tips`, tips)).body).toEqual(tips);
    const parts = { taxPercentage: 20, servicePercentage: 12.5 };
    expect((await operate('PUT', `${path}/amount-parts`, parts)).body).toEqual(parts);
  });
});

test.each([
  [{ businessName: ' ' }, 'businessName'],
  [{ ownerEmail: 'no address' }, 'ownerEmail'],
  [{ accentColour: 'red' }, 'accentColour'],
  [{ avatarUrl: 'http://tea.example/logo.png' }, 'avatarUrl'],
  [{ supportEmail: 'help' }, 'supportEmail'],
  [{ supportEmail: `${'a'.repeat(250)}@b.example` }, 'supportEmail'],
  [{ supportPhone: '12345' }, 'supportPhone'],
  [{ supportPhone: '+44 20 7946 0000;ext=1' }, 'supportPhone'],
  [{ supportUrl: 'javascript:alert(1)' }, 'supportUrl'],
  [{ supportUrl: 'https://tea.example@evil.example/' }, 'supportUrl'],
  [{ paymentLimit: 0.5 }, 'paymentLimit'],
  [{ paymentLimit: 10.001 }, 'paymentLimit'],
  [{ bankAccounts: { ...testBankAccounts, SANDBOX: { sortCode: '1' } } }, null],
])('a merchant is refused with %j, and none is made', async (wrong, field) => {
  const [before] = await rows<{ n: bigint }>('select count(*) as n from merchant');
  const body = { businessName: 'Tea House', bankAccounts: testBankAccounts, ...wrong };
  const reply = await operate('POST', '/merchants', body);
  expect(reply.status).toBe(400);
  if (field) expect(reply.body.errors[0].field).toBe(field);
  const { bankAccounts: _, ...change } = { bankAccounts: null, ...wrong };
  const changing = await operate('PUT', `/merchants/${service.merchant.merchantId}`, change);
  expect(changing.status).toBe(field ? 400 : 200);
  expect(await rows('select count(*) as n from merchant')).toEqual([before]);
});

test('what an operation needs of its merchant, and every id, is checked', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const account = { locationName: 'x', bankAccount: testBankAccounts.SANDBOX };
  const tips = { enabled: false, tipType: 'FIXED', options: [1, 2, 3], allowCustom: false };
  const parts = { taxPercentage: 0, servicePercentage: 0 };
  const found = { outcome: 'FAILED', evidence: 'A letter' };
  const cases: readonly (readonly [string, string, object?])[] = [
    ['GET', '/merchants/ID'],
    ['PUT', '/merchants/ID', {}],
    ['POST', '/merchants/ID/admission'],
    ['POST', '/merchants/ID/sandbox/stores', account],
    ['GET', '/merchants/ID/sandbox/stores'],
    ['POST', '/merchants/ID/sandbox/secrets', { name: 'Till' }],
    ['GET', '/merchants/ID/sandbox/secrets'],
    ['DELETE', `/merchants/ID/sandbox/secrets/${unknown}`],
    ['PUT', '/merchants/ID/sandbox/switches', {}],
    ['PUT', '/merchants/ID/sandbox/tips', tips],
    ['PUT', '/merchants/ID/sandbox/amount-parts', parts],
    ['GET', '/merchants/ID/sandbox/payout-settings'],
    ['POST', `/merchants/ID/sandbox/payments/${unknown}/${unknown}/outcome`, found],
    ['GET', `/merchants/ID/sandbox/payments/${unknown}`],
    ['GET', `/merchants/ID/sandbox/bank-links/${unknown}`],
    ['GET', '/cases/ID'],
    ['POST', '/cases/ID/resolve', { resolution: 'Nothing' }],
  ];
  for (const [method, path, body] of cases) {
    const reply = await operate(method, path.replace('ID', unknown), body);
    expect([path, reply.status, reply.body.name]).toEqual([path, 404, 'NOT_FOUND']);
    const wrong = await operate(method, path.replace('ID', 'x'), body);
    expect([path, wrong.status, wrong.body.name]).toEqual([path, 400, 'BAD_REQUEST']);
  }
  for (const path of ['/merchants', '/cases', '/audit-records'])
    expect((await operate('GET', `${path}?size=0`)).status).toBe(400);
});

describe('operator cases', () => {
  test('are listed, shown and resolved once, with their history', async () => {
    const subject = service.tools.ids.uuid();
    await openCases(service.tools, [
      { kind: 'DISPUTE_LOST', subject, description: 'Lost.', evidence: { amountPence: 1250 } },
    ]);
    const { body } = await operate('GET', '/cases?status=OPEN');
    const found = body.data.find((each: { subject: string }) => each.subject === subject);
    expect(found).toMatchObject({ kind: 'DISPUTE_LOST', evidence: { amountPence: 1250 } });
    const path = `/cases/${found.caseId}`;
    expect((await operate('POST', `${path}/resolve`, { resolution: ' ' })).status).toBe(400);
    const resolve = () => operate('POST', `${path}/resolve`, { resolution: 'Written off.' });
    const replies = await Promise.all([resolve(), resolve()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const shown = await operate('GET', path);
    expect(shown.body).toMatchObject({ status: 'RESOLVED', resolution: 'Written off.' });
    expect(shown.body.history).toMatchObject([{ toStatus: 'RESOLVED', actor: 'Ada' }]);
    const resolved = await operate('GET', '/cases?status=RESOLVED');
    expect(resolved.body.data).toContainEqual(expect.objectContaining({ subject }));
  });

  test('a payment that stays open gets the outcome that was found out, once', async () => {
    const id = await submit(service, service.bankId, 'PDNG');
    const payment = await loadPayment(service.tools.database, service.sandbox, id);
    const attemptId = payment?.attempts[0]?.attemptId;
    const path = `/merchants/${service.sandbox.merchantId}/sandbox/payments/${id}/${attemptId}/outcome`;
    expect((await operate('POST', path, { outcome: 'COMPLETED', evidence: '' })).status).toBe(400);
    const found = { outcome: 'COMPLETED', evidence: 'Statement of 21 November' };
    const recorded = await operate('POST', path, found);
    expect(recorded.body).toEqual({
      ...{ paymentRequestId: id, attemptId },
      ...{ status: 'PAID', attemptStatus: 'COMPLETED' },
    });
    expect((await service.status(id)).body.status).toBe('COMPLETED');
    const again = await operate('POST', path, { ...found, outcome: 'FAILED' });
    expect([again.status, again.body.name]).toEqual([409, 'INVALID_STATE']);
    const history = await rows<{ detail: string }>(
      `select detail from payment_history where subject_id = $1::uuid
       and trigger = 'outcomeRecordedByOperator'`,
      [attemptId ?? ''],
    );
    expect(history).toEqual([{ detail: 'Ada: Statement of 21 November' }]);
  });

  test('the record of a payment shows its consents and every change, and no payer', async () => {
    const id = await submit(service, service.bankId, 'ACSC');
    const payments = `/merchants/${service.sandbox.merchantId}/sandbox/payments`;
    const { body } = await operate('GET', `${payments}/${id}`);
    const loaded = await loadPayment(service.tools.database, service.sandbox, id);
    const [attempt] = loaded?.attempts ?? [];
    expect(body).toMatchObject({ paymentRequestId: id, status: 'PAID', amount: '12.50' });
    expect(body.attempts).toMatchObject([
      {
        attemptId: attempt?.attemptId,
        status: 'COMPLETED',
        institutionId: service.bankId,
        consentId: attempt?.railReference,
        interactionId: attempt?.tracingId,
        isoStatus: 'ACSC',
      },
    ]);
    const steps = body.history.map(
      ({ subject, toStatus }: { subject: string; toStatus: string }) => `${subject} ${toStatus}`,
    );
    expect(steps.at(0)).toBe('ATTEMPT AWAITING_AUTHORIZATION');
    expect(steps.slice(-2).sort()).toEqual(['ATTEMPT COMPLETED', 'REQUEST PAID']);
    expect(JSON.stringify(body)).not.toContain(attempt?.consumerName ?? 'consumerName');
    const production = payments.replace('sandbox', 'production');
    expect((await operate('GET', `${production}/${id}`)).status).toBe(404);
  });

  test('the books are verified', async () => {
    expect((await operate('POST', '/books/verify')).body).toMatchObject({ isBalanced: true });
  });
});
