import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callFlorin, type Florin, Refusal } from './call-florin.ts';
import { type Filled, fillSandbox, readSandboxTime } from './fill-sandbox.ts';
import type { OperatorAccess } from './open-shop.ts';
import { type Request, readRequest } from './read-request.ts';
import { showProgress } from './show-progress.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

type Demo = {
  readonly apiUrl: string;
  readonly sandboxSecret: string;
  readonly merchantId: string;
  readonly dashboardUrl?: string;
};

/** `npm start` has written them; `FLORIN_DATA` says where, as it does there. */
const readDemo = async (): Promise<Demo> => {
  const file = join(process.env.FLORIN_DATA ?? '.florin', 'demo.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no ${file}. Start Florin first, in another terminal: npm start`);
  });
  return JSON.parse(text);
};

/** Only a sandbox has a clock that moves: a production secret is refused here, before any change. */
const requireSandbox = async (florin: Florin): Promise<Date> => {
  try {
    return await readSandboxTime(florin);
  } catch (error) {
    if (error instanceof Refusal && error.refusedAs === 'NO_ANSWER') throw error;
    throw new Error(
      `Demo data is made in a sandbox only, and this one cannot be used: ${(error as Error).message}`,
    );
  }
};

const describeStart = (request: Request, now: Date, url: string): string =>
  `Filling the sandbox at ${url} with ${request.days} days of trade, about ` +
  `${request.paymentsADay} payments a day, seed ${request.seed}.\n` +
  `The clock of a sandbox only goes forward: the days begin after its own, ` +
  `${now.toISOString().slice(0, 10)}.\n` +
  'They are added to what is there; stores, customers and cards of an earlier run are used again.';

const describeEnd = ({ orders, refunds, refused, from, to, days }: Filled, total: number): string =>
  [
    `Added ${total} orders and ${refunds} refunds from ${from} to ${to} (${days} days):`,
    ...[...orders]
      .sort(([, one], [, other]) => other - one)
      .map(([kind, count]) => `  ${String(count).padStart(6)}  ${words(kind)}`),
    ...[...refused].map(([message, count]) => `Refused ${count} times: ${message}`),
  ].join('\n');

const words = (kind: string): string => kind.toLowerCase().replaceAll('_', ' ');

const run = async (): Promise<void> => {
  const request = readRequest(process.argv.slice(2), () => randomBytes(4).toString('hex'));
  const { apiUrl: url, sandboxSecret: secret, merchantId, dashboardUrl } = await readDemo();
  const florin = { url, secret };
  await callFlorin(florin, 'GET', '/api/payments/stores', {}, 1);
  say(describeStart(request, await requireSandbox(florin), url));
  const progress = showProgress(process.stdout, request.days);
  const startedAt = performance.now();
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
  });
  const filled = await fillSandbox({
    florin,
    operator: { merchantId, withSecret: lendOperatorSecret },
    request,
    onDay: (done, date, orders) => {
      const minutes = ((performance.now() - startedAt) / done) * ((request.days - done) / 60_000);
      progress.at(done, `${date}, ${orders} orders, about ${Math.ceil(minutes)} min left`);
    },
    isStopped: () => isStopped,
  });
  progress.end();
  const total = [...filled.orders.values()].reduce((sum, each) => sum + each, 0);
  say(describeEnd(filled, total));
  if (total === 0) process.exitCode = 1;
  const left = request.days - filled.days;
  const { seed, paymentsADay } = request;
  if (left > 0)
    say(
      'Stopped. To go on: npm run demo-data -- ' +
        `--seed ${seed} --days ${left} --payments-a-day ${paymentsADay}`,
    );
  say(
    `The days are in the future of this machine: choose them in the dashboard at ${dashboardUrl}`,
  );
};

const runOperator = promisify(execFile);
const program = fileURLToPath(new URL('../../service/src/programs/operate.ts', import.meta.url));
const lentForMs = 600_000;

/** By the operator's own command, as docs/OPERATING.md shows it; both acts are in the audit records. */
const lendOperatorSecret: OperatorAccess['withSecret'] = async (use) => {
  const expires = new Date(Date.now() + lentForMs).toISOString();
  const made = await operate('create-operator-secret', 'Demo data', expires);
  const [, id = '', secret = ''] = /^Operator secret (\S+), .*\n\n(\S+)/.exec(made) ?? [];
  try {
    return await use(secret);
  } finally {
    await operate('revoke-operator-secret', id);
  }
};

const operate = async (...words: readonly string[]): Promise<string> =>
  (await runOperator(process.execPath, ['--import', 'tsx', program, ...words])).stdout;

run().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
