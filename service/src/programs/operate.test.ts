import { mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVisit } from '../../../test/harness/dashboard/open-visit.ts';
import { signIn } from '../../../test/harness/dashboard/sign-in.ts';
import { isLongRun } from '../../../test/harness/is-long-run.ts';
import { openTestService, type TestService } from '../../../test/harness/open-test-service.ts';
import {
  type CommandProgram,
  type Ran,
  runCommand,
} from '../../../test/harness/programs/run-command.ts';
import { spawnCommand } from '../../../test/harness/programs/spawn-command.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { openCases } from '../modules/operator-cases/index.ts';
import { personRoutes } from '../modules/people/index.ts';
import { failedJobs } from '../platform/database/failed-jobs.ts';
import { openSecrets } from '../platform/secrets/open-secrets.ts';

const masterKey = Buffer.alloc(32, 6);

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    tools: { secrets: openSecrets([masterKey]) },
    routes: (tools) => personRoutes({ ...tools, openSignUp: false }),
  });
});
afterAll(() => service.close());

const settings = () => ({
  DATABASE_URL: service.databaseUrl,
  FLORIN_MASTER_KEY: masterKey.toString('base64'),
});
const run = (program: CommandProgram, ...words: string[]): Promise<Ran> =>
  runCommand(program, words, settings());

const missing = '00000000-0000-4000-8000-000000000000';
const absentHead = `999999 ${'a'.repeat(64)}`;

const asProcesses: readonly (readonly [
  CommandProgram,
  (id: string) => string[],
  string[],
  string,
])[] = [
  [
    'operate.ts',
    () => ['merchants'],
    ['operator-person', '4242-4242-4242-4242', 'on'],
    'No person has signed up as ****4242.',
  ],
  [
    'configure-merchant.ts',
    (id) => [id, 'sandbox', 'switches'],
    [missing, 'sandbox', 'switches'],
    `No merchant has the id ${missing}.`,
  ],
  [
    'manage-card-accounts.ts',
    (id) => [id, 'sandbox', 'list'],
    [missing, 'sandbox', 'list'],
    `No merchant has the id ${missing}.`,
  ],
  ['audit.ts', () => ['verify'], ['verify', absentHead], 'are missing.'],
];
test.each(isLongRun ? asProcesses : asProcesses.slice(0, 1))(
  '%s ends as a process of its own as it does in this one',
  async (program, good, bad, sentence) => {
    const words = good(service.merchant.merchantId);
    const done = await spawnCommand(program, words, settings());
    expect(done).toEqual({ code: 0, out: expect.stringMatching(/\S.*\n$/s), said: '' });
    expect(await run(program, ...words)).toEqual(done);
    const failed = await spawnCommand(program, bad, settings());
    expect(failed).toEqual({ code: 1, out: '', said: expect.stringMatching(/^[^\n]+\n$/) });
    expect(failed.said).toContain(sentence);
    expect(await run(program, ...bad)).toEqual(failed);
  },
);

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

test('an operator sees which jobs fail, and why', async () => {
  expect((await run('operate.ts', 'stuck-work')).out).toContain('Nothing is stuck.');
  const jobs = failedJobs(service.tools.database);
  await jobs.failed('fillPayouts', new Error('column x does not exist'));
  expect((await run('operate.ts', 'stuck-work')).out).toMatch(
    /^1 stuck.*\nRUN_JOB {2}fillPayouts .*column x does not exist/,
  );
  await jobs.worked('fillPayouts');
});

