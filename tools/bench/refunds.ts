import { inTurn } from './setup/in-turn.ts';
import { load, postText } from './setup/load.ts';
import {
  type Cpu,
  cpuOfEach,
  type MoneySetup,
  openMoneySetup,
  type Paid,
} from './setup/open-money-setup.ts';

const connections = 16;
const maxSeconds = 120;
const rounds = 3;
const payments = 60;
const poundsOfPayment = 1_000;
const refundsOfRound = 600;
const createSeconds = 6;

type Method = 'BANK' | 'CARD';

const say = (line: string) => process.stdout.write(`${line}\n`);
const cpuText = ({ service, database }: Cpu): string =>
  `service ${Math.round(service)} µs, database ${Math.round(database)} µs`;

const measureCreates = async (setup: MoneySetup): Promise<void> => {
  const { product, cpu } = setup;
  await setup.forgetStatements();
  const before = cpu();
  const request = (count: number) =>
    postText(product.port, '/api/payments/process-payment', product.demo.sandboxSecret, {
      ...{ customerId: `customer-${count % 1_000}`, orderId: `order-${count}`, amount: 12.5 },
    });
  const taken = await load({ port: product.port, connections, seconds: createSeconds, request });
  const each = cpuOfEach(before, cpu(), taken.requests);
  say(
    `create ${Math.round(taken.perSecond)}/s, ${taken.failures} failed; CPU each: ${cpuText(each)}`,
  );
  for (const line of await setup.statementsOfEach(taken.requests)) say(line);
};

const noneWaits = `not exists (select from refund where step = 'WAITING' and due_at is not null)
  and not exists (select from transfer_batch where status = 'OPEN')`;
// Found by the index of what is due: to look through all of them would cost as they grow.
const allEnded = 'not exists (select from refund where due_at is not null)';

let sent = 0;

/** From the first request until the last refund is with the bank or the processor, and until all ended. */
const measureRefunds = async (
  setup: MoneySetup,
  method: Method,
  paid: readonly Paid[],
): Promise<number> => {
  const { product, cpu, until } = setup;
  await setup.forgetStatements();
  const [before, startedAt] = [cpu(), performance.now()];
  const request = (count: number): string => {
    const { secret, paymentRequestId } = paid[count % paid.length] ?? {
      secret: '',
      paymentRequestId: '',
    };
    sent += 1;
    return postText(
      product.port,
      '/api/refund',
      secret,
      { paymentRequestId, amount: 1 },
      `key-${sent}`,
    );
  };
  const order = { port: product.port, connections, seconds: maxSeconds, request };
  const taken = await load({ ...order, requests: refundsOfRound });
  await until(noneWaits);
  const handedOverPerSecond = taken.requests / ((performance.now() - startedAt) / 1_000);
  const handedOver = cpuOfEach(before, cpu(), taken.requests);
  await until(allEnded);
  const endedPerSecond = taken.requests / ((performance.now() - startedAt) / 1_000);
  say(
    `refunds (${method}) ${Math.round(handedOverPerSecond)}/s to handed over, ` +
      `${Math.round(endedPerSecond)}/s to COMPLETED; requested ${Math.round(taken.perSecond)}/s, ` +
      `p50 ${taken.p50Ms.toFixed(1)} ms, p99 ${taken.p99Ms.toFixed(1)} ms, ${taken.failures} failed; ` +
      `CPU each to handed over: ${cpuText(handedOver)}; ` +
      `to COMPLETED: ${cpuText(cpuOfEach(before, cpu(), taken.requests))}`,
  );
  for (const line of await setup.statementsOfEach(taken.requests)) say(line);
  return handedOverPerSecond;
};

const run = async (setup: MoneySetup, method: Method): Promise<number> => {
  const secrets = Array.from({ length: payments }, () => setup.product.demo.sandboxSecret);
  const paid = await setup.pay(method, secrets, poundsOfPayment);
  await setup.until(
    `not exists (select from attempt
       where status = 'COMPLETED' and not is_settled and method = 'PAY_BY_BANK')`,
  );
  await measureRefunds(setup, method, paid);
  await setup.analyze();
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(
      await inTurn(async () => {
        await measureCreates(setup);
        return measureRefunds(setup, method, paid);
      }),
    );
  }
  return measured.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
};

// `npm run bench refunds statements` also prints what the database runs for each refund.
const setup = await openMoneySetup(process.argv.includes('statements'));
try {
  const [bank, card] = [await run(setup, 'BANK'), await run(setup, 'CARD')];
  say(
    `median refunds to handed over: by bank ${Math.round(bank)}/s, by card ${Math.round(card)}/s`,
  );
} finally {
  await setup.close();
}
