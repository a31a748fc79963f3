import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { simulatorFolder } from '../../../service/src/programs/wiring/simulator-folder.ts';
import { openCountedPostgres } from './counted-postgres.ts';
import { cpuSeconds, findChild } from './cpu-seconds.ts';
import { liveTogether, openLives } from './open-lives.ts';
import { startProduct } from './product.ts';
import { openStandInBank } from './stand-in-bank.ts';

const learned = 8;
// Jobs that look every few seconds, too.
const learnedMs = 6_000;

export type LifeSetup = Awaited<ReturnType<typeof openLifeSetup>>;

/**
 * The product, its simulator and a receiver of its webhooks, with a database server for each of the two.
 * `recorded`: a stand-in takes the place of the simulated bank.
 */
export const openLifeSetup = async (isRecorded: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const trustFolder = join(folder, 'trust');
  const database = await openCountedPostgres('florin');
  const simulators = await openCountedPostgres('florin_simulator');
  const settings = {
    DATABASE_URL: database.url,
    SIMULATOR_DATABASE_URL: simulators.url,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...(isRecorded && { SIMULATOR_TRUST_FOLDER: trustFolder }),
  };
  const product = await startProduct(settings, database.server, true);
  const trust = join(simulatorFolder(product.folder), 'trust');
  const standIn = isRecorded ? await openStandInBank(trust, trustFolder) : null;
  const simulatorPid = findChild(product.pid, 'simulator/src/start.');
  const { live, ofMerchants, close } = await openLives(product, standIn);
  return {
    live,
    ofMerchants,
    product,
    databaseUrl: database.url,
    query: (text: string) => database.admin.query(text),
    /** The first payment against a stand-in is the one that it records. */
    prepare: async (): Promise<void> => {
      await live();
      if (standIn) await standIn.replay();
      const some = async () => {
        await liveTogether(live, learned, learned);
        await sleep(learnedMs);
      };
      await database.learnNames(() => simulators.learnNames(some));
    },
    counts: async () => ({ ...(await product.counts()), ...(await database.counts()) }),
    simulatorCounts: () => simulators.counts(),
    cpu: () => ({
      service: cpuSeconds(product.pid, false),
      database: database.cpuSeconds(),
      simulator: cpuSeconds(simulatorPid, false),
      "simulator's database": simulators.cpuSeconds(),
      ...(standIn && { 'stand-in bank': cpuSeconds(standIn.pid, false) }),
      'this program': cpuSeconds(process.pid, false),
    }),
    close: async () => {
      await product.stop();
      await close();
      standIn?.close();
      await Promise.all([database.close(), simulators.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
