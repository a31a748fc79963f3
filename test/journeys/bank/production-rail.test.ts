import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pence } from '../../../service/src/kernel/pence.ts';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { openRails } from '../../../service/src/programs/wiring/open-rails.ts';
import type { BankPaymentOrder } from '../../../service/src/rails/bank-rail.ts';
import { issueTransportCertificate } from '../../../simulator/src/trust/issued-certificate.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { spawnCommand } from '../../harness/programs/spawn-command.ts';
import { writeBanksFile } from '../../harness/simulator/write-banks-file.ts';

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  [sandbox, folder] = await Promise.all([openSandbox(), mkdtemp(join(tmpdir(), 'florin-rail-'))]);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const order = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5 };

const orderOf = (number: string): BankPaymentOrder => ({
  institutionId: 'mock-sandbox-v1',
  endToEndId: `ATOATEST${number}`,
  instructionId: `instruction-${number}`,
  amountPence: pence(1250),
  creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Production Shop' },
  reference: 'order-1',
  contextCode: 'EcommerceMerchantInitiatedPayment',
  merchantCategoryCode: '5999',
  merchantCustomerReference: 'customer-1',
  oauthState: `state-of-a-test-that-is-long-enough-${number}`,
});

/** A second certificate for the same firm, from the simulated directory. */
const renewTransport = async (trust: string) => {
  const read = (name: string) => readFile(join(trust, name), 'utf8');
  const authority = {
    certificatePem: await read('ca.pem'),
    keyPem: await read('private/ca-key.pem'),
  };
  const party = JSON.parse(await read('private/identity.json'));
  return issueTransportCertificate(authority, party, Date.now());
};

/** The operator's file, pointing production at the simulator. */
const writeRailFile = (more: object = {}): Promise<string> =>
  writeBanksFile(join(sandbox.folder, 'simulator', 'trust'), join(folder, 'banks.json'), more);

test('production without a rail names the missing setting', async () => {
  const refused = await sandbox.request('POST', '/api/payments/process-payment', {
    body: order,
    secret: sandbox.productionSecret,
  });
  expect(refused.status).toBe(503);
  expect(refused.body.name).toBe('RAIL_NOT_CONFIGURED');
  expect(refused.body.message).toContain('PRODUCTION_BANK_RAIL');
});

test('a file of the operator configures the connector for its banks', async () => {
  const config = { ...sandbox.tools.config, productionBankRail: await writeRailFile() };
  const rails = await openRails({ ...sandbox.tools, config }, sandbox.url);
  const production = rails.bankRails.need('PRODUCTION');
  expect(production.institutions().map(({ id }) => id)).toContain('mock-sandbox-v1');
  const consent = await production.createConsent(orderOf('0'));
  expect(consent.kind).toBe('CREATED');
  await rails.close();
});

test('banks of production need an https address', async () => {
  const config = { ...sandbox.tools.config, productionBankRail: await writeRailFile() };
  const opening = openRails({ ...sandbox.tools, config }, 'http://pay.example.com');
  await expect(opening).rejects.toThrow('PUBLIC_URL must be an https address');
});

test('an operator sees how the calls to each bank went', async () => {
  const { secret } = await createOperatorSecret(sandbox.tools, 'Ada', null);
  const banks = (environment: string) =>
    sandbox.request('GET', `/api/operator/banks/${environment}`, { secret });
  const { paymentRequestId } = (
    await sandbox.request('POST', '/api/payments/process-payment', { body: order })
  ).body;
  const paid = await sandbox.request(
    'POST',
    `/api/sandbox/payment-requests/${paymentRequestId}/pay`,
    { body: {} },
  );
  expect(paid.status).toBe(200);
  const { body } = await banks('sandbox');
  expect(body).toHaveLength(10);
  const [called] = body.filter(({ calls }: { calls: number }) => calls > 0);
  expect(called).toMatchObject({ enabled: true, state: 'WORKING', successPercent: 100 });
  expect(called.averageMs).toBeGreaterThan(0);
  expect(await banks('production')).toMatchObject({
    status: 503,
    body: { name: 'RAIL_NOT_CONFIGURED' },
  });
  expect((await banks('everywhere')).status).toBe(400);
});

test('a renewed certificate and key are used without a restart', async () => {
  const trust = join(sandbox.folder, 'simulator', 'trust');
  const path = await writeRailFile({
    transportCertificateFile: join(folder, 'transport.pem'),
    transportKeyFile: join(folder, 'transport-key.pem'),
  });
  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  await put('transport.pem', await readFile(join(trust, 'transport.pem'), 'utf8'));
  await put('transport-key.pem', await readFile(join(trust, 'transport-key.pem'), 'utf8'));
  let passedMs = 0;
  const clock = { ...sandbox.tools.clock, now: () => new Date(Date.now() + passedMs) };
  const config = { ...sandbox.tools.config, productionBankRail: path };
  const rails = await openRails({ ...sandbox.tools, clock, config }, sandbox.url);
  const current = () => rails.bankRails.need('PRODUCTION');
  const before = current();
  expect((await before.createConsent(orderOf('1'))).kind).toBe('CREATED');
  await put('transport.pem', 'half a fi');
  passedMs += 6_000;
  expect(current()).toBe(before);
  const renewed = await renewTransport(trust);
  await put('transport.pem', await readFile(join(trust, 'transport.pem'), 'utf8'));
  await put('transport-key.pem', renewed.keyPem);
  passedMs += 6_000;
  expect(current()).toBe(before);
  await put('transport.pem', renewed.certificatePem);
  passedMs += 6_000;
  expect(current()).not.toBe(before);
  // The bank refuses a signature from the future.
  passedMs = 0;
  expect((await current().createConsent(orderOf('2'))).kind).toBe('CREATED');
  expect((await before.createConsent(orderOf('3'))).kind).toBe('CREATED');
  await rails.close();
});

