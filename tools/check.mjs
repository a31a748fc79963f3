import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { requireNode } from './require-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// Types are checked again only where they changed: the contract's cost seven seconds.
const types = '-p . --incremental --tsBuildInfoFile node_modules/.cache/florin.tsbuildinfo';

// The dashboard runs in a browser: its types are others.
const pageTypes =
  '-p web/dashboard --incremental --tsBuildInfoFile node_modules/.cache/florin-pages.tsbuildinfo';

const checks = [
  ['format and lint', 'biome', 'check --error-on-warnings .'],
  ['types', 'tsc', types],
  ['types of pages', 'tsc', pageTypes],
  ['dead code', 'knip', '--no-progress --cache'],
  ['imports and text', 'vitest', 'run --config tools/vitest.config.ts'],
];

const run = ([title, program, args]) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const path = fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url));
    const child = spawn(path, args.split(' '), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    const finish = (code) => {
      const isGreen = code === 0;
      if (!isGreen) console.log(`\n${said.trim()}\n`);
      console.log(`${isGreen ? 'ok  ' : 'FAIL'} ${title.padEnd(16)} ${seconds(startedAt)}`);
      resolve(isGreen);
    };
    child.on('error', (error) => {
      said += error.message;
      finish(1);
    });
    child.on('close', finish);
  });

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

requireNode();
try {
  await installPackages({ withTests: true });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const startedAt = performance.now();
const green = await Promise.all(checks.map(run));
console.log(`     ${'all'.padEnd(16)} ${seconds(startedAt)}`);
process.exitCode = green.every(Boolean) ? 0 : 1;
