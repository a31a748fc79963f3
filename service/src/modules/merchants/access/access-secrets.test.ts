import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import {
  createAccessSecret,
  openWebOrigins,
  rememberSigningSecrets,
  revokeAccessSecret,
  type SecretOptions,
  signingSecret,
} from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const revoke = (tenant: Parameters<typeof createAccessSecret>[1], secretId: string) =>
  revokeAccessSecret(service.tools, service.authentication, tenant, secretId);

describe('a new secret', () => {
  test.each<[string, SecretOptions]>([
    ['name', { name: '' }],
    ['name', { name: 'a/b' }],
    ['name', { name: 'x'.repeat(51) }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['redirectUrl', { redirectUrl: 'http://shop.example.com/back' }],
    ['redirectUrl', { redirectUrl: 'https://user:pass@shop.example.com' }],
    ['redirectUrl', { redirectUrl: '/back' }],
    ['webOrigins', { webOrigins: ['https://shop.example.com/'] }],
    ['webOrigins', { webOrigins: ['http://shop.example.com'] }],
    ['webOrigins', { webOrigins: ['*'] }],
    ['webOrigins', { webOrigins: Array(21).fill('https://shop.example.com') }],
  ])('is refused with a wrong %s: %j', async (field, options) => {
    await expect(
      createAccessSecret(service.tools, service.production, options),
    ).rejects.toMatchObject({ definition: { name: 'BAD_REQUEST' }, errors: [{ field }] });
  });

  test('may have http and app addresses in the sandbox', async () => {
    for (const redirectUrl of [
      'http://localhost:8080/back',
      'com.example.shop://paid',
      'https://a.test',
    ])
      await createAccessSecret(service.tools, service.sandbox, { redirectUrl });
  });

  test('authentication answers the redirect address of the secret', async () => {
    const redirectUrl = 'https://shop.example.com/back?a=b';
    const made = await createAccessSecret(service.tools, service.production, { redirectUrl });
    const caller = await service.authentication.authenticate(`Bearer ${made.secret}`);
    expect(caller).toEqual({
      tenant: service.production,
      secretId: made.secretId,
      redirectUrl,
      isReadOnly: false,
      by: { kind: 'secret' },
    });
  });

  test('is stored encrypted only', async () => {
    const all = statement<Record<never, never>, { row: string }>(
      '',
      sql()`
   select s::text || encode(s.secret_encrypted, 'escape') || d::text as row
       from access_secret s join secret_directory d using (secret_id)`,
    );
    const rows = await service.database.system(all, {});
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain(service.sandboxSecret.slice(15));
  });
});

describe('the signing secret', () => {
  test('is the secret that created the payment, even after it was revoked', async () => {
    const { secret, secretId } = await createAccessSecret(service.tools, service.sandbox);
    await revoke(service.sandbox, secretId);
    const found = await signingSecret(service.tools, service.sandbox, secretId);
    expect(found).toEqual({ secret, secretId });
    const remember = rememberSigningSecrets(service.tools);
    expect(await remember(service.sandbox, secretId)).toEqual(found);
    expect(await remember(service.sandbox, secretId)).toBe(
      await remember(service.sandbox, secretId),
    );
  });

  test('is otherwise the oldest active secret', async () => {
    const merchant = await service.newMerchant();
    const tenant = { merchantId: merchant.merchantId, environment: 'PRODUCTION' } as const;
    const later = await createAccessSecret(service.tools, tenant);
    const oldest = merchant.secrets.PRODUCTION;
    expect(await signingSecret(service.tools, tenant, null)).toEqual(oldest);
    const elsewhere = merchant.secrets.SANDBOX.secretId;
    expect(await signingSecret(service.tools, tenant, elsewhere)).toEqual(oldest);
    await revoke(tenant, oldest.secretId);
    expect(await signingSecret(service.tools, tenant, null)).toEqual(later);
    await revoke(tenant, later.secretId);
    expect(await signingSecret(service.tools, tenant, null)).toBeNull();
  });
});

test('the allowed origins of a merchant come from its active secrets', async () => {
  const webOrigins = ['https://shop.example.com', 'https://www.shop.example.com:8443'];
  const { secretId } = await createAccessSecret(service.tools, service.sandbox, { webOrigins });
  const pages = openWebOrigins(service.tools);
  for (const origin of webOrigins) expect(await pages.isListed(origin)).toBe(true);
  expect(await pages.isListed('https://evil.example.com')).toBe(false);
  expect(await pages.isListed('null')).toBe(false);
  expect(await pages.isListedBy(service.sandbox, 'https://shop.example.com')).toBe(true);
  expect(await pages.isListedBy(service.production, 'https://shop.example.com')).toBe(false);
  await revoke(service.sandbox, secretId);
  expect(await openWebOrigins(service.tools).isListed('https://shop.example.com')).toBe(false);
});

test('a sandbox secret may list any port of localhost', async () => {
  const webOrigins = ['http://localhost:*', 'http://127.0.0.1:*'];
  await createAccessSecret(service.tools, service.sandbox, { webOrigins });
  const pages = openWebOrigins(service.tools);
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080'])
    expect(await pages.isListedBy(service.sandbox, origin)).toBe(true);
  for (const origin of [
    'http://shop.example:5173',
    'https://localhost:5173',
    'http://localhost:*x',
  ])
    expect(await pages.isListed(origin)).toBe(false);
  await expect(
    createAccessSecret(service.tools, service.production, { webOrigins }),
  ).rejects.toThrow('webOrigins');
});
