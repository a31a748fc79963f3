import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { sql } from '../../platform/database/sql.ts';
import { statement } from '../../platform/database/statement.ts';
import { openCases } from '../operator-cases/index.ts';
import { listCaughtMails, personRoutes } from '../people/index.ts';
import { mailMembers, notificationRoutes } from './notifications.ts';

let service: TestService;
let merchantId: string;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [
      ...notificationRoutes(tools),
      ...personRoutes({ ...tools, openSignUp: false }),
    ],
  });
  ({ merchantId } = service.merchant);
});
afterAll(() => service.close());

type Environment = 'sandbox' | 'production';
const call = (
  { headers }: SignedIn,
  environment: Environment,
  method: 'GET' | 'PUT',
  body?: unknown,
) =>
  service.request(method, `/dashboard/api/merchants/${merchantId}/${environment}/notifications`, {
    ...{ secret: null, headers, ...(body === undefined ? {} : { body }) },
  });
const choose = async (
  person: SignedIn,
  environment: Environment,
  kinds: readonly string[],
  failingHours = 24,
): Promise<void> => {
  const { status, body } = await call(person, environment, 'PUT', { kinds, failingHours });
  expect(status, JSON.stringify(body)).toBe(200);
};

const runJobs = async (): Promise<void> => {
  const jobs = mailMembers(service.tools);
  // Twice at once, as two workers would.
  await Promise.all([...jobs, ...jobs].map((job) => job.run()));
};
const mailsTo = async ({ email }: SignedIn) => {
  const tools = { ...service.tools, dashboardUrl: 'http://x/dashboard' };
  return (await listCaughtMails(tools, 200)).filter(({ to }) => to === email);
};
const subjectsTo = async (person: SignedIn): Promise<readonly string[]> =>
  (await mailsTo(person)).map(({ subject }) => subject).sort();

const insertPayout = statement<{ merchantId: string; environment: string }, never>(
  'test_payout_insert',
  sql('merchantId', 'environment')`
   insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
     account_number, account_name, amount_pence, period_ends_business_at, created_at, updated_at)
   values (:merchantId::uuid, :environment::text, gen_random_uuid(), 'PROCESSING', 'FLO-1',
     '180002', '00000190', 'Shop', 1234, now(), now(), now())`,
);
const movePayouts = statement<{ merchantId: string; to: string }, never>(
  'test_payouts_move',
  sql('merchantId', 'to')`
   update payout set status = :to where merchant_id = :merchantId and status = 'PROCESSING'`,
);
const failEndpoint = statement<{ merchantId: string; since: string }, { endpoint_id: string }>(
  'test_endpoint_fail',
  sql('merchantId', 'since')`
   with made as (
     insert into webhook_endpoint (merchant_id, environment, endpoint_id, api_version, url, created_at)
     values (:merchantId::uuid, 'SANDBOX', gen_random_uuid(), 2, 'https://shop.example/hook', now())
     returning endpoint_id)
   insert into webhook_endpoint_health (merchant_id, environment, endpoint_id, failing_since, last_error)
   select :merchantId::uuid, 'SANDBOX', endpoint_id, now() - :since::interval, 'STATUS_500' from made
   returning endpoint_id`,
);
const dayPasses = statement<object, never>(
  'test_allowance_ends',
  sql()`update mail_allowance set window_ends_at = now() - interval '1 second'
     where kind = 'ENDPOINT_FAILING'`,
);
const recover = statement<{ merchantId: string }, never>(
  'test_endpoint_recover',
  sql('merchantId')`
   update webhook_endpoint_health set failing_since = null where merchant_id = :merchantId`,
);

const settlePayout = async (environment: string, to: 'SETTLED' | 'FAILED'): Promise<void> => {
  await service.database.tenant(merchantId, insertPayout, { merchantId, environment });
  await service.database.tenant(merchantId, movePayouts, { merchantId, to });
};
const dispute = async (environment: 'SANDBOX' | 'PRODUCTION', subject: string): Promise<void> => {
  const paymentRequestId = 'p-1';
  const respondBy = '2026-12-04T10:00:00.000Z';
  const evidence = { paymentRequestId, respondBy, amountPence: 1250, reason: 'fraudulent' };
  const description = 'A card holder disputes a payment: answer at the processor.';
  await openCases(service.tools, [
    {
      ...{ kind: 'DISPUTE_OPENED', subject, description, evidence },
      tenant: { merchantId, environment },
    },
  ]);
};

