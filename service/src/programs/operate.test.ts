import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestService, type TestService } from '../../../test/harness/open-test-service.ts';
import { type Ran, runCommand } from '../../../test/harness/programs/run-command.ts';
import { openCases } from '../modules/operator-cases/index.ts';
import { openSecrets } from '../platform/secrets/open-secrets.ts';

const masterKey = Buffer.alloc(32, 6);

// Each run starts a program of its own.
vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ tools: { secrets: openSecrets([masterKey]) } });
});
afterAll(() => service.close());

const run = (program: string, ...words: string[]): Promise<Ran> =>
  runCommand(program, words, {
    DATABASE_URL: service.databaseUrl,
    FLORIN_MASTER_KEY: masterKey.toString('base64'),
  });

test('an operator lists, shows and resolves a case, and verifies the books', async () => {
  await openCases(service.tools, [
    { kind: 'DISPUTE_LOST', subject: 'dp_1', description: 'A dispute was lost.', evidence: {} },
  ]);
  const { out } = await run('operate.ts', 'cases');
  expect(out).toContain('DISPUTE_LOST  dp_1  A dispute was lost.');
  const caseId = out.split('  ')[0] ?? '';
  expect((await run('operate.ts', 'resolve', caseId, 'Accepted.')).out).toContain('is resolved');
  expect((await run('operate.ts', 'resolve', caseId, 'Again.')).code).toBe(1);
  const shown = JSON.parse((await run('operate.ts', 'case', caseId)).out);
  expect(shown).toMatchObject({ status: 'RESOLVED', resolution: 'Accepted.' });
  const books = JSON.parse((await run('operate.ts', 'verify-books')).out);
  expect(books).toMatchObject({ isBalanced: true });
});

test('an operator creates a merchant, its secrets and settings', async () => {
  const account = { sortCode: '180002', accountNumber: '00000190', name: 'Tea House' };
  const bankAccounts = { SANDBOX: account, PRODUCTION: account };
  const input = JSON.stringify({ businessName: 'Tea House', bankAccounts });
  const made = await run('operate.ts', 'create-merchant', input);
  const [merchantId = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made.out) ?? [];
  const configure = (...words: string[]) =>
    run('configure-merchant.ts', merchantId, 'sandbox', ...words);
  const settings = await configure('settings', 'paymentLimit=5000', 'accentColour="#7A3E1D"');
  expect(settings.out).toContain('paymentLimit=5000\n');
  expect(settings.out).toContain('accentColour="#7a3e1d"');
  const secret = '{"name":"Shop","webOrigins":["http://localhost:*"]}';
  const [secretId = ''] =
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
      (await configure('create-secret', secret)).out,
    ) ?? [];
  expect((await configure('revoke-secret', secretId)).code).toBe(0);
  const listed = (await configure('secrets')).out.split('\n');
  expect(listed.find((line) => line.startsWith(secretId))).toContain('revoked');
});