test('an operator creates a merchant, its secrets and settings', async () => {
  const account = { sortCode: '180002', accountNumber: '00000190', name: 'Tea House' };
  const bankAccounts = { SANDBOX: account, PRODUCTION: account };
  const input = JSON.stringify({ businessName: 'Tea House', bankAccounts });
  const made = await run('operate.ts', 'create-merchant', input);
  const [merchantId = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made.out) ?? [];
  const configure = (...words: string[]) =>
    run('configure-merchant.ts', merchantId, 'sandbox', ...words);
  const contact = ['supportEmail=help@tea.example', 'supportPhone=+44 20 7946 0000'];
  const brand = ['paymentLimit=5000', 'accentColour="#7A3E1D"', ...contact];
  const settings = await configure('settings', ...brand);
  expect(settings.out).toContain('supportPhone="+44 20 7946 0000"');
  expect(settings.out).toContain('paymentLimit=5000\n');
  expect(settings.out).toContain('accentColour="#7a3e1d"');
  const file = join(mkdtempSync(join(tmpdir(), 'florin-logo-')), 'logo.svg');
  writeFileSync(file, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect((await configure('logo', file)).out).toContain(`logoUrl="/merchant-logos/${merchantId}/`);
  expect((await configure('logo', 'none')).out).toContain('logoUrl=null');
  const secret = JSON.stringify({
    ...{ name: 'Shop', redirectUrl: 'https://shop.example/back', scope: 'READ' },
    ...{ webOrigins: ['http://localhost:*'], expiresAt: '2099-01-01T00:00:00.000Z' },
  });
  const [secretId = ''] =
    /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
      (await configure('create-secret', secret)).out,
    ) ?? [];
  const active =
    'READ  until 2099-01-01T00:00:00.000Z  https://shop.example/back  http://localhost:*';
  expect((await configure('secrets')).out).toContain(active);
  expect((await configure('revoke-secret', secretId)).code).toBe(0);
  const listed = (await configure('secrets')).out.split('\n');
  expect(listed.find((line) => line.startsWith(secretId))).toContain('revoked');
  const store = { locationName: 'Harbour', bankAccount: account };
  expect((await configure('create-store', JSON.stringify(store))).out).toContain('is made');
  expect((await configure('stores')).out).toContain('Harbour  enabled');
  const refused: readonly (readonly string[])[] = [
    ['settings', 'paymentLimit=0.5'],
    ['settings', 'accentColour=red'],
    ['settings', 'supportPhone=none'],
    ['settings', 'moon=1'],
    ['create-secret', '{"name":"a/b"}'],
    ['create-secret', '{"name":"Shop","expiresAt":"2020-01-01T00:00:00Z"}'],
    ['create-store', '{"locationName":"Nowhere"}'],
  ];
  for (const words of refused) expect((await configure(...words)).code).toBe(1);
});

test('an operator makes and revokes a secret of the operator API, and reads who did what', async () => {
  const made = await run('operate.ts', 'create-operator-secret', 'Grace');
  expect(made.out).toMatch(/\nflorin_operator_\w{39}\n/);
  const [id = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made.out) ?? [];
  expect((await run('operate.ts', 'operator-secrets')).out).toMatch(`${id}  Grace  …`);
  expect((await run('operate.ts', 'revoke-operator-secret', id)).out).toContain(
    'of Grace is revoked',
  );
  expect((await run('operate.ts', 'operator-secrets')).out).toContain('revoked');
  expect((await run('operate.ts', 'resolve', id, 'Told by Mrs Smith')).code).toBe(1);
  const { merchantId } = service.merchant;
  await run('configure-merchant.ts', merchantId, 'production', 'switches', 'cardsEnabled=true');
  expect((await run('operate.ts', 'merchants')).out).toContain(`${merchantId}  Corner Coffee`);
  await run('operate.ts', 'operator-person', '4242-4242-4242-4242', 'on');
  const { out } = await run('operate.ts', 'audit');
  const who = `${userInfo().username}  ${hostname()}  COMMAND`;
  expect(out).toContain(`${who}  operator create-operator-secret  -  DONE  {"words":["…"]}`);
  expect(out).toContain(`${who}  operator resolve  -  NOT_FOUND  {"words":["${id}","…"]}`);
  expect(out).toContain(
    `${who}  merchant switches  ${merchantId}  DONE  {"words":["cardsEnabled=true"]}`,
  );
  expect(out).toContain('{"words":["…","on"]}');
  expect(out).not.toMatch(/Mrs Smith|florin_operator_/);
});

