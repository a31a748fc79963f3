import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCollectingAccount } from '../../../../test/harness/add-collecting-account.ts';
import { openVisit } from '../../../../test/harness/dashboard/open-visit.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { setSwitches } from '../merchants/index.ts';
import { openPayments, type Payments } from '../payments/test/open-payments.ts';
import { admitToProduction, personRoutes } from '../people/index.ts';
import { readTurn } from '../transfers/index.ts';
import { storeRoutes } from './stores.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments({
    hasProduction: true,
    routes: (tools) => [...personRoutes({ ...tools, openSignUp: true }), ...storeRoutes(tools)],
  });
});
afterAll(() => payments.close());

const proveAddresses = statement<object, never>(
  'test_prove_addresses',
  sql()`update person set email_verified = true`,
  { guardedBy: 'test' },
);

const switchOnBefore = statement<object, never>(
  'test_switch_on_before',
  sql()`update merchant_switch set payouts_enabled = true where environment = 'PRODUCTION'`,
  { guardedBy: 'test' },
);

test('a business that signed itself up takes money in production once its account is set', async () => {
  const { call } = openVisit(payments);
  const owner = { name: 'Grace', email: 'grace@example.com', password: 'a long password' };
  await call('POST', '/dashboard/api/sign-up', { ...owner, businessName: 'Harbour Books' });
  const [membership] = (await call('GET', '/dashboard/api/me')).body.memberships;
  const { merchantId } = membership;
  await payments.database.system(proveAddresses, {});
  await admitToProduction(payments.tools, merchantId);
  const at = (environment: string) => `/dashboard/api/merchants/${merchantId}/${environment}`;
  const requested = (environment: string) =>
    call('POST', `${at(environment)}/api/payments/process-payment`, payments.order);
  expect((await requested('sandbox')).status).toBe(200);
  const refused = await requested('production');
  expect([refused.status, refused.body.name]).toEqual([403, 'NOT_ENABLED']);
  expect(refused.body.message).toContain('Settings, Stores');
  const production = { merchantId, environment: 'PRODUCTION' } as const;
  const switchOn = () => setSwitches(payments.tools, production, { payoutsEnabled: true });
  await expect(switchOn()).rejects.toThrow('no bank account in production');
  // A store that is added has the account of the primary one.
  const { storeId: another } = (
    await call('POST', `${at('production')}/stores`, { locationName: 'Quay' })
  ).body;
  const { data } = (await call('GET', `${at('production')}/stores`)).body;
  const account = { sortCode: '107999', accountNumber: '88837491', name: 'Harbour Books' };
  for (const { storeId } of data) {
    const path = `${at('production')}/stores/${storeId}/bank-account`;
    expect((await call('PUT', path, account)).body.isChanged).toBe(true);
  }
  expect(data.map(({ storeId }: { storeId: string }) => storeId)).toContain(another);
  expect((await requested('production')).status).toBe(200);
  await expect(switchOn()).rejects.toThrow('set PRODUCTION_COLLECTING_ACCOUNT');
  await payments.database.system(switchOnBefore, {});
  const unpayable = await requested('production');
  expect([unpayable.status, unpayable.body.name]).toEqual([503, 'RAIL_NOT_CONFIGURED']);
  expect(unpayable.body.message).toContain('set PRODUCTION_COLLECTING_ACCOUNT');
  await addCollectingAccount(payments.tools);
  expect((await switchOn()).payoutsEnabled).toBe(true);
  expect((await requested('production')).status).toBe(200);
});

test('an unknown store takes no turn of outgoing money', async () => {
  const { call } = openVisit(payments);
  const owner = { name: 'Ada', email: 'ada@example.com', password: 'a long password' };
  await call('POST', '/dashboard/api/sign-up', { ...owner, businessName: 'Quay Books' });
  const [{ merchantId }] = (await call('GET', '/dashboard/api/me')).body.memberships;
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const turn = () => payments.database.tenant(merchantId, readTurn, tenant);
  const before = await turn();
  const path = `/dashboard/api/merchants/${merchantId}/sandbox/stores/${randomUUID()}/bank-account`;
  const account = { sortCode: '107999', accountNumber: '88837491', name: 'Quay Books' };
  expect((await call('PUT', path, account)).status).toBe(404);
  expect(await turn()).toEqual(before);
});
