import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { rememberGreen } from './remember-green.mjs';
import { requireNode } from './require-node.mjs';
import { runProgram } from './run-program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// Types are checked again only where they changed: the contract's cost seven seconds.
const typesOf = (project, memory) => [
  '-p',
  project,
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/${memory}.tsbuildinfo`,
];

const checks = [
  {
    title: 'format and lint',
    program: 'biome',
    args: [
      'check',
      '--error-on-warnings',
      '--files-ignore-unknown=true',
      '--no-errors-on-unmatched',
    ],
    reads: /\.([cm]?[jt]sx?|json|css|md|html)$/,
    isOfEachFile: true,
  },
  { title: 'types', program: 'tsc', args: typesOf('.', 'florin'), reads: /\.(tsx?|json)$/ },
  // The dashboard runs in a browser: its types are others.
  {
    title: 'types of pages',
    program: 'tsc',
    args: typesOf('web/dashboard', 'florin-pages'),
    reads: /^(web|contract)\/.*\.(tsx?|json|css)$|^tsconfig/,
  },
  {
    title: 'dead code',
    program: 'knip',
    args: ['--no-progress', '--cache'],
    reads: /\.([cm]?[jt]sx?|json|css|html)$/,
  },
  {
    title: 'rules of the house',
    program: 'vitest',
    args: ['run', '--config', 'tools/vitest.config.ts'],
    reads: /./,
  },
];

// More names than these do not fit in a command.
const maxNamedFiles = 500;

/** What is left to check: null for nothing. */
const argsLeft = (check, green) => {
  if (green.isGreen(check)) return null;
  if (!check.isOfEachFile) return check.args;
  const changed = green.listChanged(check);
  return [...check.args, ...(changed.length > maxNamedFiles ? ['.'] : changed)];
};

const run = (green) => async (check) => {
  const args = argsLeft(check, green);
  if (!args) {
    console.log(`ok   ${check.title.padEnd(18)} unchanged`);
    return true;
  }
  const startedAt = performance.now();
  const path = fileURLToPath(new URL(`../node_modules/.bin/${check.program}`, import.meta.url));
  const { isGreen, said } = await runProgram(path, args, { cwd: root });
  if (!isGreen) console.log(`\n${said}\n`);
  console.log(`${isGreen ? 'ok  ' : 'FAIL'} ${check.title.padEnd(18)} ${seconds(startedAt)}`);
  return isGreen;
};

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

requireNode();
try {
  await installPackages('all');
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const startedAt = performance.now();
const green = rememberGreen();
const results = await Promise.all(checks.map(run(green)));
green.save(checks.filter((_, index) => results[index]));
console.log(`     ${'all'.padEnd(18)} ${seconds(startedAt)}`);
process.exitCode = results.every(Boolean) ? 0 : 1;
