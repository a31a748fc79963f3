import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { setCardAccount } from '../../../service/src/modules/cards/index.ts';
import { cardFingerprint } from '../../../service/src/modules/cards/seal-reference.ts';
import { openSecrets } from '../../../service/src/platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '../../../service/src/platform/secrets/stored-purpose-keys.ts';
import { encryptedColumns } from '../../../service/src/programs/wiring/encrypted-columns.ts';
import { cardPayments } from '../../harness/card-payments.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';

vi.setConfig({ testTimeout: 120_000 });

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
}, 120_000);
afterAll(() => journey.close());

const request = async (method: string, path: string, body?: object) => {
  const reply = await journey.sandbox.request(method, path, body ? { body } : {});
  if (reply.status !== 200) throw new Error(`${path} ${JSON.stringify(reply.body)}`);
  return reply.body;
};

const rows = <Row>(text: string, values: readonly string[] = []) =>
  journey.sandbox.tools.database.system<object, Row>(
    { name: '', text, valueNames: values.map((_, at) => `v${at}`) as never },
    Object.fromEntries(values.map((value, at) => [`v${at}`, value])),
  );

/** A payment by bank, refunded; a saved card; secrets of webhooks and of the card account. */
const insertRecords = async (): Promise<void> => {
  await request('POST', '/api/sandbox/webhook/signing-secret', {});
  await request('POST', '/api/webhook/v2/endpoints', {
    url: 'http://127.0.0.1:49151/hook',
    events: ['PAYMENTS_STATUS'],
    authentication: { username: 'florin', password: 'a password' },
  });
  const id = await journey.create({ enableTips: false });
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  await request('POST', '/api/refund', { paymentRequestId: id, amount: 2.5 });
  await waitUntil(async () => {
    const [refund] = await request('GET', `/api/refund/${id}`);
    if (refund.status !== 'COMPLETED') throw new Error(refund.status);
    return true;
  });
  await cardPayments(journey.sandbox).saveCard('4000000000000127');
  const tenant = { ...journey.sandbox.tenant, environment: 'PRODUCTION' } as const;
  const account = { secretKey: 'sk_live_1', webhookSecret: 'whsec_1', accountKey: 'acct_1' };
  await setCardAccount(journey.sandbox.tools, tenant, account);
};

describe('a new master key', () => {
  const older = async () =>
    Buffer.from(await readFile(join(journey.sandbox.folder, 'master-key'), 'utf8'), 'base64');
  const newer = randomBytes(32);

  /** How many records each column holds, all of them opened with these keys. */
  const openAll = async (keys: readonly Buffer[]) => {
    const secrets = openSecrets(keys);
    const counted: Record<string, number> = {};
    for (const { table, column, key, contextOf } of encryptedColumns) {
      const found = await rows<{ row: Record<string, string>; record: Buffer }>(
        `select to_jsonb(t) as row, ${column} as record from ${table} t where ${column} is not null`,
      );
      for (const { row, record } of found) secrets.decrypt(record, contextOf(row));
      expect(key.slice(0, 2)).toEqual(['merchant_id', 'environment']);
      counted[`${table}.${column}`] = found.length;
    }
    return counted;
  };

  test('every encrypted column is one that a new key encrypts again', async () => {
    const found = await rows<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and a.attname like '%\\_encrypted' order by 1`,
    );
    const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
    expect([...known, 'purpose_key.key_encrypted'].sort()).toEqual(found.map(({ name }) => name));
  });

  test('encrypts every record again by command; then the old key can be removed', async () => {
    await insertRecords();
    const old = await older();
    const before = await openAll([old]);
    const isFilled = Object.entries(before).filter(([, count]) => count > 0);
    expect(isFilled.map(([name]) => name)).toEqual(
      expect.arrayContaining(['attempt.payer_encrypted', 'card.reference_encrypted']),
    );
    const tenant = journey.sandbox.tenant;
    const fingerprintWith = async (keys: readonly Buffer[]) => {
      const secrets = await storedPurposeKeys(journey.sandbox.tools, openSecrets(keys));
      return cardFingerprint(secrets, tenant, 'acct_1', 'card-1').toString('hex');
    };
    const fingerprint = await fingerprintWith([old]);
    const rotate = () =>
      runCommand('operate.ts', ['rotate-master-key'], {
        DATABASE_URL: journey.sandbox.databaseUrl,
        FLORIN_MASTER_KEY: [newer, old].map((key) => key.toString('base64')).join(','),
      });
    const rotated = await rotate();
    expect(rotated).toMatchObject({ code: 0, said: '' });
    expect(rotated.out).toMatch(/^attempt\.payer_encrypted: \d+ records encrypted again$/m);
    expect(rotated.out).toContain('No record needs another key');
    expect(await openAll([newer])).toEqual(before);
    expect(await fingerprintWith([newer])).toBe(fingerprint);
    expect((await rotate()).out).toMatch(/^0 keys .*\nNo record needs another key/);
  });
});
