import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { systemClock } from '../../service/src/platform/clock.ts';
import { compareRecordings, describeDifference, readRecordings } from './compare-recordings.ts';
import { wireFolderSetting } from './normalise-reply.ts';

const usage = 'npm run test:wire record <folder> [test files], or compare <before> <after>';
const recorded = [
  'test/journeys',
  'test/contract',
  'service/src/modules',
  'service/src/programs',
  'service/src/platform/http',
];

const record = (folder: string, files: readonly string[]): number => {
  const run = systemClock.now().toISOString().replace(/\D/g, '');
  const chosen = files.length > 0 ? files : recorded;
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'tools/wire/vitest.config.ts',
      // Random inputs give other replies each time.
      '--exclude=**/fuzz/**',
      ...chosen,
    ],
    {
      stdio: 'inherit',
      env: { ...process.env, [wireFolderSetting]: join(resolve(folder), `run-${run}`) },
    },
  );
  return status ?? 1;
};

const compare = (before: string, after: string): number => {
  const { equal, differences, recombined, unsteady } = compareRecordings(
    readRecordings(before),
    readRecordings(after),
  );
  for (const difference of differences) console.log(describeDifference(difference));
  const lost = differences.reduce((sum, each) => sum + each.lost.size, 0);
  const added = differences.reduce((sum, each) => sum + each.added.size, 0);
  console.log(`${equal} replies equal, ${lost} lost, ${added} added`);
  console.log(`${recombined} recombined and ${unsteady} unsteady prove nothing`);
  return differences.length > 0 ? 1 : 0;
};

const [command, folder, ...rest] = process.argv.slice(2);
if (command === 'record' && folder) process.exitCode = record(folder, rest);
else if (command === 'compare' && folder && rest[0]) process.exitCode = compare(folder, rest[0]);
else {
  console.error(usage);
  process.exitCode = 2;
}
