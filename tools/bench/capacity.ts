import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { capacityPage, type Measured } from './setup/draw-capacity-page.ts';
import { openLifeSetup } from './setup/open-life-setup.ts';
import { liveTogether } from './setup/open-lives.ts';
import { recordCapacity } from './setup/recorded-capacity.ts';
import { growthOf, readTableSizes } from './setup/table-growth.ts';

// `npm run bench capacity [payments]`: writes docs/generated/CAPACITY.md. The bank is a stand-in.
const [payments = 5_000] = process.argv.slice(2).map(Number);
const warmUp = 150;
const atOnce = 24;
const quietMs = 8_000;
const page = new URL('../../docs/generated/CAPACITY.md', import.meta.url);

/** What the CPU of this machine is worth: the same on another one says how its figures compare. */
const signatureMs = (): number => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const signatures = 500;
  const from = process.cpuUsage();
  for (let made = 0; made < signatures; made += 1) sign('sha256', Buffer.from('yard'), privateKey);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000 / signatures;
};

const setup = await openLifeSetup(true);

/** Until each payment is settled and its webhooks are delivered, and nothing more is written. */
const settle = async (): Promise<void> => {
  const look = async () =>
    (await setup.query(lookSql)).rows[0] as { open: string; written: string };
  for (let before = '', now = await look(); now.open !== '0' || now.written !== before; ) {
    before = now.written;
    await sleep(quietMs);
    now = await look();
  }
};

const lookSql = `
  select (select count(*) from attempt where not is_settled)
      + (select count(*) from delivery where completed_at is null) as open,
    (select count(*) from event) + (select count(*) from webhook_attempt)
      + (select count(*) from transaction_word) as written`;

try {
  await setup.prepare();
  await liveTogether(setup.live, warmUp, atOnce);
  await settle();
  const sizes = await readTableSizes(setup.query);
  const [counts, cpu, startedAt] = [await setup.counts(), setup.cpu(), performance.now()];
  await liveTogether(setup.live, payments, atOnce);
  const seconds = (performance.now() - startedAt) / 1_000;
  await settle();
  const [cpuAfter, countsAfter] = [setup.cpu(), await setup.counts()];
  const calls = (all: Readonly<Record<string, number>>) =>
    Object.values(all).reduce((sum, count) => sum + count, 0);
  const measured: Measured = {
    payments,
    signatureMs: signatureMs(),
    perSecond: payments / seconds,
    serviceMs: ((cpuAfter.service - cpu.service) / payments) * 1_000,
    databaseMs: ((cpuAfter.database - cpu.database) / payments) * 1_000,
    commits: (countsAfter.commits - counts.commits) / payments,
    walBytes: (countsAfter.walBytes - counts.walBytes) / payments,
    calls: (calls(countsAfter.calls) - calls(counts.calls)) / payments,
    tables: growthOf(sizes, await readTableSizes(setup.query), payments),
  };
  await recordCapacity(measured);
  const text = capacityPage(measured);
  await writeFile(page, text);
  process.stdout.write(text);
} finally {
  await setup.close();
}
