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
// The same sequences each time. Some mistakes show in few of them: a race has to meet a short account.
const [runs, seed] = ['40', '1'];

/** Each is a mistake in the product that the money model has to find; A1 to A4 are faults as they were. */
const mistakes = [
  {
    name: 'a refund is not counted against what was paid',
    edits: [
      {
        path: 'service/src/modules/refunds/requests/store/is-left-sql.ts',
        from: 'a.refunded_pence + a.refund_reserved_pence + disputed_pence(a.disputes)',
        to: 'a.refunded_pence - a.refunded_pence',
      },
    ],
  },
  {
    name: 'the refund limit forgets disputes',
    edits: [
      {
        path: 'service/src/modules/refunds/requests/store/is-left-sql.ts',
        from: 'a.refund_reserved_pence + disputed_pence(a.disputes)',
        to: 'a.refund_reserved_pence',
      },
    ],
  },
  {
    name: 'a payment that its bank reverses has no reversal entries',
    edits: [
      {
        path: 'service/src/modules/payments/core/completed-postings.ts',
        from: "'PAYMENT_REVERSED', booked.map(reversed)",
        to: "'PAYMENT_REVERSED', booked.slice(booked.length).map(reversed)",
      },
    ],
  },
  {
    name: 'a dispute that is won is not booked',
    edits: [
      {
        path: 'service/src/modules/payments/card/outcomes/record-dispute.ts',
        from: 'if (moved < 0n)',
        to: 'if (moved < -(10n ** 18n))',
      },
    ],
  },
  {
    name: 'A1: a payout is closed while a refund that was handed over is no line of it yet',
    edits: [
      {
        path: 'service/src/modules/payouts/close-payout.ts',
        from: '  await fillPayouts(tools, tenant);\n',
        to: '',
      },
      {
        path: 'service/src/modules/payouts/store/commit-payout.ts',
        from: 'and not exists (select from loose where loose.account = p.sort_code || p.account_number)',
        to: '',
      },
    ],
  },
  {
    name: "A2: a refund takes another account's money",
    edits: [
      {
        path: 'service/src/modules/refunds/outgoing/store/outgoing.ts',
        from: 'as settlement_account,',
        to: "as own_account, 'all'::text as settlement_account,",
      },
      {
        path: 'service/src/modules/refunds/outgoing/hand-over.ts',
        from: 'new Map(payable.map(({ account, pence: left }) => [account, left]))',
        to: "new Map([['all', payable.reduce((sum, { pence: left }) => sum + left, 0n)]])",
      },
      {
        path: 'service/src/modules/refunds/core/store/commit-refunds.ts',
        from: '(select p.pence from payable p\n       where p.account = h.account)',
        to: '(select sum(p.pence) from payable p)',
      },
    ],
  },
  {
    name: 'A3: amounts of what the bank debits and returns are not looked at',
    edits: [
      {
        path: 'service/src/modules/transfers/read-bank-messages.ts',
        from: "entry.amountPence === ordered ? 'SETTLED' : null",
        to: "'SETTLED'",
      },
      {
        path: 'service/src/modules/transfers/book-differences.ts',
        from: 'let left = endToEndIds;',
        to: 'let left = endToEndIds.slice(endToEndIds.length);',
      },
    ],
  },
  {
    name: "A4: the bank's own balance is used nowhere",
    // The hub of the model keeps no balance: its sequences share the collecting account.
    foundBy: 'test/journeys/payouts/bank-balance.test.ts',
    edits: [
      {
        path: 'service/src/modules/transfers/reconcile-balances.ts',
        from: 'for (const row of rows) await',
        to: 'for (const row of rows.slice(rows.length)) await',
      },
    ],
  },
  {
    name: 'a refund is handed over before its payment has arrived',
    edits: [
      {
        path: 'service/src/modules/refunds/outgoing/store/outgoing.ts',
        from: 'a.is_settled or w.refunds_before_settlement as may_precede',
        to: 'true as may_precede',
      },
      {
        path: 'service/src/modules/refunds/core/store/commit-refunds.ts',
        from: 'and (a.is_settled or w.refunds_before_settlement)',
        to: '',
      },
    ],
  },
  {
    name: 'the lines of a payout that failed are lost',
    edits: [
      {
        path: 'service/src/modules/payouts/store/commit-payout.ts',
        from: "and l.state = 'CURRENT' and :releasesLines::boolean",
        to: "and l.state = 'CURRENT' and :releasesLines::boolean and false",
      },
    ],
  },
];

const sequences = `${runs} sequences of 40 commands`;

const run = (folder, words) => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, MODEL_RUNS: runs, MODEL_SEED: seed };
  const args = [vitest, 'run', ...words];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
};

const runModel = (folder) => run(folder, ['--config', config, '-t', 'sequences']);

const isFound = (folder, { foundBy }) => {
  const { status, stdout } = foundBy ? run(folder, [foundBy]) : runModel(folder);
  return status !== 0 && stdout.includes(foundBy ?? sequences);
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

/** The text of each file with its edits: each stands there once. */
const plant = (folder, edits) => {
  for (const { path, from, to } of edits) {
    const text = readFileSync(join(folder, path), 'utf8');
    if (text.split(from).length !== 2) throw new Error(`${path} does not have this once: ${from}`);
    writeFileSync(join(folder, path), text.replace(from, to));
  }
};

const mend = (folder, edits) => {
  for (const { path } of edits) cpSync(join(root, path), join(folder, path));
};

const findMistakes = () => {
  const folder = copySources();
  try {
    const journeys = mistakes.flatMap(({ foundBy }) => foundBy ?? []);
    if (runModel(folder).status !== 0 || run(folder, journeys).status !== 0)
      throw new Error('It fails without a mistake: run npm run test:model and the journeys first.');
    const missed = mistakes.filter((mistake) => {
      const startedAt = performance.now();
      plant(folder, mistake.edits);
      const wasFound = isFound(folder, mistake);
      mend(folder, mistake.edits);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      process.stdout.write(`${wasFound ? 'found ' : 'MISSED'}  ${mistake.name}, ${seconds} s\n`);
      return !wasFound;
    });
    return missed.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

process.exit(findMistakes());
