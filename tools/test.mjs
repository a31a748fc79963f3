import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { requireNode } from './require-node.mjs';

requireNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'florin-report-'));
const report = join(folder, 'report.json');

const runVitest = (args) =>
  new Promise((resolve) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: 'inherit',
    });
    // Ctrl-C reaches vitest by itself; the count still comes last.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
    }
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });

/** A file that cannot be loaded holds no test that failed, and counts as one. */
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
  return { passed: results.numPassedTests, failed: failed + (isOtherwiseWrong ? 1 : 0) };
};

const finish = ({ passed, failed }) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
};

try {
  await installPackages({ withTests: true });
  finish(countTests(await runVitest(process.argv.slice(2))));
} catch (error) {
  console.error(error.message);
  finish({ passed: 0, failed: 1 });
}
