import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { openRails } from '../../../service/src/programs/wiring/open-rails.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

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

/** The operator's file, pointing production at the simulator. */
const writeRailFile = async (more: object = {}): Promise<string> => {
  const trust = join(sandbox.folder, 'simulator', 'trust');
  const registration = JSON.parse(await readFile(join(trust, 'registration.json'), 'utf8'));
  const path = join(folder, 'banks.json');
  const { clientId, organisationId, softwareStatementId, signingKeyId, trustAnchor } = registration;
  const client = {
    clientId,
    organisationId,
    softwareStatementId,
    signingKeyId,
    trustAnchor,
    signingKeyFile: join(trust, 'signing-key.pem'),
    transportCertificateFile: join(trust, 'transport.pem'),
    transportKeyFile: join(trust, 'transport-key.pem'),
    caFile: join(trust, 'ca.pem'),
    ...more,
  };
  const banks = registration.banks.map((bank: { limitPence: number }) => ({
    ...bank,
    limitPounds: bank.limitPence / 100,
  }));
  await writeFile(path, JSON.stringify({ client, banks }));
  return path;
};

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
  const consent = await production.createConsent({
    institutionId: 'mock-sandbox-v1',
    endToEndId: 'ATOATEST1',
    instructionId: 'instruction-1',
    amountPence: 1250n as never,
    creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Production Shop' },
    reference: 'order-1',
    contextCode: 'EcommerceMerchantInitiatedPayment',
    merchantCategoryCode: '5999',
    merchantCustomerReference: 'customer-1',
    oauthState: 'state-of-a-test-that-is-long-enough',
  });
  expect(consent.kind).toBe('CREATED');
  await rails.close();
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

test('rejects an incomplete file with one sentence', async () => {
  const path = await writeRailFile({ clientId: undefined });
  const config = { ...sandbox.tools.config, productionBankRail: path };
  await expect(openRails({ ...sandbox.tools, config }, sandbox.url)).rejects.toThrow(
    'PRODUCTION_BANK_RAIL: client.clientId is missing in the file.',
  );
});
