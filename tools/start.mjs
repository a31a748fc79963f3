import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installPackages } from './install-packages.mjs';
import { requireNode } from './require-node.mjs';
import { stopOnce, stopWithParent } from './stop-once.mjs';

requireNode();
stopOnce();
stopWithParent();
try {
  await installPackages('program');
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** In a process of its own: the compiler takes memory that a server would never release. */
const compileProgram = async (name) => {
  const compiler = fileURLToPath(new URL('compile-programs.ts', import.meta.url));
  const words = ['--import', 'tsx', compiler, name];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return stdout;
};

const [name = 'start'] = process.argv.slice(2);
const program = await compileProgram(name);
if (program.endsWith('.ts')) {
  process.execArgv.push('--import', 'tsx');
  (await import('tsx/esm/api')).register();
}
// It runs in this very process: signals, exit code and terminal are its own, with no process in
// between to lose them.
process.argv.splice(1, 2, program);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(program).href);
