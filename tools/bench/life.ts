import type { DatabaseCounts, StatementCost } from './setup/counted-postgres.ts';
import { inTurn } from './setup/in-turn.ts';
import { type LifeSetup, openLifeSetup } from './setup/open-life-setup.ts';
import { liveTogether } from './setup/open-lives.ts';

// `npm run bench life [payments] [24,64] [simulated|recorded]`
const numbers = process.argv.slice(2).filter((word) => /^[\d,]+$/.test(word));
const payments = Number(numbers[0] ?? 1_000);
const lanes = (numbers[1] ?? '24,64').split(',').map(Number);
const warmUp = Math.min(200, payments);
const shownStatements = 16;

const say = (line: string) => process.stdout.write(`${line}\n`);

const figure = (name: string, value: number, unit = ''): void => {
  say(`  ${name.padEnd(44)}${value.toFixed(2).padStart(10)} ${unit}`);
};

/** Warm, in a steady state: what the payments before still cost is what these will cost afterwards. */
const measure = async (setup: LifeSetup, atOnce: number, title: string): Promise<void> => {
  await liveTogether(setup.live, warmUp, atOnce);
  const [counts, simulated] = [await setup.counts(), await setup.simulatorCounts()];
  const [cpu, startedAt] = [setup.cpu(), performance.now()];
  await liveTogether(setup.live, payments, atOnce);
  const [seconds, cpuAfter] = [(performance.now() - startedAt) / 1_000, setup.cpu()];
  const [after, simulatedAfter] = [await setup.counts(), await setup.simulatorCounts()];
  const each = (to: number, from: number): number => (to - from) / payments;
  say(`${title}, ${payments} payments, ${atOnce} at once; each:`);
  const parts = Object.keys(cpu) as (keyof typeof cpu)[];
  const used = (part: keyof typeof cpu) => each(cpuAfter[part] ?? 0, cpu[part] ?? 0) * 1_000;
  figure('CPU service and database', used('service') + used('database'), 'ms');
  for (const part of parts) figure(`CPU ${part}`, used(part), 'ms');
  const spent = statementsBetween(counts, after);
  const sum = (name: keyof StatementCost) =>
    [...spent.values()].reduce((total, cost) => total + cost[name], 0) / payments;
  figure('statements', sum('calls'));
  figure('commits that write', each(after.commits, counts.commits));
  figure('rows', sum('rows'));
  figure('buffers', sum('buffers'));
  figure('write-ahead log', each(after.walBytes, counts.walBytes) / 1_024, 'kB');
  figure('rounds to the database', each(after.databaseRounds, counts.databaseRounds));
  figure('signatures made', each(after.signatures, counts.signatures));
  figure('signatures verified', each(after.verifications, counts.verifications));
  const calls = Object.entries(after.calls)
    .map(([name, count]) => [name, each(count, counts.calls[name] ?? 0)] as const)
    .filter(([, count]) => count >= 0.01)
    .sort(([, a], [, b]) => b - a);
  figure(
    'outbound calls',
    calls.reduce((total, [, count]) => total + count, 0),
  );
  for (const [name, count] of calls) figure(`  ${name}`, count);
  printStatements('statements of the product', spent);
  const ofSimulator = statementsBetween(simulated, simulatedAfter);
  printStatements('statements of the simulator', ofSimulator);
  say(`  payments a second: ${(payments / seconds).toFixed(1)}`);
};

const statementsBetween = (from: DatabaseCounts, to: DatabaseCounts) =>
  new Map(
    [...to.statements].map(([name, cost]) => {
      const before = from.statements.get(name);
      const less = (key: keyof StatementCost) => cost[key] - (before?.[key] ?? 0);
      return [
        name,
        {
          calls: less('calls'),
          ms: less('ms'),
          rows: less('rows'),
          buffers: less('buffers'),
          walBytes: less('walBytes'),
        },
      ] as const;
    }),
  );

const printStatements = (title: string, spent: ReadonlyMap<string, StatementCost>): void => {
  const dearest = [...spent]
    .filter(([, { calls }]) => calls > 0)
    .sort(([, a], [, b]) => b.ms - a.ms);
  const calls = dearest.reduce((sum, [, cost]) => sum + cost.calls, 0) / payments;
  const ms = dearest.reduce((sum, [, cost]) => sum + cost.ms, 0) / payments;
  say(
    `  ${title}: ${calls.toFixed(1)} calls, ${ms.toFixed(2)} ms by the clock; ` +
      `by name: calls, ms, buffers, bytes of log`,
  );
  for (const [name, cost] of dearest.slice(0, shownStatements)) {
    const each = (key: keyof StatementCost, digits: number, width: number) =>
      (cost[key] / payments).toFixed(digits).padStart(width);
    say(
      `    ${name.padEnd(60)}${each('calls', 2, 7)}${each('ms', 3, 8)}${each('buffers', 0, 6)}` +
        each('walBytes', 0, 7),
    );
  }
};

const run = async (isRecorded: boolean): Promise<void> => {
  const setup = await openLifeSetup(isRecorded);
  try {
    await setup.prepare();
    for (const atOnce of lanes)
      await inTurn(() => measure(setup, atOnce, isRecorded ? 'recorded bank' : 'simulated bank'));
  } finally {
    await setup.close();
  }
};

if (!process.argv.includes('recorded')) await run(false);
if (!process.argv.includes('simulated')) await run(true);
