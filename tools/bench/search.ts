import { systemClock } from '../../service/src/platform/clock.ts';
import { openSearchSetup, type Seeded } from './setup/open-search-setup.ts';

// npm run bench search [rows] [folder]: seeds its own database, then calls the API over HTTP. With
// a folder the database is kept for the next run: ten million transactions take minutes.
const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = 200;
const goalMs = 40;

const dayBefore = (days: number): string =>
  new Date(systemClock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);

const aYear = { fromDate: dayBefore(400), toDate: dayBefore(35) };

const searches = ({
  id,
  customer,
  store,
}: Seeded): readonly (readonly [name: string, page: number, body: object])[] => [
  ['no text', 0, {}],
  ['no text, middle page', Math.floor(rows / 40), {}],
  ['no text, last page', Math.ceil(rows / 20) - 1, {}],
  ['no text, one day', 0, { fromDate: dayBefore(300), toDate: dayBefore(300) }],
  ['no text, a year', 0, aYear],
  ['status', 0, { status: ['FAILED'] }],
  ['status of 20 rows', 0, { status: ['PENDING'] }],
  ['two statuses, deep page', Math.floor(rows / 800), { status: ['FAILED', 'CANCELLED'] }],
  ['method', 0, { paymentMethod: ['CARD'] }],
  ['store', 0, { storeIds: [store] }],
  ['no text, totals', 0, { totals: true }],
  ['totals of a year and a status', 0, { ...aYear, status: ['FAILED'], totals: true }],
  ['totals of a common word', 0, { search: 'smith', totals: true }],
  ['oldest first', 0, { orderBy: 'OLDEST' }],
  ['largest first', 0, { orderBy: 'LARGEST' }],
  ['largest first, page 400', 400, { orderBy: 'LARGEST' }],
  ['smallest of a status', 0, { orderBy: 'SMALLEST', status: ['CANCELLED'] }],
  ['largest of a status of 20 rows', 0, { orderBy: 'LARGEST', status: ['PENDING'] }],
  ['largest of one day', 0, { orderBy: 'LARGEST', fromDate: dayBefore(9), toDate: dayBefore(9) }],
  ['largest of a year', 0, { orderBy: 'LARGEST', ...aYear }],
  ['largest by card', 0, { orderBy: 'LARGEST', paymentMethod: ['CARD'] }],
  ['largest of a rare name', 0, { orderBy: 'LARGEST', search: 'name4711' }],
  ['customer', 0, { atoaCustomerIds: [customer] }],
  ['customer and common word', 0, { search: 'ada', atoaCustomerIds: [customer] }],
  ['rare word: order id', 0, { search: `ord-${Math.floor(rows / 2)}` }],
  ['rare word: name', 0, { search: 'name4711' }],
  ['rare word: request id', 0, { search: id }],
  ['rare word: prefix of an id', 0, { search: id.slice(0, 8) }],
  ['rare word: amount', 0, { search: '12.50' }],
  ['rare and common word', 0, { search: 'grace name4711' }],
  ['rare word and status', 0, { search: 'name4711', status: ['FAILED'] }],
  ['common word (1 %)', 0, { search: 'smith' }],
  ['common word (6 %)', 0, { search: 'ada' }],
  ['common word (all)', 0, { search: 'ord' }],
  ['common word, page 400', 400, { search: 'smith' }],
  ['common word, one day', 0, { search: 'ord', fromDate: dayBefore(9), toDate: dayBefore(9) }],
  ['common word and status', 0, { search: 'smith', status: ['FAILED'] }],
  ['common word and rare status', 0, { search: 'ada', status: ['PENDING'] }],
  ['common word and method', 0, { search: 'smith', paymentMethod: ['CARD'] }],
  ['two common words', 0, { search: 'ada smith' }],
  ['two common words (6 %)', 0, { search: 'ord ada' }],
  ['two common words, page 20', 20, { search: 'ada smith' }],
  ['three common words', 0, { search: 'ord grace jones' }],
  ['digits and a common word', 0, { search: '12 ada' }],
  ['bank (90 %)', 0, { institutionIds: ['mock-sandbox-v1'] }],
  ['bank (10 %)', 0, { institutionIds: ['other-bank'] }],
  ['bank (0.2 %)', 0, { institutionIds: ['rare-bank'] }],
  ['bank that none has', 0, { institutionIds: ['no-bank'] }],
  ['bank and status', 0, { institutionIds: ['other-bank'], status: ['FAILED'] }],
  ['amounts (5 %)', 0, { minAmount: 190, maxAmount: 210 }],
  ['amounts (0.01 %)', 0, { minAmount: 200.98 }],
  ['one amount', 0, { minAmount: 12.5, maxAmount: 12.5 }],
  ['amounts and common word', 0, { search: 'smith', minAmount: 190 }],
  // Each is common, but no transaction has both: the worst case.
  ['common words never together', 0, { search: 'ada grace' }],
];

const measure = async (address: string, page: number, body: object) => {
  const latenciesMs: number[] = [];
  let total = '';
  const startedAt = performance.now();
  for (let round = 0; round < rounds && performance.now() - startedAt < 20_000; round += 1) {
    const sentAt = performance.now();
    const reply = await fetch(`${address}/api/payments/transactions?page=${page}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${seeded.secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { totalCount?: number; totalCountIsMinimum?: true };
    latenciesMs.push(performance.now() - sentAt);
    total = `${answer.totalCountIsMinimum ? 'at least ' : ''}${answer.totalCount}`;
  }
  const firstMs = latenciesMs[0] ?? Number.NaN;
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), firstMs, total };
};

const setup = await openSearchSetup(rows, process.argv[3]);
const { seeded } = setup;
try {
  const address = await setup.listen();
  for (const [name, page, body] of searches(seeded)) {
    const { p50Ms, p95Ms, firstMs, total } = await measure(address, page, body);
    const mark = p95Ms <= goalMs ? '' : `  above ${goalMs}`;
    const [first, p50, p95] = [firstMs, p50Ms, p95Ms].map((ms) => ms.toFixed(1).padStart(7));
    process.stdout.write(
      `${name.padEnd(30)} first ${first}  p50 ${p50}  p95 ${p95} ms  of ${total}${mark}\n`,
    );
  }
} finally {
  await setup.close();
}
