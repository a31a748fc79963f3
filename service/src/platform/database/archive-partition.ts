import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

export type DetachedPartition = {
  readonly table: string;
  readonly partition: string;
  /** Blocks of the database that it takes. */
  readonly blocks: number;
};

// 1.6 MB of rows in one answer.
const blocksAtOnce = 200;
const digestShown = 16;

type Blocks = { table: string; partition: string; fromBlock: number; toBlock: number };

const readBlocks = statement<Blocks, { readonly row: string }>(
  'partition_read_detached',
  sql('table', 'partition', 'fromBlock', 'toBlock')`
   select r as row from read_detached_partition(:table, :partition, :fromBlock, :toBlock) r`,
  { mayTakeMinutes: true },
);

/**
 * Writes all rows of a partition as lines of JSON, compressed. The name of the file holds a digest of
 * the rows: the same rows written again, after a kill, are one file, and other rows, after a restore
 * to a moment, never replace one. Its content is on the disk when this answers.
 */
export const archivePartition = async (
  database: Database,
  folder: string,
  detached: DetachedPartition,
): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Workers in containers have the same number of a process.
  const unfinished = join(folder, `${detached.partition}.${randomUUID()}.unfinished`);
  const digest = createHash('sha256');
  const lines = async function* () {
    for (let fromBlock = 0; fromBlock < detached.blocks; fromBlock += blocksAtOnce) {
      const { table, partition } = detached;
      const blocks = { table, partition, fromBlock, toBlock: fromBlock + blocksAtOnce };
      const rows = await database.system(readBlocks, blocks);
      const text = rows.map(({ row }) => `${row}\n`).join('');
      digest.update(text);
      yield text;
    }
  };
  try {
    const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(lines()), createGzip(), file);
    const name = `${detached.partition}.${digest.digest('hex').slice(0, digestShown)}.jsonl.gz`;
    await rename(unfinished, join(folder, name));
    await flushFolder(folder);
  } finally {
    await rm(unfinished, { force: true });
  }
};

const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};
