import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIso20022, standardTemplate } from '#rails/iso20022/index.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { newBatch, newTransfer } from '../../rails/iso20022/test/new-batch.ts';
import { operatorCommands } from './commands.ts';
import { ownFolder } from './index.ts';

let service: TestService;
let machines: readonly string[];
beforeAll(async () => {
  service = await openTestService();
  const folder = () => mkdtemp(join(tmpdir(), 'florin-machine-'));
  machines = [await folder(), await folder()];
});
afterAll(async () => {
  await service.close();
  for (const machine of machines) await rm(machine, { recursive: true });
});

/** The connector of a worker on a machine, with the folder that is mounted there. */
const workerAt = (root: string) => {
  const own = ownFolder(service.tools, 'PRODUCTION');
  const channel = { kind: 'FOLDER', root, own, settleMs: 0 } as const;
  return openIso20022({ template: standardTemplate, channel }, service.tools);
};
const outgoing = async (root: string) => readdir(join(root, 'outgoing')).catch(() => []);
const use = async (folderId: string) =>
  operatorCommands.run['use-transfer-folder']?.(
    {
      ...{ ...service.tools, settings: {}, actor: 'a test' },
      ...{ write: async () => undefined, writeError: () => undefined },
    },
    [folderId],
  );
const readIds = (root: string) => readFile(join(root, 'florin-folder'), 'utf8');
const idOf = async (root: string) => (await readIds(root)).split('\n')[0] ?? '';
const otherFolder = {
  description: expect.stringContaining('not the folder that this installation uses'),
};

test('no batch goes out again through another folder, until the first is lost', async () => {
  const [first = '', second = ''] = machines;
  const batch = newBatch([newTransfer()]);
  expect(await workerAt(first).submit(batch)).toEqual({ kind: 'SUBMITTED' });
  expect(await outgoing(first)).toHaveLength(1);
  const wrong = workerAt(second);
  expect(await wrong.resolveSubmission(batch)).toMatchObject({ kind: 'UNKNOWN', ...otherFolder });
  expect(await wrong.submit(newBatch([newTransfer()]))).toMatchObject({ kind: 'UNKNOWN' });
  expect(await wrong.readMessages(10)).toMatchObject({ kind: 'UNAVAILABLE', ...otherFolder });
  expect(await outgoing(second)).toEqual([]);
  expect(await workerAt(first).resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });

  await use(await idOf(second));
  // The bank has this one: a file of its name says so.
  await writeFile(join(second, 'sent', `pain001-${batch.messageId}.xml`), '');
  expect(await wrong.resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });
  expect(await outgoing(second)).toEqual([]);
  expect(await wrong.submit(newBatch([newTransfer()]))).toEqual({ kind: 'SUBMITTED' });
  expect(await outgoing(second)).toHaveLength(1);
  expect(await workerAt(first).submit(batch)).toMatchObject({ kind: 'UNKNOWN', ...otherFolder });
});

test('a folder from before the last batch, as a backup has it, hands nothing over again', async () => {
  const root = await mkdtemp(join(tmpdir(), 'florin-machine-'));
  const [early, late] = [newBatch([newTransfer()]), newBatch([newTransfer()])];
  await workerAt(root).readMessages(1);
  await use(await idOf(root));
  expect(await workerAt(root).submit(early)).toEqual({ kind: 'SUBMITTED' });
  await cp(root, `${root}-backup`, { recursive: true });
  expect(await workerAt(root).submit(late)).toEqual({ kind: 'SUBMITTED' });
  await rm(root, { recursive: true });
  await rename(`${root}-backup`, root);
  const restored = workerAt(root);
  expect(await restored.resolveSubmission(late)).toMatchObject({
    kind: 'UNKNOWN',
    description: expect.stringContaining(`a copy from before pain001-${late.messageId}.xml`),
  });
  await writeFile(join(root, 'sent', `pain001-${late.messageId}.xml`), '');
  expect(await restored.resolveSubmission(late)).toEqual({ kind: 'SUBMITTED' });
  await rm(root, { recursive: true });
});

test('of two machines that begin at once one has the folder', async () => {
  await lookInto(service.databaseUrl, (owner) => owner.query('delete from transfer_folder'));
  for (const machine of machines) {
    await rm(machine, { recursive: true });
    await mkdir(machine);
  }
  const outcomes = await Promise.all(
    machines.map((machine) => workerAt(machine).submit(newBatch([newTransfer()]))),
  );
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['SUBMITTED', 'UNKNOWN']);
  const at = machines[outcomes.findIndex(({ kind }) => kind === 'SUBMITTED')] ?? '';
  expect(await outgoing(at)).toHaveLength(1);
  const ids = await readIds(at);
  await writeFile(join(at, 'florin-folder'), 'spoiled');
  expect(await workerAt(at).readMessages(10)).toMatchObject({ kind: 'UNAVAILABLE' });
  await writeFile(join(at, 'florin-folder'), ids);
  expect(await workerAt(at).readMessages(10)).toMatchObject({ kind: 'MESSAGES' });
});

test('a file is not noted, nor handed over after it, once another folder is used', async () => {
  const root = await mkdtemp(join(tmpdir(), 'florin-machine-'));
  await workerAt(root).readMessages(1);
  await use(await idOf(root));
  const own = ownFolder(service.tools, 'PRODUCTION');
  // Between its look at the folder and its note an operator names another one.
  const note = async (folderId: string, file: string) => {
    await use(randomUUID());
    await own.note(folderId, file);
  };
  const channel = { kind: 'FOLDER', root, own: { ...own, note }, settleMs: 0 } as const;
  const worker = openIso20022({ template: standardTemplate, channel }, service.tools);
  expect(await worker.submit(newBatch([newTransfer()]))).toMatchObject({
    kind: 'UNKNOWN',
    description: expect.stringContaining('another folder than'),
  });
  expect(await outgoing(root)).toEqual([]);
  await rm(root, { recursive: true });
});

test('a folder of another installation is read and written by none but that', async () => {
  const root = await mkdtemp(join(tmpdir(), 'florin-machine-'));
  await workerAt(root).readMessages(1);
  const otherId = randomUUID();
  const id = await idOf(root);
  await writeFile(join(root, 'florin-folder'), `${id}\n${otherId}\n`);
  const refused = { description: expect.stringContaining(`of the installation ${otherId}`) };
  const first = `delete from transfer_folder`;
  for (const prepare of [
    () => lookInto(service.databaseUrl, (owner) => owner.query(first)),
    () => use(id),
  ]) {
    await prepare();
    const worker = workerAt(root);
    expect(await worker.submit(newBatch([newTransfer()]))).toMatchObject({
      ...{ kind: 'UNKNOWN', ...refused },
    });
    expect(await worker.readMessages(10)).toMatchObject({ kind: 'UNAVAILABLE', ...refused });
  }
  expect(await outgoing(root)).toEqual([]);
  await rm(root, { recursive: true });
});
