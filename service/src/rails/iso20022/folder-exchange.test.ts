import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { randomIds, systemClock } from '#platform/clock.ts';
import { standardTemplate } from './channel.ts';
import { diskFileSystem, type FileSystem } from './file-system.ts';
import { openIso20022 } from './open-iso20022.ts';
import { accountReport, entry } from './test/account-report.ts';
import { crashingFileSystem } from './test/crashing-file-system.ts';
import { newBatch, newTransfer } from './test/new-batch.ts';
import { statusReport } from './test/status-report.ts';
import { validateMessage } from './test/validate-message.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'florin-bank-folder-'));
  await mkdir(join(root, 'incoming'));
  [known, lastFile] = [null, null];
});
afterEach(() => rm(root, { recursive: true }));

let [known, lastFile]: (string | null)[] = [null, null];
const installationId = '0192d1c6-5555-7000-8000-000000000001';
const own = {
  installationId: async () => installationId,
  claim: async (folderId: string) => {
    known ??= folderId;
    return { isOwn: known === folderId, installationId, lastFile: lastFile ?? null };
  },
  note: async (_: string, file: string) => {
    lastFile = file;
  },
};
const openRail = (fileSystem: FileSystem = diskFileSystem, settleMs = 0) =>
  openIso20022(
    { template: standardTemplate, channel: { kind: 'FOLDER', root, own, settleMs } },
    { clock: systemClock, ids: randomIds(), fileSystem },
  );

const names = async (folder: string) => (await readdir(join(root, folder))).sort();
const arrive = (name: string, text: string | Buffer) =>
  writeFile(join(root, 'incoming', name), text);

const read = async (rail = openRail()) => {
  const outcome = await rail.readMessages(10);
  if (outcome.kind !== 'MESSAGES') throw new Error(outcome.description);
  return outcome.messages;
};

/** Runs the step once to count its disk calls, then kills it before and after each. */
const killEverywhere = async (
  prepare: () => Promise<void>,
  step: (fileSystem: FileSystem) => Promise<unknown>,
  check: () => Promise<void>,
) => {
  const points = ['BEFORE', 'AFTER'] as const;
  const counting = crashingFileSystem(Number.POSITIVE_INFINITY, 'BEFORE');
  await prepare();
  await step(counting.fileSystem);
  const calls = counting.calls();
  for (let call = 1; call <= calls; call += 1)
    for (const when of points) {
      await rm(root, { recursive: true });
      await mkdir(join(root, 'incoming'), { recursive: true });
      [known, lastFile] = [null, null];
      await prepare();
      await step(crashingFileSystem(call, when).fileSystem);
      await check();
    }
  return calls * points.length;
};

describe('an outgoing message', () => {
  const batch = newBatch([newTransfer()]);
  const fileName = `pain001-${batch.messageId}.xml`;

  test('appears whole, once, and never again after the bank took it', async () => {
    const rail = openRail();
    expect(await rail.submit(batch)).toEqual({ kind: 'SUBMITTED' });
    expect(await names('outgoing')).toEqual([fileName]);
    validateMessage(await readFile(join(root, 'outgoing', fileName), 'utf8'));
    await rm(join(root, 'outgoing', fileName));
    expect(await rail.submit(batch)).toEqual({ kind: 'SUBMITTED' });
    expect(await rail.resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });
    expect(await names('outgoing')).toEqual([]);
    expect(await names('prepared')).toEqual([]);
  });

  test('is handed over exactly once despite kills at every step', async () => {
    const kills = await killEverywhere(
      async () => undefined,
      (fileSystem) => openRail(fileSystem).submit(batch),
      async () => {
        // The bank takes what it finds, between the crash and the next attempt.
        await mkdir(join(root, 'bank'));
        await mkdir(join(root, 'outgoing'), { recursive: true });
        const taken = await names('outgoing');
        for (const name of taken)
          await rename(join(root, 'outgoing', name), join(root, 'bank', name));
        expect(await openRail().resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });
        expect([...taken, ...(await names('outgoing'))]).toEqual([fileName]);
        expect(await names('prepared')).toEqual([]);
        const folder = taken.length > 0 ? 'bank' : 'outgoing';
        validateMessage(await readFile(join(root, folder, fileName), 'utf8'));
      },
    );
    expect(kills).toBeGreaterThan(20);
  });

  test('is handed over by no folder from before it, whenever the program was killed', async () => {
    const [before, handedOver] = [`${root}-before`, [] as boolean[]];
    await killEverywhere(
      async () => {
        await openRail().readMessages(1);
        await cp(root, before, { recursive: true });
      },
      (fileSystem) => openRail(fileSystem).submit(batch),
      async () => {
        const wasSent = (await names('outgoing')).length > 0;
        await rm(root, { recursive: true });
        await rename(before, root);
        const { kind } = await openRail().resolveSubmission(batch);
        if (wasSent) expect(kind).toBe('UNKNOWN');
        expect(await names('outgoing')).toHaveLength(kind === 'UNKNOWN' ? 0 : 1);
        handedOver.push(wasSent);
      },
    );
    expect(new Set(handedOver)).toEqual(new Set([true, false]));
  });

  test('is handed over once by eight processes at the same time', async () => {
    const rails = Array.from({ length: 8 }, () => openRail());
    const outcomes = await Promise.all(rails.map((rail) => rail.submit(batch)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['SUBMITTED']));
    expect(await names('outgoing')).toEqual([fileName]);
    expect(await names('prepared')).toEqual([]);
  });

  test('is unknown when the folder cannot be written', async () => {
    const blocked = join(root, 'outgoing');
    await writeFile(blocked, 'a file, not a folder');
    expect((await openRail().submit(batch)).kind).toBe('UNKNOWN');
    await rm(blocked);
    expect(await openRail().resolveSubmission(batch)).toEqual({ kind: 'SUBMITTED' });
  });
});

