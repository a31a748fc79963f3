import { readFile, writeFile } from 'node:fs/promises';
import { systemClock } from '../../service/src/platform/clock.ts';

export type DrillName = keyof typeof drillTests;

/** What breaks, and the test that breaks it. */
export const drillTests = {
  'each program restarted in turn': 'test/crash/rolling-restart.long.test.ts',
  'two releases on one schema': 'test/crash/upgrade.long.test.ts',
  'PostgreSQL stopped for 30 s': 'test/crash/drills.long.test.ts',
  'disk of PostgreSQL full': 'test/crash/frozen-and-full.long.test.ts',
  'PostgreSQL frozen': 'test/crash/frozen-and-full.long.test.ts',
  'standby promoted': 'test/journeys/promoted-standby.long.test.ts',
  'PostgreSQL killed, then a machine, under Patroni': 'test/crash/patroni.long.test.ts',
  'synchronous standby gone': 'test/crash/frozen-and-full.long.test.ts',
  'all workers dead for 20 s': 'test/crash/drills.long.test.ts',
  'banks and card processor frozen': 'test/crash/drills.long.test.ts',
  'clock of one API ten minutes ahead': 'test/crash/drills.long.test.ts',
  'restore to a moment': 'test/crash/restore-to-a-moment.long.test.ts',
  'dump and restore as owner': 'test/journeys/backup.long.test.ts',
} as const;

export type Drill = {
  /** What callers were told is done. */
  readonly acknowledged: number;
  readonly lost: number;
  /** Calls that failed and, where callers repeat them for ten seconds, went on failing; null: not counted. */
  readonly errors: number | null;
  /** From when it was mended, or where nobody mends it, from when it broke. */
  readonly secondsToWell: number | null;
  /** Its expression was true of the numbers of a program; null: nobody has to do anything. */
  readonly alert: string | null;
};

export type RecordedDrill = Drill & {
  readonly name: DrillName;
  readonly on: string;
};

const record = new URL('../crash/recorded-drills.json', import.meta.url);

export const readDrills = async (): Promise<readonly RecordedDrill[]> =>
  JSON.parse(await readFile(record, 'utf8'));

/** With RECORD_DRILLS=1 the table of `docs/generated/DRILLS.md` gets what was seen. */
export const recordDrill = async (name: DrillName, drill: Drill): Promise<void> => {
  process.stdout.write(`${name}: ${JSON.stringify(drill)}\n`);
  if (process.env.RECORD_DRILLS !== '1') return;
  const on = systemClock.now().toISOString().slice(0, 10);
  const others = (await readDrills()).filter((each) => each.name !== name);
  const all = [...others, { name, ...drill, on }];
  const order = Object.keys(drillTests);
  all.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  await writeFile(record, `${JSON.stringify(all, null, 2)}\n`);
};
