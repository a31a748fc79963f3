import { type Known, openSearchSetup } from './open-search-setup.ts';

// npm run bench search [rows] [folder]: seeds a database of its own, then asks the API over HTTP. With a
// folder the database is kept there for the next time: ten million transactions take minutes.
const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = 200;
const goalMs = 40;

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const searches = ({
  id,
  customer,
  store,
}: Known): readonly (readonly [string, number, object])[] => [
  ['page 0', 0, {}],
  ['middle page', Math.floor(rows / 40), {}],
  ['last page', Math.ceil(rows / 20) - 1, {}],
  ['one day', 0, { fromDate: dayBefore(300), toDate: dayBefore(300) }],
  ['a year', 0, { fromDate: dayBefore(400), toDate: dayBefore(35) }],
  ['status FAILED', 0, { status: ['FAILED'] }],
  ['status PENDING (20 rows)', 0, { status: ['PENDING'] }],
  ['status, two, deep', Math.floor(rows / 800), { status: ['FAILED', 'CANCELLED'] }],
  ['paymentMethod CARD', 0, { paymentMethod: ['CARD'] }],
  ['storeIds', 0, { storeIds: [store] }],
  ['atoaCustomerIds', 0, { atoaCustomerIds: [customer] }],
  ['text: order id', 0, { search: `ord-${Math.floor(rows / 2)}` }],
  ['text: payment request id', 0, { search: id }],
  ['text: beginning of the id', 0, { search: id.slice(0, 8) }],
  ['text: amount', 0, { search: '12.50' }],
  ['text: full name', 0, { search: 'grace name4711' }],
  ['text: rare name', 0, { search: 'name4711' }],
  ['text: common name (1 %)', 0, { search: 'smith' }],
  ['text: common name, page 100', 100, { search: 'smith' }],
  ['text: first name and PENDING', 0, { search: 'ada', status: ['PENDING'] }],
  [
    'text: all of them, one day',
    0,
    { search: 'ord', fromDate: dayBefore(9), toDate: dayBefore(9) },
  ],
  ['text: all of them, last page', Math.ceil(rows / 20) - 1, { search: 'ord' }],
  ['text: common name and FAILED', 0, { search: 'smith', status: ['FAILED'] }],
  ['text: two common names', 0, { search: 'ada smith' }],
  ['text: two common names, page 50', 50, { search: 'ada smith' }],
  ['text: three common words', 0, { search: 'ord grace jones' }],
  ['text: digits and a name', 0, { search: '12 ada' }],
  ['text: common name of a customer', 0, { search: 'ada', atoaCustomerIds: [customer] }],
  ['text: first name (6 %)', 0, { search: 'ada' }],
  ['text: all of them', 0, { search: 'ord' }],
];

const measure = async (address: string, page: number, body: object) => {
  const latenciesMs: number[] = [];
  let total = 0;
  const startedAt = performance.now();
  for (let round = 0; round < rounds && performance.now() - startedAt < 20_000; round += 1) {
    const sentAt = performance.now();
    const reply = await fetch(`${address}/api/payments/transactions?page=${page}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${known.secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { totalCount?: number };
    latenciesMs.push(performance.now() - sentAt);
    total = answer.totalCount ?? -1;
  }
  const firstMs = latenciesMs[0] ?? Number.NaN;
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), firstMs, total };
};

const setup = await openSearchSetup(rows, process.argv[3]);
const { known } = setup;
try {
  const address = await setup.listen();
  for (const [name, page, body] of searches(known)) {
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
