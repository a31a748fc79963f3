import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStripe } from '#rails/stripe/index.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { type CardAccount, readOwnCardAccount, setCardAccount } from './card-account.ts';
import { cardRails } from './card-rails.ts';

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
    expect(await readOwnCardAccount(service.tools, tenant)).toEqual({
      environment: 'SANDBOX',
      ...own,
    });
    const other = await service.newMerchant();
    const elsewhere = { merchantId: other.merchantId, environment: 'SANDBOX' } as const;
    expect(await readOwnCardAccount(service.tools, elsewhere)).toBeNull();
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
