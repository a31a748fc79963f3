import { inTurn } from './setup/in-turn.ts';
import { load, postText } from './setup/load.ts';
import { type Cpu, cpuOfEach, type MoneySetup, openMoneySetup } from './setup/open-money-setup.ts';

// One merchant has all the traffic, then a thousand have it, again and again in one run: other work on the
// machine hits both alike. The medians of the pairs are compared.
const merchants = 1_000;
const connections = 32;
const createPairs = 5;
const createSeconds = 4;
const paymentPairs = 3;
const paymentsOfRound = 120;
const goalShare = 0.95;

const say = (line: string) => process.stdout.write(`${line}\n`);

type Measured = { readonly perSecond: number; readonly cpu: Cpu };
type Measure = (setup: MoneySetup, secrets: readonly string[]) => Promise<Measured>;

const creates: Measure = async ({ product, cpu }, secrets) => {
  const before = cpu();
  const request = (count: number) =>
    postText(product.port, '/api/payments/process-payment', secrets[count % secrets.length] ?? '', {
      ...{ customerId: `customer-${count % 1_000}`, orderId: `order-${count}`, amount: 12.5 },
    });
  const taken = await load({ port: product.port, connections, seconds: createSeconds, request });
  if (taken.failures > 0) throw new Error(`${taken.failures} creates failed`);
  return { perSecond: taken.perSecond, cpu: cpuOfEach(before, cpu(), taken.requests) };
};

let refunds = 0;

/** Paid, settled, refunded, and the refund is with the bank; waiting for the bank does not count. */
const paymentsWithRefunds: Measure = async (setup, secrets) => {
  const { product, cpu, pay, until } = setup;
  const before = cpu();
  const startedAt = performance.now();
  const chosen = Array.from(
    { length: paymentsOfRound },
    (_, at) => secrets[at % secrets.length] ?? '',
  );
  const paid = await pay('BANK', chosen, 12.5);
  const paidMs = performance.now() - startedAt;
  await until("not exists (select from attempt where status = 'COMPLETED' and not is_settled)");
  const refundedAt = performance.now();
  const request = (count: number): string => {
    const { secret, paymentRequestId } = paid[count - 1] ?? { secret: '', paymentRequestId: '' };
    refunds += 1;
    return postText(
      product.port,
      '/api/refund',
      secret,
      { paymentRequestId, amount: 12.5 },
      `${refunds}`,
    );
  };
  const taken = await load({
    port: product.port,
    connections,
    seconds: 60,
    requests: paid.length,
    request,
  });
  if (taken.failures > 0) throw new Error(`${taken.failures} refunds failed`);
  await until(`not exists (select from refund where step = 'WAITING' and due_at is not null)
    and not exists (select from transfer_batch where status = 'OPEN')`);
  const busyMs = paidMs + performance.now() - refundedAt;
  await until('not exists (select from refund where due_at is not null)');
  return { perSecond: paid.length / (busyMs / 1_000), cpu: cpuOfEach(before, cpu(), paid.length) };
};

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const print = (title: string, all: readonly Measured[]): boolean =>
  say(
    `  ${title.padEnd(18)} ${median(all.map(({ perSecond }) => perSecond)).toFixed(1)}/s ` +
      `(${all.map(({ perSecond }) => perSecond.toFixed(0)).join(' ')}); CPU each: ` +
      `service ${Math.round(median(all.map(({ cpu }) => cpu.service)))} µs, ` +
      `database ${Math.round(median(all.map(({ cpu }) => cpu.database)))} µs`,
  );

/** The share of throughput that one merchant keeps. */
const compare = async (
  title: string,
  [setup, thousand]: readonly [MoneySetup, readonly string[]],
  pairs: number,
  measure: Measure,
): Promise<number> => {
  const one = thousand.slice(0, 1);
  await measure(setup, one);
  await measure(setup, thousand);
  await setup.analyze();
  const [ofOne, ofThousand]: [Measured[], Measured[]] = [[], []];
  for (let pair = 0; pair < pairs; pair += 1) {
    await inTurn(async () => {
      ofOne.push(await measure(setup, one));
      ofThousand.push(await measure(setup, thousand));
    });
  }
  const shares = ofOne.map(({ perSecond }, at) => perSecond / (ofThousand[at]?.perSecond ?? 0));
  const percent = (share: number): string => (share * 100).toFixed(0);
  say(
    `${title}: one merchant has ${percent(median(shares))} % of their throughput ` +
      `(pairs ${shares.map(percent).join(' ')})`,
  );
  print('one merchant', ofOne);
  print(`${merchants} merchants`, ofThousand);
  return median(shares);
};

const setup = await openMoneySetup();
try {
  const all = [setup, await setup.addMerchants(merchants)] as const;
  const shares = [
    await compare('creates', all, createPairs, creates),
    await compare('bank payments with refunds', all, paymentPairs, paymentsWithRefunds),
  ];
  const isReached = shares.every((share) => share >= goalShare);
  say(`goal ${goalShare * 100} %: ${isReached ? 'reached' : 'missed'}`);
  process.exitCode = isReached ? 0 : 1;
} finally {
  await setup.close();
}
