import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import {
  createStore,
  findPublicId,
  findStore,
  merchantRoutes,
  missingPublicId,
  payeeFor,
  readMerchant,
  requireSwitch,
  setCollectingAccounts,
  setSwitches,
} from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: merchantRoutes });
});
afterAll(() => service.close());

const bankAccount = { sortCode: '089999', accountNumber: '66374958', name: 'Second Shop' };
const uuid = /^[0-9a-f-]{36}$/;

describe('listStores', () => {
  test('lists the store that every merchant starts with', async () => {
    const { secret } = (await service.newMerchant()).secrets.PRODUCTION;
    const { status, body } = await service.request('GET', '/api/payments/stores', { secret });
    expect(status).toBe(200);
    expect(body).toEqual({
      page: '0',
      size: 20,
      totalCount: 1,
      data: [
        {
          id: expect.stringMatching(uuid),
          locationName: 'DEFAULT',
          addressLine1: '',
          addressLine2: '',
          addressPostalCode: '',
          cityOrTown: '',
          primary: true,
          enabled: true,
          images: [],
          createdAt: expect.stringMatching(/Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  test('pages through the newest first, with the total on an empty page', async () => {
    const merchant = await service.newMerchant();
    const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
    for (let at = 1; at <= 21; at += 1)
      await createStore(service.tools, tenant, { locationName: `Shop ${at}`, bankAccount });
    const { secret } = merchant.secrets.SANDBOX;
    const list = async (query: string) =>
      (await service.request('GET', `/api/payments/stores${query}`, { secret })).body;
    const [first, second] = [await list(''), await list('?page=1')];
    expect([first.data.length, second.data.length, second.totalCount]).toEqual([20, 2, 22]);
    expect(second.page).toBe('1');
    const listed: { id: string; createdAt: string }[] = [...first.data, ...second.data];
    expect(new Set(listed.map(({ id }) => id)).size).toBe(22);
    const times = listed.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(await list('?page=9')).toMatchObject({ page: '9', totalCount: 22, data: [] });
  });

  test.each(['page=-1', 'page=x', 'size=0', 'size=101', 'page=1e99'])(
    'rejects %s',
    async (query) => {
      const { status, body } = await service.request('GET', `/api/payments/stores?${query}`);
      expect([status, body.name]).toEqual([400, 'BAD_REQUEST']);
    },
  );
});

describe('the paid account', () => {
  test('is the collecting account with payouts, else that of the store', async () => {
    const { tools, sandbox } = service;
    const storeId = await createStore(tools, sandbox, {
      locationName: 'Harbour',
      addressLine1: '1 Quay',
      city: 'Leeds',
      bankAccount,
    });
    const store = { storeId, locationName: 'Harbour', address: '1 Quay, Leeds', imageUrl: null };
    expect(await payeeFor(tools, sandbox, storeId)).toEqual({
      store,
      account: { sortCode: '180002', accountNumber: '00000190', name: 'Florin Sandbox' },
      settlesTo: 'COLLECTING_ACCOUNT',
    });
    await setSwitches(tools, sandbox, { payoutsEnabled: false, refundsEnabled: false });
    const direct = { store, account: bankAccount, settlesTo: 'STORE_ACCOUNT' };
    expect(await payeeFor(tools, sandbox, storeId)).toEqual(direct);
    await setSwitches(tools, sandbox, { payoutsEnabled: true, refundsEnabled: true });
  });

  test('needs the setting of the collecting account when payouts are on', async () => {
    const { tools, production } = service;
    const switchOn = () => setSwitches(tools, production, { payoutsEnabled: true });
    await expect(switchOn()).rejects.toMatchObject({
      definition: { name: 'RAIL_NOT_CONFIGURED' },
      message: expect.stringContaining('PRODUCTION_COLLECTING_ACCOUNT'),
    });
    const written = '089999 66374958 Operator';
    const config = readConfig({ PRODUCTION_COLLECTING_ACCOUNT: written });
    await setCollectingAccounts({ ...tools, config });
    await switchOn();
    const payee = await payeeFor(tools, production, null);
    expect(payee.account).toEqual({ ...bankAccount, name: 'Operator' });
  });

  test('stops the start when it fails the modulus check', async () => {
    const config = readConfig({ PRODUCTION_COLLECTING_ACCOUNT: '089999 66374959 Operator' });
    await expect(setCollectingAccounts({ ...service.tools, config })).rejects.toThrow(
      /^PRODUCTION_COLLECTING_ACCOUNT: accountNumber/,
    );
  });

  test('is that of the primary store by default, never of an unknown, disabled or foreign one', async () => {
    const { tools, sandbox, merchant } = service;
    const primary = merchant.storeIds.SANDBOX;
    expect((await findStore(tools, sandbox, null)).storeId).toBe(primary);
    const other = await service.newMerchant();
    const disabled = await createStore(tools, sandbox, { locationName: 'Closed', bankAccount });
    const disable = statement<{ merchantId: string; environment: string; storeId: string }, never>(
      '',
      sql('merchantId', 'environment', 'storeId')`
   update store set is_enabled = false where merchant_id = :merchantId
       and environment = :environment and store_id = :storeId`,
    );
    await tools.database.tenant(sandbox.merchantId, disable, { ...sandbox, storeId: disabled });
    const wrong = [
      tools.ids.uuid(),
      disabled,
      other.storeIds.SANDBOX,
      merchant.storeIds.PRODUCTION,
    ];
    for (const storeId of wrong)
      await expect(findStore(tools, sandbox, storeId)).rejects.toMatchObject({
        definition: { name: 'BAD_REQUEST' },
        errors: [{ field: 'storeId' }],
      });
    // What was requested before the store was disabled is still paid.
    expect((await payeeFor(tools, sandbox, disabled)).store.storeId).toBe(disabled);
    for (const storeId of wrong.filter((each) => each !== disabled))
      await expect(payeeFor(tools, sandbox, storeId)).rejects.toThrow();
  });
});

describe('a bank account', () => {
  test.each([
    ['sortCode', { sortCode: '08999' }],
    ['sortCode', { sortCode: '08-99-99' }],
    ['accountNumber', { accountNumber: '6637495' }],
    ['accountNumber', { accountNumber: '66374959' }],
    ['accountName', { name: ' ' }],
    ['accountName', { name: 'x'.repeat(41) }],
  ])('with a wrong %s creates no store and no merchant: %j', async (field, wrong) => {
    const account = { ...bankAccount, ...wrong };
    const refused = { definition: { name: 'BAD_REQUEST' }, errors: [{ field }] };
    const store = { locationName: 'Wrong', bankAccount: account };
    await expect(createStore(service.tools, service.sandbox, store)).rejects.toMatchObject(refused);
    const bankAccounts = { SANDBOX: bankAccount, PRODUCTION: account };
    await expect(service.newMerchant({ bankAccounts })).rejects.toMatchObject(refused);
  });
});

test('a merchant has its switches: all on in the sandbox, off in production', async () => {
  const made = await service.newMerchant({
    ownerEmail: 'owner@example.com',
    accentColour: '#aa00ff',
  });
  const tenant = { merchantId: made.merchantId, environment: 'SANDBOX' } as const;
  const on = { cardsEnabled: true, refundsEnabled: true, payoutsEnabled: true };
  expect(await readMerchant(service.tools, tenant)).toEqual({
    merchantId: made.merchantId,
    isSuspended: false,
    businessName: 'Corner Coffee',
    ownerEmail: 'owner@example.com',
    categoryCode: '5999',
    paymentLimitPence: 1_500_000n,
    completedAtSettlement: false,
    avatarUrl: null,
    accentColour: '#aa00ff',
    supportEmail: null,
    supportPhone: null,
    supportUrl: null,
    logoUrl: null,
    switches: {
      ...on,
      transferHubPaused: false,
      refundsBeforeSettlement: false,
      ordersGuarded: false,
      signsEveryReturn: false,
      repeatsCompleted: false,
    },
  });
  for (const feature of ['cards', 'refunds', 'payouts'] as const) {
    await requireSwitch(service.tools, tenant, feature);
    await expect(
      requireSwitch(service.tools, { ...tenant, environment: 'PRODUCTION' }, feature),
    ).rejects.toMatchObject({ definition: { name: 'NOT_ENABLED' } });
  }
});

test('the directory answers the owner of an id, and distinguishes missing from mismatched', async () => {
  const { tools, sandbox, production } = service;
  const [publicId, targetId] = [tools.ids.uuid(), tools.ids.uuid()];
  const register = statement<{ publicId: string; targetId: string } & typeof sandbox, never>(
    '',
    sql('publicId', 'merchantId', 'environment', 'targetId')`
   insert into public_id (public_id, kind, merchant_id, environment, target_id)
     values (:publicId, 'PAYMENT_REQUEST', :merchantId, :environment, :targetId)`,
  );
  await tools.database.tenant(sandbox.merchantId, register, { ...sandbox, publicId, targetId });
  expect(await findPublicId(tools, publicId, 'PAYMENT_REQUEST')).toEqual({
    tenant: sandbox,
    targetId,
  });
  expect(await findPublicId(tools, publicId, 'ATTEMPT')).toBeNull();
  const nameFor = async (tenant: typeof sandbox | typeof production) =>
    (await missingPublicId(tools, tenant, 'None.', publicId, 'PAYMENT_REQUEST')).definition.name;
  expect(await nameFor(production)).toBe('ENVIRONMENT_MISMATCH');
  const { merchantId } = await service.newMerchant();
  expect(await nameFor({ ...production, merchantId })).toBe('NOT_FOUND');
});
