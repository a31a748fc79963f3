import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { runCommand } from '../../../../test/harness/programs/run-command.ts';
import { rotateSigningSecret } from '../../modules/webhooks/index.ts';
import { openSecrets } from '../../platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '../../platform/secrets/stored-purpose-keys.ts';

const [old, newer] = [randomBytes(32), randomBytes(32)];
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ tools: { secrets: openSecrets([old]) } });
  await storedPurposeKeys(service.tools, service.tools.secrets);
});
afterAll(() => service.close());

const rotate = () =>
  runCommand('operate.ts', ['rotate-master-key'], {
    DATABASE_URL: service.databaseUrl,
    FLORIN_MASTER_KEY: [newer, old].map((key) => key.toString('base64')).join(','),
  });

/** Turns one bit of the merchant's record; twice it is whole again. */
const flipLastBit = (merchantId: string) =>
  lookInto(service.databaseUrl, (owner) =>
    owner.query(
      `update florin.webhook_signing_secret set secret_encrypted =
         set_bit(secret_encrypted, 0, 1 - get_bit(secret_encrypted, 0)) where merchant_id = $1`,
      [merchantId],
    ),
  );

const merchantsUnderNewKey = async () => {
  const { newestKeyId } = openSecrets([newer]);
  const { rows } = await lookInto(service.databaseUrl, (owner) =>
    owner.query(
      `select merchant_id from florin.webhook_signing_secret
       where substring(secret_encrypted from 2 for 4) = $1 order by 1`,
      [newestKeyId],
    ),
  );
  return rows.map((row) => row.merchant_id);
};

test('a record that cannot be decrypted is named, and keeps no other from the new key', async () => {
  const merchants = [
    service.merchant.merchantId,
    (await service.newMerchant()).merchantId,
    (await service.newMerchant()).merchantId,
  ].sort();
  for (const merchantId of merchants)
    await rotateSigningSecret(service.tools, { merchantId, environment: 'SANDBOX' }, 0);
  const [damaged = '', ...whole] = merchants;
  await flipLastBit(damaged);
  const rotated = await rotate();
  expect(rotated).toMatchObject({
    code: 1,
    said: expect.stringContaining('1 records cannot be decrypted with these keys'),
  });
  expect(rotated.out).toMatch(
    new RegExp(
      `^webhook_signing_secret.secret_encrypted of ${damaged} SANDBOX .* stays as it is: .`,
      'm',
    ),
  );
  expect(await merchantsUnderNewKey()).toEqual(whole);

  await flipLastBit(damaged);
  expect(await rotate()).toMatchObject({
    code: 0,
    out: expect.stringContaining('No record needs another key than the first'),
  });
  expect(await merchantsUnderNewKey()).toEqual(merchants);
});