test('an operator invites the first owner, lets a business into production and makes operators', async () => {
  const { merchantId } = service.merchant;
  const invited = await run('operate.ts', 'invite-owner', merchantId, 'First@Example.com');
  const [, token = ''] = /\/dashboard\/invites#(\w+)/.exec(invited.out) ?? [];
  const { call } = openVisit(service);
  const password = 'correct horse battery';
  const person = { token, name: 'Fay First', password };
  const accepted = await call('POST', '/dashboard/api/invites/accept-new', person);
  expect(accepted.body).toEqual({ merchantId });
  const made = await run('operate.ts', 'operator-person', 'first@example.com', 'on');
  expect(made.out).toContain('first@example.com is an operator now.');
  await call('POST', '/dashboard/api/sign-in', { email: 'first@example.com', password });
  const me = (await call('GET', '/dashboard/api/me')).body;
  expect(me.isOperator).toBe(true);
  expect(me.memberships).toMatchObject([{ merchantId, role: 'owner' }]);
  expect(me.memberships[0].environments).toEqual(['sandbox']);
  const waiting = await run('operate.ts', 'mails-to', 'First@Example.com');
  const [, proof = ''] = /\/dashboard\/verify-email#(\w+)/.exec(waiting.out) ?? [];
  await call('POST', '/dashboard/api/verify-email', { token: proof });
  const proven = (await call('GET', '/dashboard/api/me')).body;
  expect(proven.memberships[0].environments).toContain('production');
  await signIn(service.tools, { merchantId, inProduction: false });
  const admitted = await run('operate.ts', 'admit-to-production', merchantId);
  expect(admitted.out).toContain(': 1 let into production.');
  const again = await run('operate.ts', 'admit-to-production', merchantId);
  expect(again.out).toMatch(/^Nothing changes: all \d people/);
  const left = await run('operate.ts', 'sign-out', 'First@Example.com');
  expect(left.out).toContain('is signed out: 1 sessions have ended.');
  expect((await call('GET', '/dashboard/api/me')).status).toBe(401);
  const empty = await service.newMerchant();
  const none = await run('operate.ts', 'admit-to-production', empty.merchantId);
  expect(none.out).toMatch(/^Nobody belongs to this merchant yet/);
  const refused: readonly (readonly [string, ...string[]])[] = [
    ['invite-owner', merchantId, 'no address'],
    ['admit-to-production', crypto.randomUUID()],
    ['operator-person', 'missing@example.com', 'on'],
    ['sign-out', 'missing@example.com'],
  ];
  for (const words of refused) {
    const { code, said } = await run('operate.ts', ...words);
    expect([code, said.split('\n').length], said).toEqual([1, 2]);
  }
});

test('the audit records are proven whole, and the first that was altered is named', async () => {
  const head = (await run('audit.ts', 'head')).out.trim();
  const whole = await run('audit.ts', 'verify', head);
  expect(whole, whole.said).toMatchObject({ code: 0 });
  const [position = '', hash = ''] = head.split(' ');
  expect(whole.out).toMatch(/^OK: \d+ records of \d+ acts, no seal\n/);
  expect(whole.out).toContain(`head ${position} ${hash}`);
  const later = `${Number(position) + 5} ${hash}`;
  const cut = await run('audit.ts', 'verify', later);
  expect([cut.code, cut.said]).toEqual([1, expect.stringContaining('are missing')]);
  expect((await run('audit.ts', 'verify', 'nonsense')).code).toBe(1);
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await admin.query(`set session_replication_role = replica;
    update florin.audit_record set actor = 'Eve' where position = 2`);
  await admin.end();
  const altered = await run('audit.ts', 'verify');
  expect(altered.code).toBe(1);
  expect(altered.said).toContain('BROKEN at record 2: its content was changed.');
});

test('a command closes its connections, also when it fails', async () => {
  await run('operate.ts', 'case', missing);
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  await waitUntil(async () => {
    const { rows } = await admin.query(
      `select application_name from pg_stat_activity where datname = current_database()
       and application_name in ('florin-operator', 'florin-merchant', 'florin-audit', 'florin-card-account')`,
    );
    return rows.length === 0;
  });
  await admin.end();
});
