import { afterAll, beforeAll, expect, test } from 'vitest';
import { setCardAccount } from '#modules/cards/index.ts';
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

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ tools: { secrets: openSecrets([masterKey]) } });
});
afterAll(() => service.close());

const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runCommand('manage-card-accounts.ts', words, {
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
    run([merchantId, 'sandbox', 'forget', 'acct_none']),
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
    expect.stringMatching(/^Use: /),
    expect.stringMatching(/^No merchant has the id/),
    "The card processor's secret key is not one of the PRODUCTION environment.",
    "The card processor's webhook secret does not begin with whsec_.",
    expect.stringContaining('was encrypted with an unknown master key'),
  ]);
  for (const { code, out } of said) expect([code, out]).toEqual([1, '']);
  expect(await service.database.system(countAccounts, {})).toEqual([{ accounts: 0 }]);
});

const makeOpenAndOld = statement<
  { readonly merchantId: string; readonly referenceId: string },
  never
>(
  'test_make_card_account_old',
  sql('merchantId', 'referenceId')`
   with old as (
     update card_account set chosen_at = chosen_at - interval '1 hour'
     where merchant_id = :merchantId::uuid)
   insert into card_detachment (merchant_id, environment, reference_id, customer_id, account_key,
     reference_encrypted, reason)
   values (:merchantId::uuid, 'SANDBOX', :referenceId::uuid, :referenceId::uuid, 'acct_first', '\\x00',
     'DELETED')`,
);
const endDetachments = statement<object, never>(
  'test_end_detachments',
  sql()`update card_detachment set done_at = clock_timestamp(), outcome = 'DETACHED',
     reference_encrypted = null`,
);

test('former accounts are listed, and forgotten when no open work needs them', async () => {
  const { merchantId } = await service.newMerchant();
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const keys = { secretKey: 'sk_test_1', webhookSecret: 'whsec_12345678' };
  const forget = (...words: readonly string[]) => run([merchantId, 'sandbox', 'forget', ...words]);
  await setCardAccount(service.tools, tenant, { ...keys, accountKey: 'acct_first' });
  await setCardAccount(service.tools, tenant, { ...keys, accountKey: 'acct_second' });
  expect((await forget('acct_first')).said).toContain('was in use a moment ago');
  const referenceId = service.tools.ids.uuid();
  await service.database.system(makeOpenAndOld, { merchantId, referenceId });
  const listed = (await run([merchantId, 'sandbox', 'list'])).out.trim().split('\n');
  expect(listed).toEqual([
    expect.stringMatching(/^acct_second {2}in use since .*open: 0 payments, 0 refunds, 0 cards/),
    'acct_first  former, open: 0 payments, 0 refunds, 1 cards to detach',
  ]);
  expect((await forget('acct_second')).said).toContain('acct_second is in use');
  expect((await forget('acct_second', 'force')).said).toContain('acct_second is in use');
  expect((await forget('acct_first')).said).toContain('acct_first is still needed');
  await service.database.system(endDetachments, {});
  const forgotten = await forget('acct_first');
  expect([forgotten.code, forgotten.said]).toEqual([0, '']);
  expect(forgotten.out).toContain('0 completed payments can no longer be refunded');
  expect((await run([merchantId, 'sandbox', 'list'])).out).not.toContain('acct_first');
});
