import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { requireNode } from './require-node.mjs';

requireNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'florin-report-'));
const report = join(folder, 'report.json');
const output = createWriteStream(join(folder, 'output.txt'));

const [isLong, chosen] =
  process.argv[2] === '--long' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];

/** Test files with long permutations. */
const findLongTests = () =>
  ['service/src', 'simulator/src', 'test', 'tools', 'web'].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true })
      .map((path) => join(part, path))
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .filter(
        (path) =>
          path.endsWith('.long.test.ts') ||
          /isLongRun|longTest/.test(readFileSync(join(root, path), 'utf8')),
      ),
  );

// A larger young generation: four folders took 71 s and 119 s of CPU instead of 84 and 140.
const nodeOptions = ['--max-semi-space-size=64'];

const runVitest = (args) =>
  new Promise((resolve) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const child = spawn(process.execPath, [...nodeOptions, vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: ['inherit', 'pipe', 'pipe'],
      env: {
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
        ...(isLong && { TEST_LONG: '1' }),
        ...process.env,
      },
    });
    // All output of the run and the programs under test is shown, and stored for the check at the
    // end.
    for (const name of ['stdout', 'stderr']) {
      child[name].on('data', (chunk) => {
        output.write(chunk);
        process[name].write(chunk);
      });
    }
    // Ctrl-C reaches vitest by itself; the count still comes last.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
    }
    let late;
    child.on('error', () => resolve(1));
    // A program that outlived its test may hold the output open.
    child.on('exit', () => {
      late = setTimeout(() => [child.stdout, child.stderr].map((each) => each.destroy()), 2_000);
    });
    child.on('close', (code) => {
      clearTimeout(late);
      resolve(code ?? 1);
    });
  });

/** The output may hold no card number; the tests themselves checked what was stored. */
const readOutput = async () => {
  await new Promise((resolve) => output.end(resolve));
  const program = join(root, 'tools', 'find-card-numbers.ts');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, folder], {
      cwd: root,
      stdio: 'inherit',
    });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
};

/** A file that cannot be loaded has no failed test, and counts as one. */
const countTests = (exitCode) => {
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  const brokenFiles = results.testResults.filter(
    (file) =>
      file.status === 'failed' && file.assertionResults.every((one) => one.status !== 'failed'),
  );
  const failed = results.numFailedTests + brokenFiles.length;
  const isOtherwiseWrong = exitCode !== 0 && failed === 0;
  const leftOut = results.testResults
    .flatMap((file) => file.assertionResults)
    .filter((one) => one.status === 'todo')
    .map((one) => one.title);
  return { passed: results.numPassedTests, failed: failed + (isOtherwiseWrong ? 1 : 0), leftOut };
};

/** Output with a card number in it stays, so that it can be examined. */
const finish = ({ passed, failed, leftOut = [] }, savesOutput = false) => {
  if (!savesOutput) rmSync(folder, { recursive: true, force: true });
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  for (const sentence of leftOut) console.log(sentence);
  console.log(`${passed} passed, ${failed} failed`);
};

try {
  await installPackages('all');
  const files = isLong && chosen.length === 0 ? findLongTests() : chosen;
  const { passed, failed, leftOut } = countTests(await runVitest(files));
  const leaked = await readOutput();
  finish({ passed, failed: failed + leaked, leftOut }, leaked > 0);
} catch (error) {
  console.error(error.message);
  finish({ passed: 0, failed: 1 });
}
