import { seedLedger } from './seed/seed-ledger.ts';
import { seedPayments } from './seed/seed-payments.ts';
import { type LifeSetup, openLifeSetup } from './setup/open-life-setup.ts';
import { liveTogether } from './setup/open-lives.ts';
import { addMerchants } from './setup/open-money-setup.ts';

// `npm run bench growth [payments behind] [merchants] [payments of a round]`: three products beside each
// other, measured in turns, since other work on the machine hits all alike. The bank is a stand-in.
const [behind = 1_000_000, merchants = 1_000, payments = 200] = process.argv.slice(2).map(Number);
const atOnce = 24;
const rounds = 3;
const flatWithin = 1.2;

const say = (line: string) => process.stdout.write(`${line}\n`);

type Part = 'service' | 'database' | 'buffers';

/** Of one payment: milliseconds of CPU, and pages of the database. */
const measure = async (setup: LifeSetup): Promise<Readonly<Record<Part, number>>> => {
  const [cpu, counts] = [setup.cpu(), await setup.counts()];
  await liveTogether(setup.live, payments, atOnce);
  const [cpuAfter, countsAfter] = [setup.cpu(), await setup.counts()];
  const pages = ({ statements }: typeof counts) =>
    [...statements.values()].reduce((sum, { buffers }) => sum + buffers, 0);
  const dearer = [...countsAfter.statements].map(([name, cost]) => {
    const before = counts.statements.get(name)?.buffers ?? 0;
    return [name, (cost.buffers - before) / payments] as const;
  });
  dearest.set(setup, new Map(dearer));
  return {
    service: ((cpuAfter.service - cpu.service) / payments) * 1_000,
    database: ((cpuAfter.database - cpu.database) / payments) * 1_000,
    buffers: (pages(countsAfter) - pages(counts)) / payments,
  };
};

const dearest = new Map<LifeSetup, ReadonlyMap<string, number>>();

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The seeded product has no foreign keys on its tables; the new one drops them too. */
const seed = async (setup: LifeSetup, rows: number): Promise<void> => {
  const { rows: found } = await setup.query(`select merchant_id as "merchantId",
    (select secret_id from florin.access_secret x where x.merchant_id = s.merchant_id limit 1)
      as "secretId",
    store_id as "storeId" from florin.store s where is_primary and environment = 'SANDBOX'`);
  const demo = found.find(({ merchantId }) => merchantId === setup.product.demo.merchantId);
  await seedPayments({ ...demo, url: setup.databaseUrl, rows });
  await seedLedger(setup.databaseUrl);
  await setup.query('analyze');
};

const setups: LifeSetup[] = [];
try {
  for (const rows of [1, 1, behind]) {
    const setup = await openLifeSetup(true);
    setups.push(setup);
    await setup.prepare();
    const startedAt = performance.now();
    await seed(setup, rows);
    say(`${rows} payments behind it: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
  const [few, spread, many] = setups;
  if (!few || !spread || !many) throw new Error('three products were opened');
  await spread.ofMerchants(
    await addMerchants(spread.product.folder, spread.databaseUrl, merchants),
  );
  for (const setup of setups) await liveTogether(setup.live, payments, atOnce);
  const measured = new Map(setups.map((setup) => [setup, [] as Record<Part, number>[]]));
  for (let round = 0; round < rounds; round += 1)
    for (const setup of setups) measured.get(setup)?.push(await measure(setup));
  let isFlat = true;
  const titles = [`${merchants} merchants`, `${behind} payments behind it`];
  [spread, many].forEach((setup, at) => {
    for (const part of ['service', 'database', 'buffers'] as const) {
      const of = (each: LifeSetup) => (measured.get(each) ?? []).map((figures) => figures[part]);
      const ratio = median(of(setup).map((value, round) => value / (of(few)[round] ?? 0)));
      isFlat &&= ratio <= flatWithin;
      say(
        `${titles[at]}, ${part}: ${median(of(few)).toFixed(1)} -> ${median(of(setup)).toFixed(1)}, ` +
          `median ratio ${ratio.toFixed(2)} (${of(setup)
            .map((value, round) => (value / (of(few)[round] ?? 0)).toFixed(2))
            .join(' ')})`,
      );
    }
    for (const [name, pages] of dearest.get(setup) ?? []) {
      const before = dearest.get(few)?.get(name) ?? 0;
      if (pages > before * flatWithin && pages > before + 5)
        say(`  ${name}: ${before.toFixed(0)} pages -> ${pages.toFixed(0)}`);
    }
  });
  say(`flat within ${Math.round((flatWithin - 1) * 100)} %: ${isFlat ? 'yes' : 'no'}`);
} finally {
  for (const setup of setups) await setup.close();
}
