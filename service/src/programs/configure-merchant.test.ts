import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCollectingAccount } from '../../../test/harness/add-collecting-account.ts';
import { openTestService, type TestService } from '../../../test/harness/open-test-service.ts';
import { type Ran, runCommand } from '../../../test/harness/programs/run-command.ts';
import { merchantRoutes } from '../modules/webhooks/index.ts';
import { openSecrets } from '../platform/secrets/open-secrets.ts';

const masterKey = Buffer.alloc(32, 5);

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => merchantRoutes(tools),
    tools: { secrets: openSecrets([masterKey]) },
  });
});
afterAll(() => service.close());

const run = (words: readonly string[], key = masterKey): Promise<Ran> =>
  runCommand('configure-merchant.ts', words, {
    DATABASE_URL: service.databaseUrl,
    FLORIN_MASTER_KEY: key.toString('base64'),
  });

test('creates the signing secret of production, which a terminal webhook needs, and rotates it', async () => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.PRODUCTION;
  const body = { url: 'https://shop.example/hook', events: ['POS_PAYMENT_STATUS'] };
  const create = () => service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  expect(await create()).toMatchObject({ status: 400 });
  const made = await run([merchant.merchantId, 'production', 'signing-secret']);
  expect(made).toMatchObject({ code: 0, said: '' });
  expect(made.out).toMatch(/\nwhsec_[\w+/]{43}=\n/);
  expect(await create()).toMatchObject({ status: 200, body: { environment: 'PRODUCTION' } });
  const sandbox = merchant.secrets.SANDBOX.secret;
  const inSandbox = { secret: sandbox, body };
  expect(await service.request('POST', '/api/webhook/v2/endpoints', inSandbox)).toMatchObject({
    status: 400,
  });
  const words = ['signing-secret', 'overlapHours=2'];
  const next = await run([merchant.merchantId, 'production', ...words]);
  expect(next.out).toContain('signs X-Service-Signature-Previous until 2');
  expect(next.out).not.toContain(/whsec_\S+/.exec(made.out)?.[0]);
});

test('pauses and resumes a production webhook, and stages and promotes its next secret', async () => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.PRODUCTION;
  const run1 = (...words: string[]) => run([merchant.merchantId, 'production', ...words]);
  const url = 'https://shop.example/hook';
  const body = { url, events: ['PAYMENTS_STATUS', 'REFUND_STATUS'] };
  const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const { id } = made.body;
  expect((await run1('webhooks')).out).toBe(
    `${id}  ACTIVE  PAYMENTS_STATUS,REFUND_STATUS  ${url}\n`,
  );
  expect((await run1('pause-webhook', id)).out).toMatch(`${url} is PAUSED. It may have missed`);
  const replay = { secret, body: { onlyMissed: true } };
  const path = `/api/webhook/v2/endpoints/${id}/replay`;
  expect((await service.request('POST', path, replay)).status).toBe(409);
  expect((await run1('resume-webhook', id)).out).toContain('is ACTIVE');
  expect((await service.request('POST', path, replay)).status).toBe(200);
  expect((await run1('next-signing-secret')).said).toMatch(/^There is no signing secret yet/);
  await run1('signing-secret');
  expect((await run1('next-signing-secret')).out).toMatch(/\nwhsec_[\w+/]{43}=\n/);
  const promoted = await run1('promote-signing-secret', 'overlapHours=1');
  expect(promoted.out).toMatch(/^The staged secret signs\. The one before signs too until 20/);
});

test('changes switches, tips and parts of amounts in production, and shows them', async () => {
  const { merchantId } = await service.newMerchant();
  const run1 = (...words: string[]) => run([merchantId, 'production', ...words]);
  await addCollectingAccount(service.tools);
  const switched = await run1('switches', 'payoutsEnabled=true', 'refundsEnabled=true');
  expect(switched.out).toContain('refundsEnabled=true');
  expect((await run1('switches')).out).toBe(switched.out);
  const tips = '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}';
  expect((await run1('tips', tips)).out).toContain('options=[10,15,20]');
  const parts = await run1('amount-parts', 'taxPercentage=20', 'servicePercentage=12.5');
  expect(parts.out).toBe('taxPercentage=20\nservicePercentage=12.5\n');
  expect((await run1('amount-parts', 'taxPercentage=20')).code).toBe(1);
});

test('reports an error in one sentence and changes nothing', async () => {
  const { merchantId } = await service.newMerchant();
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /^Use: npm run merchant/],
    [[merchantId, 'moon', 'switches'], /^Use: /],
    [[merchantId, 'production', 'toString'], /^Use: /],
    [[merchantId, 'production', 'signing-secret', 'overlapHours=999'], /^Use: /],
    [[merchantId, 'production', 'promote-signing-secret'], /^No signing secret is staged/],
    [[merchantId, 'production', 'pause-webhook', 'moon'], /^endpointId must be/],
    [
      [merchantId, 'production', 'resume-webhook', service.tools.ids.uuid()],
      /^No webhook endpoint/,
    ],
    [[merchantId, 'production', 'switches', 'moon=true'], /^There is no switch moon/],
    [[merchantId, 'production', 'switches', 'cardsEnabled=7'], /^cardsEnabled must be a boolean/],
    [[merchantId, 'production', 'tips', '{"enabled":true}'], /is required/],
    [[service.tools.ids.uuid(), 'production', 'switches'], /^No merchant has the id/],
  ];
  const said = await Promise.all(cases.map(([words]) => run(words)));
  for (const [at, [, expected]] of cases.entries()) {
    expect(said[at]?.said).toMatch(expected);
    expect(said[at]?.code).toBe(1);
  }
  const foreign = await run([merchantId, 'production', 'signing-secret'], Buffer.alloc(32, 6));
  expect(foreign.said).toContain('was encrypted with an unknown master key');
  expect(foreign.out).toBe('');
});
