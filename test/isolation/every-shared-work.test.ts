import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadStatements } from '../../tools/describe/describe-statements.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { type Proof, sharedWork } from './shared-work.ts';

const { jobs, statements } = sharedWork;

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test('every job of the worker has a test that plants a bad row, or a reason', () => {
  expect(Object.keys(jobs).sort()).toEqual([...sandbox.jobNames].sort());
});

const writes = /\b(insert into|update|delete from)\b/;
const ofOneMerchant = /:merchantId\b/;
const ofMany = /:(merchantIds|endpointIds)\b/;
// A claim of `limit` rows belongs to the job that works on them; these write more than a lease.
const gathers = /:(maxDays|limit)\b[\s\S]*\binsert into (?!work_lease)/;

test('every statement that writes for several merchants has one too', async () => {
  const shared = (await loadStatements(fileURLToPath(root)))
    .filter(({ sql }) => writes.test(sql) && !ofOneMerchant.test(sql))
    .filter(({ sql }) => ofMany.test(sql) || gathers.test(sql))
    .map(({ name }) => name);
  expect(Object.keys(statements).sort()).toEqual(shared.sort());
});

const proofs: readonly (readonly [string, Proof])[] = Object.entries({ ...jobs, ...statements });

test('every test that is named is there', async () => {
  for (const [name, proof] of proofs) {
    if (!('file' in proof)) continue;
    const text = await read(proof.file);
    const title = proof.test.replace(/: \w+$/, ': %s');
    expect([name, text.includes(proof.test) || text.includes(title)]).toEqual([name, true]);
  }
});
