import { setTimeout as sleep } from 'node:timers/promises';
import { dashboardJobs } from '../../service/src/modules/dashboard/index.ts';
import { systemClock } from '../../service/src/platform/clock.ts';
import { signIn } from '../../test/harness/dashboard/sign-in.ts';
import { seedLedger } from './seed/seed-ledger.ts';
import { openSearchSetup } from './setup/open-search-setup.ts';

// npm run bench dashboard [payments] [folder]: what the payments list and the money page call, as a
// person who is signed in. With a folder the database is kept for the next run.
const payments = Number(process.argv[2] ?? 1_000_000);
const rounds = 60;
const maxMs = 15_000;
// A list opens in under a second in the browser: its calls get a fifth of that.
const listGoalMs = 200;
const moneyGoalMs = 300;

const dayBefore = (days: number): string =>
  new Date(systemClock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
const year = `from=${dayBefore(365)}&to=${dayBefore(0)}`;
const month = `from=${dayBefore(29)}&to=${dayBefore(0)}`;

type Call = { readonly path: string; readonly body?: object; readonly goalMs: number };

const list = (body: object, page = 0): Call => ({
  path: `/api/payments/transactions?page=${page}&size=50`,
  body,
  goalMs: listGoalMs,
});
const money = (path: string): Call => ({ path, goalMs: moneyGoalMs });

const calls: Readonly<Record<string, Call>> = {
  'list, first page': list({}),
  'list, page 100': list({}, 100),
  'list, failed': list({ status: ['FAILED'] }),
  'list, failed or cancelled cards': list({
    status: ['FAILED', 'CANCELLED'],
    paymentMethod: ['CARD'],
  }),
  'list, a rare word': list({ search: 'name4711' }),
  'list, a common word': list({ search: 'smith' }),
  'list, a common word, failed': list({ search: 'smith', status: ['FAILED'] }),
  'list, an amount': list({ search: '12.50' }),
  'money, a month': money(`/money?${month}`),
  'money, a year': money(`/money?${year}`),
  'money rows, sold in a month': money(`/money/rows?figure=SOLD&${month}`),
  'money rows, sold on a day': money(
    `/money/rows?figure=SOLD&from=${dayBefore(200)}&to=${dayBefore(200)}`,
  ),
  'money rows, due from the bank': money('/money/rows?figure=DUE_FROM_BANK'),
  'money rows, refunded in a year': money(`/money/rows?figure=REFUNDED&${year}`),
  'funnel, a month': money(`/funnel?${month}`),
  'funnel, a year': money(`/funnel?${year}`),
  'failures, a month': money(`/failures?${month}`),
  'failures, a year': money(`/failures?${year}`),
};

type Headers = Readonly<Record<string, string>>;

const send = async (prefix: string, headers: Headers, { path, body }: Call): Promise<number> => {
  const sent = body
    ? {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
    : { headers };
  const reply = await fetch(`${prefix}${path}`, sent);
  const text = await reply.text();
  if (reply.status !== 200 && reply.status !== 429) throw new Error(`${path}: ${text}`);
  return reply.status;
};

const measure = async (prefix: string, headers: Headers, call: Call) => {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  while (tookMs.length < rounds && performance.now() - startedAt < maxMs) {
    const sentAt = performance.now();
    // People have a rate limit of their own.
    if ((await send(prefix, headers, call)) === 429) await sleep(1_000);
    else tookMs.push(performance.now() - sentAt);
  }
  const firstMs = tookMs[0] ?? Number.NaN;
  tookMs.sort((one, other) => one - other);
  const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN;
  return { firstMs, p50Ms: at(0.5), p95Ms: at(0.95), count: tookMs.length };
};

const setup = await openSearchSetup(payments, process.argv[3]);
try {
  const merchantId = await seedLedger(setup.url);
  const addUp = dashboardJobs({ ...setup.tools, dashboardUrl: '' }).find(
    ({ name }) => name === 'addUpMoneyDays',
  );
  // Each round counts a bounded part; entries of a million payments take two.
  for (let round = 0; round < 3; round += 1) await addUp?.run();
  const origin = await setup.listen();
  const { headers } = await signIn(setup.tools, { merchantId, origin });
  const prefix = `${origin}/dashboard/api/merchants/${merchantId}/sandbox`;
  for (const [name, call] of Object.entries(calls)) {
    const { firstMs, p50Ms, p95Ms, count } = await measure(prefix, headers, call);
    const [first, p50, p95] = [firstMs, p50Ms, p95Ms].map((ms) => ms.toFixed(1).padStart(7));
    const mark = p95Ms <= call.goalMs ? '' : `  above ${call.goalMs}`;
    process.stdout.write(
      `${name.padEnd(32)} first ${first}  p50 ${p50}  p95 ${p95} ms  of ${count}${mark}\n`,
    );
    if (mark) process.exitCode = 1;
  }
} finally {
  await setup.close();
}
