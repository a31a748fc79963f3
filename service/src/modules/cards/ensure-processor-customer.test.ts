import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardRail } from '#rails/card-rail.ts';
import { useSimulatedAccount } from '../../rails/stripe/test/simulated-account.ts';
import { ensureProcessorCustomer } from './ensure-processor-customer.ts';
import { type CardsService, openCards } from './test/open-cards.ts';

const account = useSimulatedAccount();
let service: CardsService;
beforeAll(async () => {
  service = await openCards();
});
afterAll(() => service.close());

type Rail = Pick<CardRail, 'accountKey' | 'createCustomer'>;

const ensure = (customerId: string, rail: Rail = account.rail, tenant = service.sandbox) =>
  ensureProcessorCustomer(service.tools, rail, tenant, customerId);
const booked = async (customerId: string) =>
  (await account.books.customers.list({ limit: 100 })).data.filter(
    ({ metadata }) => metadata.customerId === customerId,
  );
/** The real processor, with faults on the way back. */
const railThat = (answer: (call: number, made: unknown) => unknown): Rail & { calls: number } => {
  const rail = {
    accountKey: account.rail.accountKey,
    calls: 0,
    createCustomer: async (order: Parameters<CardRail['createCustomer']>[0]) => {
      rail.calls += 1;
      return answer(rail.calls, await account.rail.createCustomer(order)) as never;
    },
  };
  return rail;
};
const lost = { kind: 'UNKNOWN', description: 'No answer.' };

test('the processor account has an id', async () => {
  const read = await account.rail.readAccount();
  expect(read).toEqual({ kind: 'ACCOUNT', accountKey: expect.stringMatching(/^acct_/) });
});

describe('a customer at the processor', () => {
  test('is created once, with name and address, and then reused', async () => {
    const customerId = await service.newCustomer();
    const first = await ensure(customerId);
    expect(first).toEqual({ kind: 'READY', customerReference: expect.stringMatching(/^cus_/) });
    const deaf = railThat(() => lost);
    expect(await ensure(customerId, deaf)).toEqual(first);
    expect(deaf.calls).toBe(0);
    expect(await booked(customerId)).toMatchObject([
      { name: 'Ada Lovelace', email: expect.stringMatching(/^ada\d+@example\.com$/) },
    ]);
  });

  test('is created once by twenty concurrent calls', async () => {
    const customerId = await service.newCustomer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ensure(customerId)));
    const references = new Set(answers.map((answer) => JSON.stringify(answer)));
    expect([...references]).toEqual([expect.stringContaining('"READY"')]);
    expect(await booked(customerId)).toHaveLength(1);
  });

  test('is created once when the program crashes before storing it', async () => {
    const customerId = await service.newCustomer();
    const killed = railThat(() => {
      throw new Error('killed');
    });
    await expect(ensure(customerId, killed)).rejects.toThrow('killed');
    const [made] = await booked(customerId);
    expect(await ensure(customerId)).toEqual({ kind: 'READY', customerReference: made?.id });
    expect(await booked(customerId)).toHaveLength(1);
  });

  test('is requested again after a lost answer', async () => {
    const customerId = await service.newCustomer();
    const flaky = railThat((call, made) => (call < 3 ? lost : made));
    expect((await ensure(customerId, flaky)).kind).toBe('READY');
    expect(await booked(customerId)).toHaveLength(1);
  });

  test('is the first one stored when two were created', async () => {
    const customerId = await service.newCustomer();
    const second = railThat((_, made) => made);
    const slow: Rail = {
      accountKey: second.accountKey,
      createCustomer: async (order) => {
        await ensure(customerId);
        const { name } = order;
        const other = await account.books.customers.create({ ...(name && { name }) });
        return { kind: 'CREATED', customerReference: other.id };
      },
    };
    const answer = await ensure(customerId, slow);
    expect(answer).toEqual(await ensure(customerId));
    expect(answer).toMatchObject({ customerReference: (await booked(customerId))[0]?.id });
  });

  test('is another one at another account', async () => {
    const customerId = await service.newCustomer();
    await ensure(customerId);
    const elsewhere: Rail = {
      accountKey: 'stripe',
      createCustomer: async () => ({ kind: 'CREATED', customerReference: 'cus_elsewhere' }),
    };
    expect(await ensure(customerId, elsewhere)).toMatchObject({
      customerReference: 'cus_elsewhere',
    });
    expect(await ensure(customerId)).not.toMatchObject({ customerReference: 'cus_elsewhere' });
  });

  test('passes on the outcome when the processor refuses or stays silent', async () => {
    const customerId = await service.newCustomer();
    const refused = { kind: 'REFUSED', code: 'email_invalid', description: 'No.' };
    expect(
      await ensure(
        customerId,
        railThat(() => refused),
      ),
    ).toEqual(refused);
    const silent = railThat(() => lost);
    expect(await ensure(customerId, silent)).toEqual(lost);
    expect(silent.calls).toBeGreaterThan(1);
  });

  test("is not created for another merchant's or a deleted customer", async () => {
    const customerId = await service.newCustomer();
    const { merchantId } = await service.newMerchant();
    const theirs = { merchantId, environment: 'SANDBOX' } as const;
    expect(await ensure(customerId, account.rail, theirs)).toEqual({ kind: 'UNKNOWN_CUSTOMER' });
    expect(await booked(customerId)).toEqual([]);
    const leaving: Rail = {
      accountKey: account.rail.accountKey,
      createCustomer: async (order) => {
        await service.request('DELETE', `/api/customers/${customerId}`);
        return account.rail.createCustomer(order);
      },
    };
    expect(await ensure(customerId, leaving)).toEqual({ kind: 'UNKNOWN_CUSTOMER' });
  });
});
