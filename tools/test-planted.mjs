import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = 'test/simulation/vitest.config.ts';
// The same sequences each time: of twelve random ones, some win no dispute.
const [runs, seed] = ['12', '1'];

/** Each is a mistake in the product that the money model has to find. */
const mistakes = [
  {
    name: 'a refund is not counted against what was paid',
    path: 'service/src/modules/refunds/requests/store/insert-refund.ts',
    from: 'a.refunded_pence + a.refund_reserved_pence + disputed_pence(a.disputes)',
    to: 'a.refunded_pence - a.refunded_pence',
  },
  {
    name: 'the refund limit forgets disputes',
    path: 'service/src/modules/refunds/requests/store/insert-refund.ts',
    from: 'a.refund_reserved_pence + disputed_pence(a.disputes)',
    to: 'a.refund_reserved_pence',
  },
  {
    name: 'a payment that its bank reverses has no reversal entries',
    path: 'service/src/modules/payments/core/completed-postings.ts',
    from: "'PAYMENT_REVERSED', booked.map(reversed)",
    to: "'PAYMENT_REVERSED', booked.slice(booked.length).map(reversed)",
  },
  {
    name: 'a dispute that is won is not booked',
    path: 'service/src/modules/payments/card/outcomes/record-dispute.ts',
    from: 'if (moved < 0n)',
    to: 'if (moved < -(10n ** 18n))',
  },
];

const runModel = (folder) => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--config', config, '-t', 'sequences'];
  const env = { ...process.env, MODEL_RUNS: runs, MODEL_SEED: seed };
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
};

/** A copy of the sources of its own, so that no mistake is ever in the tree that is worked on. */
const copySources = () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-planted-'));
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const path of listed.stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const plant = (folder, { path, from, to }) => {
  const text = readFileSync(join(root, path), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path} does not have this once: ${from}`);
  writeFileSync(join(folder, path), text.replace(from, to));
};

const findMistakes = () => {
  const folder = copySources();
  try {
    if (runModel(folder).status !== 0)
      throw new Error('The model fails without a mistake: run npm run test:model first.');
    const missed = mistakes.filter((mistake) => {
      plant(folder, mistake);
      const { status, stdout } = runModel(folder);
      cpSync(join(root, mistake.path), join(folder, mistake.path));
      const isFound = status !== 0 && stdout.includes('sequences of 40 commands');
      process.stdout.write(`${isFound ? 'found ' : 'MISSED'}  ${mistake.name}\n`);
      return !isFound;
    });
    return missed.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

process.exit(findMistakes());
