import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStripe } from '#rails/stripe/index.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import {
  type CardAccount,
  cardRails,
  forgetCardAccount,
  listOwnCardAccounts,
  readOwnCardAccounts,
  saveCardAccount,
  setCardAccount,
} from './card-accounts.ts';

let service: TestService;
let nowMs = Date.parse('2026-01-05T09:00:00Z');
const own = {
  accountKey: 'acct_own',
  secretKey: 'sk_test_of_this_merchant',
  webhookSecret: 'whsec_of_this_merchant',
};
const shared: CardAccount = {
  environment: 'SANDBOX',
  secretKey: 'sk_test_of_the_simulator',
  webhookSecret: 'whsec_of_the_simulator',
  apiUrl: 'http://127.0.0.1:4012',
};

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const openRails = (account: CardAccount | null = shared) => {
  const opened: string[] = [];
  const stripe = openStripe(service.tools);
  const rails = cardRails({
    ...service.tools,
    clock: { ...service.tools.clock, now: () => new Date(nowMs) },
    railFor: (settings) => {
      opened.push(settings.secretKey);
      return stripe.railFor(settings);
    },
    sharedSandboxAccount: async () => account,
  });
  return { rails, opened };
};

describe('the card rail of a merchant', () => {
  it('is the simulator in sandbox and null in production', async () => {
    const { rails, opened } = openRails();
    expect(await rails.find(service.sandbox)).not.toBeNull();
    expect(await rails.find(service.production)).toBeNull();
    expect(opened).toEqual([shared.secretKey]);
    await expect(rails.need(service.production)).rejects.toMatchObject({
      definition: { name: 'RAIL_NOT_CONFIGURED', status: 503 },
    });
  });

  it('names the missing setting, and checks again next time', async () => {
    const { rails } = openRails(null);
    await expect(rails.need(service.sandbox)).rejects.toThrow(/npm run card-account/);
    await setCardAccount(service.tools, service.sandbox, own);
    expect(await rails.find(service.sandbox)).not.toBeNull();
  });

  it("uses the merchant's own keys, in their environment only, within seconds of a change", async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const { rails, opened } = openRails();
    expect((await rails.find(tenant))?.accountKey).toBe('simulated');
    await setCardAccount(service.tools, tenant, own);
    await rails.find(tenant);
    expect(opened).toEqual([shared.secretKey]);
    nowMs += 6_000;
    expect((await rails.find(tenant))?.accountKey).toBe('acct_own');
    expect(opened).toEqual([shared.secretKey, own.secretKey]);
    expect(await rails.find({ merchantId, environment: 'PRODUCTION' })).toBeNull();
  });

  it('encrypts the keys and decrypts them for their own merchant only', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    await setCardAccount(service.tools, tenant, own);
    expect(await readOwnCardAccounts(service.tools, tenant)).toEqual({
      inUse: { environment: 'SANDBOX', ...own },
      former: [],
    });
    const other = await service.newMerchant();
    const elsewhere = { merchantId: other.merchantId, environment: 'SANDBOX' } as const;
    const none = { inUse: null, former: [] };
    expect(await readOwnCardAccounts(service.tools, elsewhere)).toEqual(none);
  });

  it('of a former account stays until it is forgotten; new keys replace its own', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const { rails, opened } = openRails();
    const keysOf = async (accountKey: string) =>
      (await rails.findAccount(tenant, accountKey)) && opened.at(-1);
    const next = { ...own, accountKey: 'acct_next', secretKey: 'sk_test_next' };
    await setCardAccount(service.tools, tenant, own);
    await setCardAccount(service.tools, tenant, next);
    expect((await rails.find(tenant))?.accountKey).toBe('acct_next');
    expect((await rails.findAccount(tenant, 'acct_own'))?.accountKey).toBe('acct_own');
    expect((await rails.findAccount(tenant, 'simulated'))?.accountKey).toBe('simulated');
    expect(await rails.findAccount(tenant, 'acct_other')).toBeNull();
    expect((await rails.listOwn(tenant)).map((rail) => rail.accountKey)).toEqual([
      ...['acct_next', 'acct_own'],
    ]);
    await saveCardAccount(service.tools, tenant, { ...own, secretKey: 'sk_test_replaced' });
    nowMs += 6_000;
    expect(await keysOf('acct_own')).toBe('sk_test_replaced');
    expect(await listOwnCardAccounts(service.tools, tenant)).toMatchObject([
      { accountKey: 'acct_next', isInUse: true },
      { accountKey: 'acct_own', isInUse: false },
    ]);
    expect(await forgetCardAccount(service.tools, tenant, 'acct_next')).toBe(false);
    expect(await forgetCardAccount(service.tools, tenant, 'acct_own')).toBe(true);
    nowMs += 6_000;
    expect(await rails.findAccount(tenant, 'acct_own')).toBeNull();
    await expect(rails.needAccount(tenant, 'acct_own')).rejects.toThrow(/account acct_own/);
  });

  it('is found at once at an account that another program has chosen', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const { rails } = openRails();
    await setCardAccount(service.tools, tenant, own);
    await rails.find(tenant);
    await setCardAccount(service.tools, tenant, { ...own, accountKey: 'acct_next' });
    expect((await rails.find(tenant))?.accountKey).toBe('acct_own');
    expect((await rails.findAccount(tenant, 'acct_next'))?.accountKey).toBe('acct_next');
  });

  it('with keys for open work alone is not in use', async () => {
    const { merchantId } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const { rails } = openRails();
    await saveCardAccount(service.tools, tenant, own);
    expect((await rails.find(tenant))?.accountKey).toBe('simulated');
    expect((await rails.findAccount(tenant, 'acct_own'))?.accountKey).toBe('acct_own');
    expect(await forgetCardAccount(service.tools, tenant, 'acct_own')).toBe(true);
  });

  it('rejects keys for an unknown merchant', async () => {
    const unknownId = {
      merchantId: '7d1c4a34-0000-4000-8000-000000000000',
      environment: 'SANDBOX',
    } as const;
    await expect(setCardAccount(service.tools, unknownId, own)).rejects.toMatchObject({
      definition: { name: 'NOT_FOUND' },
    });
  });
});
