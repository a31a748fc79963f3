import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestService, type TestService } from '../../../test/harness/open-test-service.ts';
import { runCommand } from '../../../test/harness/programs/run-command.ts';
import { sql } from '../platform/database/sql.ts';
import { statement } from '../platform/database/statement.ts';
import { openSecrets } from '../platform/secrets/open-secrets.ts';

const countAccounts = statement<object, { readonly accounts: number }>(
  'test_count_card_accounts',
  sql()`select count(*)::int as accounts from card_account`,
);
const masterKey = Buffer.alloc(32, 5);

// Each run starts a program of its own.
vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ tools: { secrets: openSecrets([masterKey]) } });
});
afterAll(() => service.close());

const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCommand('set-card-account.ts', words, {
    DATABASE_URL: service.databaseUrl,
    FLORIN_MASTER_KEY: masterKey.toString('base64'),
    CARD_SECRET_KEY: 'sk_test_of_this_merchant',
    CARD_WEBHOOK_SECRET: 'whsec_of_this_merchant',
    ...more,
  });

test('unusable keys are rejected with a reason that shows none of them', async () => {
  const { merchantId } = await service.newMerchant();
  const production = [merchantId, 'production'];
  const foreign = Buffer.alloc(32, 6).toString('base64');
  const said = await Promise.all([
    run([]),
    run([merchantId, 'moon']),
    run([merchantId, 'sandbox'], { CARD_SECRET_KEY: '' }),
    run([service.tools.ids.uuid(), 'sandbox']),
    run(production),
    run(production, { CARD_SECRET_KEY: 'sk_live_of_this_merchant', CARD_WEBHOOK_SECRET: 'none' }),
    run(production, { FLORIN_MASTER_KEY: foreign }),
  ]);
  expect(said.map(({ said: sentence }) => sentence.trim())).toEqual([
    expect.stringMatching(/^Use: /),
    expect.stringMatching(/^Use: /),
    expect.stringMatching(/^Use: /),
    expect.stringMatching(/^No merchant has the id/),
    "The card processor's secret key is not one of the PRODUCTION environment.",
    "The card processor's webhook secret does not begin with whsec_.",
    expect.stringContaining('was encrypted with an unknown master key'),
  ]);
  for (const { code, out } of said) expect([code, out]).toEqual([1, '']);
  expect(await service.database.system(countAccounts, {})).toEqual([{ accounts: 0 }]);
});
