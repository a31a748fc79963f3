import { installPackages } from './install-packages.mjs';
import { requireNode } from './require-node.mjs';
import { stopOnce, stopWithParent } from './stop-once.mjs';

requireNode();
stopOnce();
stopWithParent();
try {
  await installPackages({ withTests: false });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// The program runs in this very process, as `node --import tsx` would run it: signals, exit code
// and terminal are its own, with no process in between to lose them.
process.execArgv.push('--import', 'tsx');
process.setSourceMapsEnabled(true);
const { register } = await import('tsx/esm/api');
register();
await import('../service/src/programs/start.ts');
