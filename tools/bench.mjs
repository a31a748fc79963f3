import { spawnSync } from 'node:child_process';

// Benchmarks by name (bench/README.md); without one, creates.
const [name = 'create', ...rest] = process.argv.slice(2);
const run = spawnSync(process.execPath, ['--import', 'tsx', `tools/bench/${name}.ts`, ...rest], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