test('a bank may have a client id of its own, and keys may be variables', async () => {
  const path = await writeRailFile({ signingKeyFile: undefined, signingKeyVariable: 'TEST_KEY' });
  const config = { ...sandbox.tools.config, productionBankRail: path };
  await expect(openRails({ ...sandbox.tools, config }, sandbox.url)).rejects.toThrow(
    'PRODUCTION_BANK_RAIL: the variable TEST_KEY is not set.',
  );
  const trust = join(sandbox.folder, 'simulator', 'trust');
  vi.stubEnv('TEST_KEY', await readFile(join(trust, 'signing-key.pem'), 'utf8'));
  const file = JSON.parse(await readFile(path, 'utf8'));
  const banks = file.banks.map((bank: { id: string }) =>
    bank.id === 'harbour-sandbox' ? { ...bank, clientId: 'another-client' } : bank,
  );
  await writeFile(path, JSON.stringify({ ...file, banks }));
  const rails = await openRails({ ...sandbox.tools, config }, sandbox.url);
  const production = rails.bankRails.need('PRODUCTION');
  expect((await production.createConsent(orderOf('4'))).kind).toBe('CREATED');
  const refused = { ...orderOf('5'), institutionId: 'harbour-sandbox' };
  expect(await production.createConsent(refused)).toMatchObject({ code: 'BANK_UNAVAILABLE' });
  await rails.close();
  vi.unstubAllEnvs();
});

test('the doctor finds no fault at the simulated banks, and names each that there is', async () => {
  const settings = {
    SIMULATOR_TRUST_FOLDER: join(sandbox.folder, 'simulator', 'trust'),
    PRODUCTION_BANK_RAIL: await writeRailFile({ signingKeyId: 'unknown-key' }),
  };
  const well = await spawnCommand('doctor.ts', ['banks', 'sandbox'], settings);
  expect(well.said).toBe('');
  expect(well.out).toContain('0 faults, 0 warnings');
  expect(well.code).toBe(0);
  const ill = await spawnCommand('doctor.ts', ['banks', 'harbour-sandbox'], settings);
  expect(ill.out).toMatch(/FAULT {4}harbour-sandbox {2}access: .*invalid_client\n +-> Compare/);
  expect(ill.code).toBe(1);
  if (!isLongRun) return;
  const file = JSON.parse(await readFile(settings.PRODUCTION_BANK_RAIL, 'utf8'));
  for (const bank of file.banks) bank.isEnabled = false;
  await writeFile(settings.PRODUCTION_BANK_RAIL, JSON.stringify(file));
  const named = await spawnCommand('doctor.ts', ['banks', 'harbour-sandbox'], settings);
  expect(named.out).toMatch(/FAULT {4}harbour-sandbox {2}access: /);
});

test('a firm registers at a bank by a command, and the bank takes payments at once', async () => {
  const trust = join(sandbox.folder, 'simulator', 'trust');
  const path = await writeRailFile({
    clientId: undefined,
    softwareStatementFile: join(trust, 'software-statement.jwt'),
  });
  const file = JSON.parse(await readFile(path, 'utf8'));
  const at = (isEnabled: boolean) =>
    file.banks
      .filter(({ id }: { id: string }) => id === 'mock-sandbox-v1' || id === 'harbour-sandbox')
      .map((bank: object) => ({ ...bank, isEnabled }));
  await writeFile(path, JSON.stringify({ ...file, banks: at(false) }));
  const settings = { PRODUCTION_BANK_RAIL: path, PUBLIC_URL: sandbox.url };
  const register = (...words: string[]) => runCommand('register-at-bank.ts', words, settings);
  const registered = await register('mock-sandbox-v1');
  expect([registered.code, registered.said]).toEqual([0, '']);
  expect(registered.out).toMatch(/^[0-9a-f-]{36} is our client id at mock-sandbox-v1, stored in /);
  const again = await register('mock-sandbox-v1');
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.said).toMatch(/^mock-sandbox-v1 has the client id [0-9a-f-]{36} already\.\n$/);
  const elsewhere = { ...settings, PUBLIC_URL: 'https://another.example' };
  const refused = await runCommand('register-at-bank.ts', ['harbour-sandbox'], elsewhere);
  expect(refused.said).toMatch(/refused the registration: invalid_redirect_uri \(400\)/);
  await writeFile(path, JSON.stringify({ ...file, banks: at(true) }));
  const config = { ...sandbox.tools.config, productionBankRail: path };
  await expect(openRails({ ...sandbox.tools, config }, sandbox.url)).rejects.toThrow(
    'banks["harbour-sandbox"].clientId is missing',
  );
  expect((await register('harbour-sandbox')).code).toBe(0);
  await writeFile(path, JSON.stringify({ ...file, banks: at(true) }));
  const rails = await openRails({ ...sandbox.tools, config }, sandbox.url);
  for (const [number, institutionId] of ['mock-sandbox-v1', 'harbour-sandbox'].entries()) {
    const consent = await rails.bankRails
      .need('PRODUCTION')
      .createConsent({ ...orderOf(`r${number}`), institutionId });
    expect([institutionId, consent.kind]).toEqual([institutionId, 'CREATED']);
  }
  await rails.close();
});

test('rejects an incomplete file with one sentence', async () => {
  const path = await writeRailFile({ organisationId: undefined });
  const config = { ...sandbox.tools.config, productionBankRail: path };
  await expect(openRails({ ...sandbox.tools, config }, sandbox.url)).rejects.toThrow(
    'PRODUCTION_BANK_RAIL: client.organisationId is missing in the file.',
  );
});
