import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomIds } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { openBankingUk, readRegistration } from '#rails/open-banking-uk/index.ts';
import { openSimulator } from '#rails/open-banking-uk/test/open-simulator.ts';
import { reopenOnRegistration } from './reopen-on-change.ts';

let folder: string;
let simulator: Awaited<ReturnType<typeof openSimulator>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-trust-'));
  simulator = await openSimulator();
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

test('exists once the simulator registered the client, and follows a new address', async () => {
  let nowMs = 0;
  const later = () => {
    nowMs += 1_000;
  };
  const clock = { now: () => new Date(nowMs), sleep: async () => undefined };
  const tools = { clock, ids: randomIds(), log: silentLog };
  const sandbox = reopenOnRegistration(tools, folder, () =>
    openBankingUk(
      readRegistration(folder, 'http://localhost/bank-return', 'http://localhost/x'),
      tools,
    ),
  );
  expect(sandbox.find()).toBeNull();

  const file = join(folder, 'registration.json');
  await writeFile(file, '{}');
  later();
  expect(sandbox.find()).toBeNull();
  await cp(simulator.folder, folder, { recursive: true });
  expect(sandbox.find()).toBeNull();
  later();
  const first = sandbox.find();
  expect(first?.institutions()).toHaveLength(10);
  later();
  expect(sandbox.find()).toBe(first);

  const registration = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...registration, banks: registration.banks.slice(1) }));
  later();
  expect(sandbox.find()?.institutions()).toHaveLength(9);
  await rm(file);
  later();
  expect(sandbox.find()?.institutions()).toHaveLength(9);
  await sandbox.close();
});
