import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscribeToBanks } from '../../service/src/modules/payments/bank/bank-events.ts';
import { reconcileBalances } from '../../service/src/modules/transfers/index.ts';
import type { SubscriptionOutcome } from '../../service/src/rails/bank-rail.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** Work of no merchant: one that fails is a case of the operator's. */
let isolation: Isolation;
beforeAll(async () => {
  isolation = await openIsolation();
});
afterAll(() => isolation.close());

const casesOf = async (kind: string) => {
  const { body } = await isolation.service.operate('GET', '/cases?size=100');
  return body.data.filter((each: { kind: string }) => each.kind === kind);
};

test('a balance that cannot be compared keeps no other, and is a case until it can be', async () => {
  const { service, rows } = isolation;
  await rows(
    `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
       reason, resource_id, occurred_at)
     select $1, 'SANDBOX', gen_random_uuid(), 'COLLECTING_ACCOUNT', 9223372036854775000, 'TEST',
       gen_random_uuid(), now() from generate_series(1, 2)`,
    [service.merchant.merchantId],
  );
  await rows(
    `insert into bank_balance (environment, balance_pence, reported_at)
     values ('SANDBOX', 0, now()), ('PRODUCTION', 0, now())`,
  );
  await reconcileBalances(service.tools, 0);
  expect(await rows('select environment from bank_balance where checked_at is not null')).toEqual([
    { environment: 'PRODUCTION' },
  ]);
  expect(await casesOf('BANK_BALANCE_NOT_COMPARED')).toMatchObject([
    { status: 'OPEN', subject: 'SANDBOX', evidence: { reason: expect.stringMatching(/range/) } },
  ]);
  await rows(`delete from ledger_entry where reason = 'TEST'`);
  await reconcileBalances(service.tools, 0);
  expect(await casesOf('BANK_BALANCE_NOT_COMPARED')).toMatchObject([{ status: 'RESOLVED' }]);
});

test('a bank that hangs or throws keeps the notifications of no other, and is a case', async () => {
  const { service } = isolation;
  let now = Date.now();
  const asked = new Map<string, number>();
  let isBroken = true;
  const subscribe = (institutionId: string): Promise<SubscriptionOutcome> => {
    asked.set(institutionId, (asked.get(institutionId) ?? 0) + 1);
    if (institutionId === 'hanging') return new Promise(() => undefined);
    if (institutionId === 'throwing' && isBroken) throw new Error('the answer cannot be read');
    return Promise.resolve({ kind: 'UNCHANGED' });
  };
  const events = { institutionIds: () => ['hanging', 'throwing', 'good'], subscribe };
  const run = subscribeToBanks(
    {
      ...service.tools,
      clock: { ...service.tools.clock, now: () => new Date(now) },
      bankRails: {
        find: (environment) => (environment === 'SANDBOX' ? { events } : null) as never,
      },
    },
    'https://pay.example',
  );
  const anHour = async () => {
    now += 3_600_000;
    const before = asked.get('good') ?? 0;
    await run();
    expect(asked.get('good')).toBe(before + 1);
  };
  for (let failures = 0; failures < 6; failures += 1) await anHour();
  expect(asked.get('hanging')).toBe(1);
  expect(asked.get('throwing')).toBe(6);
  const shown = () => casesOf('BANK_NOT_SUBSCRIBED');
  await waitUntil(async () => (await shown()).length === 1);
  expect(await shown()).toMatchObject([
    {
      status: 'OPEN',
      evidence: { institutionId: 'throwing', reason: 'the answer cannot be read' },
    },
  ]);
  isBroken = false;
  await anHour();
  await waitUntil(async () => (await shown())[0].status === 'RESOLVED');
});
