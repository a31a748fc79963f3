import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { setCardAccount } from '../../../service/src/modules/cards/index.ts';
import { cardFingerprint } from '../../../service/src/modules/cards/references.ts';
import { eraseOldData } from '../../../service/src/modules/erasure/jobs.ts';
import {
  listCases,
  openCases,
  resolveCase,
} from '../../../service/src/modules/operator-cases/index.ts';
import { openSecrets } from '../../../service/src/platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '../../../service/src/platform/secrets/stored-purpose-keys.ts';
import { partsOf } from '../../../service/src/programs/wiring/modules.ts';
import { cardPayments } from '../../harness/card-payments.ts';
import { lookInto } from '../../harness/invariants/look-into.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { openReceiver } from '../../harness/open-receiver.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { declinedApproval, refusedAnswer } from './written-by-members.ts';

vi.setConfig({ testTimeout: 120_000 });

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
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
  const next = { ...account, accountKey: 'acct_2' };
  await setCardAccount(journey.sandbox.tools, tenant, next);
};

/** A person whose name, mail, phone and address stand nowhere else. */
const personOf = (word: string) => ({
  fullName: `Zsofia ${word}`,
  email: `zsofia@${word.toLowerCase()}.example`,
  phoneNumber: '7700900987',
  address: `77 ${word} Lane`,
  city: `${word}ton`,
  postcode: 'EV9 9ZZ',
});

/** Rows of any table that hold one of these texts, in any column of text or JSON. */
const findTexts = (...texts: readonly string[]): Promise<readonly string[]> =>
  asOwner(async (client) => {
    const tables = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'florin'::regnamespace
       and c.relkind in ('r', 'p') and not c.relispartition`,
    );
    const scans = tables.rows.map(
      ({ name }) => `select '${name}: ' || to_jsonb(t)::text as row from florin.${name} t`,
    );
    const { rows: held } = await client.query<{ row: string }>(
      `select row from (${scans.join(' union all ')}) every
       where exists (select from unnest($1::text[]) x where strpos(lower(row), x) > 0)`,
      [texts.map((text) => text.toLowerCase())],
    );
    return held.map(({ row }) => row);
  });

const asOwner = async <Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(journey.sandbox.databaseUrl);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
};

/** The customer, a payment by bank with everything that a merchant can say, a receipt, a refund, a case. */
const insertPerson = async (person: ReturnType<typeof personOf>) => {
  const customer = await journey.sandbox.request('POST', '/api/customers', {
    body: { ...person, phoneCountryCode: '44' },
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
  });
  const [firstName = '', lastName = ''] = person.fullName.split(' ');
  const payment = await journey.sandbox.request('POST', '/api/payments/process-payment', {
    body: {
      ...{ customerId: person.email, orderId: 'order-77', amount: 12.5, expiresIn: 3_600_000 },
      ...{ atoaCustomerId: customer.body.id, enableTips: false, notes: person.address },
      ...{ payerNote: person.city, lineItems: [{ name: person.fullName, amount: 12.5 }] },
      consumerDetails: { ...person, firstName, lastName },
      callbackParams: { who: person.fullName, city: person.city },
      redirectUrl: `http://shop.example/back?mail=${person.email}`,
    },
    headers: { 'idempotency-key': `payment-${customer.body.id}` },
  });
  const id = payment.body.paymentRequestId;
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  const { text } = await journey.payer.visit(`/pay?paymentRequestId=${id}&stay=1`);
  const form = /<form class="email-receipt"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  await journey.payer.visit('/pay/receipt', {
    ...Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
    email: person.email,
  });
  const refund = { paymentRequestId: id, amount: 2.5, refundNotes: `for ${person.fullName}` };
  await request('POST', '/api/refund', refund);
  await waitUntil(async () => {
    const [found] = await request('GET', `/api/refund/${id}`);
    return found.status === 'COMPLETED';
  });
  for (const text of [declinedApproval, refusedAnswer]) await rows(text, [id, person.fullName]);
  const { tools, tenant } = journey.sandbox;
  await openCases(tools, [
    {
      ...{ tenant, kind: 'DISPUTE_LOST', subject: id, description: 'Lost.' },
      evidence: { paymentRequestId: id },
    },
  ]);
  const found = (await listCases(tools, 'OPEN')).find(({ subject }) => subject === id);
  const resolution = `${person.fullName} agreed.`;
  await resolveCase(tools, found?.caseId ?? '', { actor: 'Ada', resolution });
  const [paid] = await rows<{ consumer_name: string }>(
    'select consumer_name from attempt where payment_request_id = $1::uuid',
    [id],
  );
  return { id, customerId: customer.body.id, payerName: paid?.consumer_name ?? '' };
};

