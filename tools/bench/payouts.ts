import { seedPayouts } from './seed/seed-payments.ts';
import { openSearchSetup } from './setup/open-search-setup.ts';

// npm run bench payouts [payments] [folder]: seeds its own database, then calls the API over HTTP. With
// a folder the database is kept for the next run: ten million payments take long.
const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = 120;
const goalMs = 40;

type Request = readonly [name: string, path: string];

const measure = async (
  address: string,
  secret: string,
  [name, path]: Request,
): Promise<boolean> => {
  const latenciesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sentAt = performance.now();
    const reply = await fetch(`${address}${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    if (round >= 20) latenciesMs.push(performance.now() - sentAt);
  }
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  const [p50, p95] = [at(0.5), at(0.95)];
  process.stdout.write(
    `${name.padEnd(34)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms\n`,
  );
  return p95 <= goalMs;
};

const startedAt = performance.now();
const setup = await openSearchSetup(rows, process.argv[3]);
await seedPayouts(setup.url);
process.stdout.write(
  `${rows} payments seeded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
);
const address = await setup.listen();
const { secret } = setup.seeded;
const list = async (query: string) => {
  const reply = await fetch(`${address}/api/payouts?${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  return (await reply.json()) as {
    readonly totalCount: number;
    readonly data: readonly {
      readonly id: string;
      readonly reference: string;
      readonly amount: string;
    }[];
  };
};
const { data, totalCount } = await list('page=1&limit=20');
// Half of a day's payments are in one payout.
const [one] = data.toSorted((left, right) => Number(right.amount) - Number(left.amount));
if (!one) throw new Error('there are no payouts');
const lines = `/api/payouts/${one.id}/transactions`;
const reply = await fetch(`${address}${lines}`, { headers: { authorization: `Bearer ${secret}` } });
const { totalCount: count } = (await reply.json()) as { readonly totalCount: number };
process.stdout.write(`${totalCount} payouts, the largest of ${count} lines\n`);
const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const measured: readonly Request[] = [
  ['newest payouts', '/api/payouts'],
  ['oldest payouts', '/api/payouts?orderBy=ASC'],
  ['last page', `/api/payouts?page=${Math.ceil(totalCount / 20) - 1}`],
  ['status', '/api/payouts?status=SETTLED'],
  ['status that none has', '/api/payouts?status=FAILED'],
  ['a day', `/api/payouts?fromDate=${dayBefore(60)}&toDate=${dayBefore(60)}`],
  ['amount', `/api/payouts?search=${one.amount}`],
  ['beginning of a reference', `/api/payouts?search=${one.reference.slice(0, 7)}`],
  ['lines', lines],
  ['a hundred lines', `${lines}?limit=100`],
  [
    'a hundred lines, last page',
    `${lines}?limit=100&page=${Math.max(0, Math.floor(count / 100) - 1)}`,
  ],
];
/** A whole export, read as it comes: what it costs is its rows a second and what it holds in memory. */
const exportAll = async (what: 'payouts' | 'payments', query: string): Promise<void> => {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const reply = await fetch(`${address}/api/${what}/export?${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  let [bytes, lines, maxBytes, firstMs] = [0, 0, before, 0];
  for await (const piece of reply.body ?? []) {
    if (bytes === 0) firstMs = performance.now() - startedAt;
    bytes += piece.length;
    for (const byte of piece) lines += byte === 10 ? 1 : 0;
    maxBytes = Math.max(maxBytes, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(
    `export of ${what}, ${query}: ${lines - 1} rows, ${(bytes / 1e6).toFixed(0)} MB in ` +
      `${seconds.toFixed(1)} s (${Math.round(lines / seconds)} rows/s), first bytes after ` +
      `${firstMs.toFixed(0)} ms, memory at most ${((maxBytes - before) / 1e6).toFixed(0)} MB more\n`,
  );
};

let isFast = true;
for (const each of measured) isFast = (await measure(address, secret, each)) && isFast;
process.stdout.write(`goal p95 ${goalMs} ms: ${isFast ? 'reached' : 'missed'}\n`);
for (const what of ['payouts', 'payments'] as const)
  for (const [from, to] of [
    [dayBefore(60), dayBefore(60)],
    [dayBefore(90), dayBefore(60)],
  ])
    await exportAll(what, `fromDate=${from}&toDate=${to}`);
await setup.close();