describe('an incoming message', () => {
  const report = accountReport(entry({}));

  test('is read until acknowledged, then moves to the processed ones', async () => {
    await arrive('b.xml', report);
    await arrive('a.xml', statusReport({ status: 'ACSC' }));
    await arrive('.c.xml', report);
    await arrive('d.tmp', report);
    const rail = openRail();
    const [first, second, ...others] = await read(rail);
    expect(others).toEqual([]);
    expect([first?.kind, second?.kind]).toEqual(['STATUS_REPORT', 'ACCOUNT_REPORT']);
    expect(await read(rail)).toEqual([first, second]);
    await rail.acknowledge(first?.reference ?? '');
    await rail.acknowledge(first?.reference ?? '');
    expect(await read(rail)).toEqual([second]);
    expect(await names('processed')).toEqual(['a.xml']);
  });

  test('that cannot be read is quarantined with the reason', async () => {
    await arrive('broken.xml', report.slice(0, 500));
    await arrive('binary.xml', Buffer.from([0xff, 0xfe, 0x80, 0x81]));
    const rail = openRail();
    const messages = await read(rail);
    expect(messages.map(({ kind }) => kind)).toEqual(['UNREADABLE', 'UNREADABLE']);
    for (const message of messages)
      if (message.kind === 'UNREADABLE') await rail.acknowledge(message.reference, message.reason);
    expect(await names('incoming')).toEqual([]);
    expect(await names('quarantine')).toEqual([
      'binary.xml',
      'binary.xml.reason.txt',
      'broken.xml',
      'broken.xml.reason.txt',
    ]);
    const reason = await readFile(join(root, 'quarantine/broken.xml.reason.txt'), 'utf8');
    expect(reason).toMatch(/not well-formed/);
  });

  test('that is still being written is left alone', async () => {
    const rail = openRail(diskFileSystem, 60_000);
    await arrive('slow.xml', report.slice(0, 500));
    expect(await read(rail)).toEqual([]);
    await arrive('slow.xml', report);
    expect((await read(rail)).map(({ kind }) => kind)).toEqual(['ACCOUNT_REPORT']);
    await arrive('dead.xml', 'cut');
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(join(root, 'incoming/dead.xml'), longAgo, longAgo);
    expect((await read(rail)).map(({ kind }) => kind)).toContain('UNREADABLE');
  });

  test('received twice under one name is two deliveries of one message', async () => {
    const rail = openRail();
    await arrive('a.xml', report);
    const [first] = await read(rail);
    await rail.acknowledge(first?.reference ?? '');
    await arrive('a.xml', `${report}<!-- again -->`);
    const [second] = await read(rail);
    expect(second?.reference).not.toBe(first?.reference);
    expect(second).toMatchObject({ messageId: 'BANK-1' });
    // An acknowledgement of the first does not touch the second.
    await rail.acknowledge(first?.reference ?? '');
    expect(await names('incoming')).toEqual(['a.xml']);
    await rail.acknowledge(second?.reference ?? '', 'The message came twice.');
    await arrive('a.xml', report);
    await rail.acknowledge(first?.reference ?? '');
    expect(await names('processed')).toHaveLength(2);
    expect(await names('quarantine')).toEqual(['a.xml', 'a.xml.reason.txt']);
  });

  test('in another encoding is read by its first line', async () => {
    const text = accountReport(entry({ name: 'Zoë' })).replace('UTF-8', 'ISO-8859-1');
    await arrive('latin.xml', Buffer.from(text, 'latin1'));
    const [message] = await read();
    expect(message).toMatchObject({ entries: [{ counterparty: { name: 'Zoë' } }] });
  });

  test.each([[undefined], ['A person must look at it.']])(
    'survives kills at every step of its quarantine (%s)',
    async (reason) => {
      const kills = await killEverywhere(
        () => arrive('a.xml', report),
        async (fileSystem) => {
          const outcome = await openRail(fileSystem).readMessages(10);
          const [message] = outcome.kind === 'MESSAGES' ? outcome.messages : [];
          if (message) await openRail(fileSystem).acknowledge(message.reference, reason);
        },
        async () => {
          const rail = openRail();
          for (const { reference } of await read(rail)) await rail.acknowledge(reference, reason);
          expect(await names('incoming')).toEqual([]);
          const folder = reason === undefined ? 'processed' : 'quarantine';
          const remaining = (await names(folder)).filter((name) => !name.endsWith('.reason.txt'));
          expect(remaining).toEqual(['a.xml']);
        },
      );
      expect(kills).toBeGreaterThan(20);
    },
  );
});
