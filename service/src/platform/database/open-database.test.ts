import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

type Setting = { readonly role: string; readonly seqscan: string };

const setting = sql()`select current_user::text as role, current_setting('enable_seqscan') as seqscan`;
const explained = sql()`explain (costs off) select sum(amount_pence) from ledger_entry`;

test('claims across merchants use no sequential scans, proofs may', async () => {
  const claim = statement<object, Setting>('test_claim_setting', setting);
  const proof = statement<object, Setting>('test_proof_setting', setting, {
    readsWholeTables: true,
  });
  const role = 'florin_system';
  expect(await service.database.system(claim, {})).toEqual([{ role, seqscan: 'off' }]);
  expect(await service.database.system(proof, {})).toEqual([{ role, seqscan: 'on' }]);
  const explain = statement<object, { readonly 'QUERY PLAN': string }>('test_proof', explained, {
    readsWholeTables: true,
  });
  const plan = (await service.database.system(explain, {})).map((row) => row['QUERY PLAN']);
  expect(plan.join('\n')).toContain('Seq Scan on ledger_entry');
});

const planMode = sql()`select current_setting('plan_cache_mode') as mode`;
const byValues = statement<object, { readonly mode: string }>('test_planned', planMode, {
  isPlannedPerCall: true,
});
const forAll = statement<object, { readonly mode: string }>('test_one_plan', planMode);

test('a statement is planned for its values if it says so, every other once', async () => {
  const { database, sandbox } = service;
  const modesOf = async (statements: readonly (typeof forAll)[]) => {
    const rows = statements.map((each) => database.tenant(sandbox.merchantId, each, {}));
    return (await Promise.all(rows)).map(([row]) => row?.mode);
  };
  const [custom, generic] = ['force_custom_plan', 'force_generic_plan'];
  expect(await modesOf([byValues])).toEqual([custom]);
  expect(await modesOf([forAll, byValues, forAll])).toEqual([generic, custom, generic]);
  const failing = statement<object, never>('test_planned_failing', sql()`select 1 / 0`, {
    isPlannedPerCall: true,
  });
  const failed = database.tenant(sandbox.merchantId, failing, {}).catch(() => 'failed');
  expect(await failed).toBe('failed');
  // On every connection of the pool.
  const many = Array.from({ length: 40 }, () => forAll);
  expect(new Set(await modesOf(many))).toEqual(new Set([generic]));
});