describe('which mails a member gets', () => {
  test('is chosen by each member, in each environment, within what the role may know', async () => {
    const owner = await signIn(service.tools, { merchantId });
    const cashier = await signIn(service.tools, { merchantId, role: 'cashier' });
    const production = (await call(owner, 'production', 'GET')).body;
    expect(production).toMatchObject({ failingHours: 24 });
    expect(production.kinds).not.toContain('PAYOUT_PAID');
    expect(production.kinds).toContain('PAYOUT_FAILED');
    expect((await call(owner, 'sandbox', 'GET')).body.kinds).toEqual([]);
    await choose(owner, 'sandbox', ['PAYOUT_PAID'], 2);
    expect((await call(owner, 'sandbox', 'GET')).body).toMatchObject({
      ...{ kinds: ['PAYOUT_PAID'], failingHours: 2 },
    });
    expect((await call(owner, 'production', 'GET')).body).toEqual(production);
    await choose(cashier, 'production', ['PAYOUT_PAID', 'DISPUTE']);
    expect((await call(cashier, 'production', 'GET')).body).toMatchObject({
      ...{ kinds: [], allowed: [] },
    });
  });

  test.each([
    [{ kinds: ['WEATHER'], failingHours: 1 }],
    [{ kinds: [], failingHours: 0 }],
    [{ kinds: [], failingHours: 73 }],
    [{ kinds: [] }],
  ])('refuses %j', async (body) => {
    const owner = await signIn(service.tools, { merchantId });
    const reply = await call(owner, 'sandbox', 'PUT', body);
    expect([reply.status, reply.body.name]).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('a notice', () => {
  test('of a payout and a dispute is mailed once to who wants it and may know it', async () => {
    const people = {
      paid: await signIn(service.tools, { merchantId }),
      standard: await signIn(service.tools, { merchantId, role: 'manager' }),
      cashier: await signIn(service.tools, { merchantId, role: 'cashier' }),
      guest: await signIn(service.tools, { merchantId, inProduction: false }),
      lowered: await signIn(service.tools, { merchantId }),
      stranger: await signIn(service.tools, {
        merchantId: (await service.newMerchant()).merchantId,
      }),
    };
    await choose(people.paid, 'production', ['PAYOUT_PAID']);
    await choose(people.lowered, 'production', ['PAYOUT_PAID', 'DISPUTE']);
    const role = { secret: null, headers: people.paid.headers, body: { role: 'developer' } };
    const path = `/dashboard/api/merchants/${merchantId}/sandbox/team/${people.lowered.personId}`;
    expect((await service.request('PUT', path, role)).status).toBe(200);
    await settlePayout('PRODUCTION', 'SETTLED');
    await settlePayout('PRODUCTION', 'FAILED');
    await dispute('PRODUCTION', 'dp_1');
    await dispute('PRODUCTION', 'dp_1');
    await runJobs();
    await runJobs();
    expect(await subjectsTo(people.paid)).toEqual(['Corner Coffee: £12.34 was paid out']);
    expect(await subjectsTo(people.standard)).toEqual([
      'Corner Coffee: a card payment of £12.50 is disputed',
      'Corner Coffee: a payout of £12.34 failed',
    ]);
    const [mail] = (await mailsTo(people.standard)).filter(({ text }) => text.includes('disputes'));
    expect(mail?.text).toMatch(/answered by Friday,? 4 December 2026/);
    expect(mail?.text).toContain('/payments/p-1');
    for (const name of ['cashier', 'guest', 'lowered', 'stranger'] as const)
      expect(await subjectsTo(people[name]), name).toEqual([]);
  });

  test('of the sandbox goes to who chose it there, and says that it is the sandbox', async () => {
    const [first, other] = [
      await signIn(service.tools, { merchantId }),
      await signIn(service.tools, { merchantId }),
    ];
    await choose(first, 'sandbox', ['PAYOUT_PAID']);
    await settlePayout('SANDBOX', 'SETTLED');
    await runJobs();
    expect(await subjectsTo(first)).toEqual(['Sandbox: Corner Coffee: £12.34 was paid out']);
    expect(await subjectsTo(other)).toEqual([]);
  });

  test('of a failing endpoint comes after the hours of each member, then once a day', async () => {
    const [soon, late] = [
      await signIn(service.tools, { merchantId }),
      await signIn(service.tools, { merchantId }),
    ];
    await choose(soon, 'sandbox', ['ENDPOINT_FAILING'], 2);
    await choose(late, 'sandbox', ['ENDPOINT_FAILING'], 4);
    const since = '3 hours';
    await service.database.system(failEndpoint, { merchantId, since });
    await runJobs();
    await runJobs();
    const subject = 'Sandbox: Corner Coffee: a webhook endpoint fails';
    expect(await subjectsTo(soon)).toEqual([subject]);
    expect(await subjectsTo(late)).toEqual([]);
    await service.database.system(dayPasses, {});
    await runJobs();
    expect(await subjectsTo(soon)).toEqual([subject, subject]);
    await service.database.system(dayPasses, {});
    await service.database.system(recover, { merchantId });
    await runJobs();
    expect(await subjectsTo(soon)).toHaveLength(2);
  });
});