describe('personal data', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  const quillfeather = personOf('Quillfeather');
  let young: Awaited<ReturnType<typeof insertPerson>>;
  beforeAll(async () => {
    // It repeats what it is sent, and refuses the first.
    receiver = await openReceiver(({ body }, reply) => {
      reply.statusCode = receiver.received.length === 1 ? 500 : 200;
      reply.end(body);
    });
    await request('POST', '/api/sandbox/webhook/signing-secret', {});
    const events = ['PAYMENTS_STATUS', 'REFUND_STATUS'];
    await request('POST', '/api/webhook/v2/endpoints', { url: receiver.url, events });
    young = await insertPerson(quillfeather);
  });
  afterAll(() => receiver.close());

  const erasedEverywhere = (texts: readonly string[]) =>
    waitUntil(async () => {
      const held = await findTexts(...texts);
      if (held.length > 0) throw new Error(held.map((each) => each.slice(0, 300)).join('\n'));
      return true;
    });
  const statusOf = async (id: string) => request('GET', `/api/payments/v1/payment-status/${id}`);

  test('is erased by age, where the operator has set one', async () => {
    const person = personOf('Marrowbone');
    const { id } = await insertPerson(person);
    const { tools } = journey.sandbox;
    const eraseOlderThan = (personalDataDays: number | null) =>
      eraseOldData({ ...tools, config: { ...tools.config, personalDataDays } });
    await rows(
      `update payment_request set created_at = created_at - interval '31 days'
       where payment_request_id = $1::uuid`,
      [id],
    );
    const age = `update customer set updated_at = updated_at - interval '31 days' where email = $1`;
    await rows(age, [person.email]);
    await eraseOlderThan(null);
    expect(await findTexts('Marrowbone')).not.toEqual([]);
    await eraseOlderThan(30);
    await erasedEverywhere([person.fullName, person.email, person.address, 'Marrowbone']);
    expect(await findTexts(quillfeather.fullName)).not.toEqual([]);
    expect((await statusOf(id)).status).toBe('COMPLETED');
    expect(await eraseOlderThan(30)).toBe(0);
  });

  test('of a customer who is deleted stands in no column of any table; amounts and ids stay', async () => {
    const { id, customerId, payerName } = young;
    const person = quillfeather;
    const texts = [...Object.values(person), 'Quillfeather', payerName];
    for (const text of texts)
      expect([text, (await findTexts(text)).length > 0]).toEqual([text, true]);
    const before = await statusOf(id);
    await request('DELETE', `/api/customers/${customerId}`);
    await erasedEverywhere(texts);
    const ofApproval = `select amount_pence::int as pence, notes, reason from refund_approval
      where payment_request_id = $1::uuid`;
    expect(await rows(ofApproval, [id])).toEqual([{ pence: 100, notes: null, reason: null }]);
    const after = await statusOf(id);
    for (const name of ['status', 'paidAmount', 'orderId', 'paymentRequestId'])
      expect([name, after[name]]).toEqual([name, before[name]]);
    const search = await request('POST', '/api/payments/transactions', { search: 'order-77' });
    expect(JSON.stringify(search)).toContain(id);
    await journey.allAgree();
  });
});

describe('a new master key', () => {
  const older = async () =>
    Buffer.from(await readFile(join(journey.sandbox.folder, 'master-key'), 'utf8'), 'base64');
  const newer = randomBytes(32);

  /** How many records each column holds, all of them opened with these keys. */
  const openAll = async (keys: readonly Buffer[]) => {
    const secrets = openSecrets(keys);
    const counted: Record<string, number> = {};
    for (const { table, column, key, contextOf } of partsOf('encryptedColumns')) {
      const found = await rows<{ row: Record<string, string>; record: Buffer }>(
        `select to_jsonb(t) as row, ${column} as record from ${table} t where ${column} is not null`,
      );
      for (const { row, record } of found) secrets.decrypt(record, contextOf(row));
      if (table !== 'bank_message') expect(key.slice(0, 2)).toEqual(['merchant_id', 'environment']);
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
    const known = partsOf('encryptedColumns').map(({ table, column }) => `${table}.${column}`);
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
      const fingerprint = cardFingerprint(secrets, tenant, 'acct_1', 'card-1').toString('hex');
      // Authenticator apps of people are encrypted under a key for that purpose.
      return [fingerprint, secrets.keyFor('people').toString('hex')];
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
    expect(await fingerprintWith([newer])).toEqual(fingerprint);
    expect((await rotate()).out).toMatch(/^0 keys .*\nNo record needs another key/);

    // Both keys are lost: the installation begins with another one.
    const another = randomBytes(32);
    await expect(fingerprintWith([another])).rejects.toThrow(
      'purpose_key.key_encrypted was encrypted with an unknown master key',
    );
    await lookInto(journey.sandbox.databaseUrl, (owner) =>
      owner.query('delete from florin.purpose_key'),
    );
    expect(await fingerprintWith([another])).not.toEqual(fingerprint);
    await expect(openAll([another])).rejects.toThrow('unknown master key');
  });
});
