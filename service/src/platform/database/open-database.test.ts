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
