import { callFlorin, type Florin } from './call-florin.ts';
import { type OperatorAccess, openShop, type Shop } from './open-shop.ts';
import { type PlannedDay, planDay } from './plan-day.ts';
import type { Request } from './read-request.ts';
import { type Paid, refundPayment } from './refund-payment.ts';
import { tradeOrder } from './trade-order.ts';

export type Filled = {
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly orders: ReadonlyMap<string, number>;
  readonly refunds: number;
  /** What the product refused, with how often. */
  readonly refused: ReadonlyMap<string, number>;
};

type Order = {
  readonly florin: Florin;
  readonly operator: OperatorAccess;
  readonly request: Request;
  readonly onDay: (done: number, date: string, orders: number) => void;
  /** Looked at before each day. */
  readonly isStopped: () => boolean;
};

const day = 86_400_000;
const hour = 3_600_000;
const atATime = 8;

/** Day after day from the day after the sandbox's own, which moves with it. */
export const fillSandbox = async (order: Order): Promise<Filled> => {
  const { florin, request } = order;
  const shop = await openShop(florin, order.operator);
  const first = startOf((await readSandboxTime(florin)).getTime() + day);
  const books = openBooks(shop, request.seed);
  let done = 0;
  try {
    while (done < request.days && !order.isStopped()) {
      const at = first + done * day;
      if (done % linkEveryDays === 0) await books.count(() => linkAccounts(florin));
      await books.trade(planDay(request.seed, dateOf(at), request.paymentsADay), at);
      done += 1;
      order.onDay(done, dateOf(at), books.orderCount());
    }
    await books.finish(first + done * day);
    // Read again, so that the statements show the latest payouts.
    await books.count(() => linkAccounts(florin));
  } finally {
    await shop.close();
  }
  const to = dateOf(first + Math.max(0, done - 1) * day);
  return { from: dateOf(first), to, days: done, ...books.filled() };
};

const hoursOf = ({ orders, refunds }: PlannedDay): readonly number[] =>
  [...new Set([...orders, ...refunds].map(({ hour: at }) => at))].sort((one, other) => one - other);

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const startOf = (at: number): number => Date.parse(dateOf(at));

const openBooks = (shop: Shop, run: string) => {
  const { florin, receiver } = shop;
  const orders = new Map<string, number>();
  const refused = new Map<string, number>();
  const paid: Paid[] = [];
  let later: (() => Promise<unknown>)[] = [];
  let refunds = 0;

  /** An order that is refused is counted, and the others go on. */
  const count = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const { message } = error as Error;
      const known = message.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
      refused.set(known, (refused.get(known) ?? 0) + 1);
      if (refused.size > maxKindsOfRefusal) throw error;
    }
  };

  const tradeHour = async (planned: PlannedDay, at: number): Promise<void> => {
    const due = later;
    later = [];
    await inTurns(due, (act) => count(act));
    const now = planned.orders.filter((each) => each.hour === at);
    await inTurns(now, (each) =>
      count(async () => {
        const traded = await tradeOrder(shop, each, run);
        orders.set(each.kind, (orders.get(each.kind) ?? 0) + 1);
        if (traded.paid) paid.push(traded.paid);
        if (traded.later) later.push(traded.later);
      }),
    );
    for (const refund of planned.refunds.filter((each) => each.hour === at))
      await count(async () => {
        if (await refundPayment(florin, paid, refund)) refunds += 1;
      });
  };

  return {
    count,
    trade: async (planned: PlannedDay, startsAt: number): Promise<void> => {
      receiver.setDown(planned.isReceiverDown);
      for (const at of hoursOf(planned)) {
        await walkClock(florin, new Date(startsAt + at * hour));
        await tradeHour(planned, at);
      }
    },
    /** What was left for later, and the rest of the last day. */
    finish: async (at: number): Promise<void> => {
      receiver.setDown(false);
      await inTurns(later, (act) => count(act));
      await walkClock(florin, new Date(at));
    },
    orderCount: () => [...orders.values()].reduce((sum, each) => sum + each, 0),
    filled: () => ({ orders, refunds, refused }),
  };
};

const maxKindsOfRefusal = 20;

/** A few at a time, as customers come. */
const inTurns = async <Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atATime }, next));
};

/** Forward only; all that falls due on the way happens at its own time. */
const walkClock = async (florin: Florin, to: Date): Promise<void> => {
  const now = await readSandboxTime(florin);
  let advanceMs = to.getTime() - now.getTime();
  while (advanceMs > 0) {
    const moved = await callFlorin(florin, 'POST', '/api/sandbox/clock', { body: { advanceMs } });
    advanceMs = moved.remainingMs;
  }
};

/** The merchant's time in the sandbox. */
export const readSandboxTime = async (florin: Florin): Promise<Date> => {
  const { now } = await callFlorin(florin, 'POST', '/api/sandbox/clock', {
    body: { advanceMs: 0 },
  });
  return new Date(now);
};

const redirectUrl = 'http://127.0.0.1/linked';
const links = [
  // The shop's own account, so that payouts are found on its statement.
  {
    institutionId: 'emberly-sandbox',
    account: { sortCode: '180002', accountNumber: '00000190' },
  },
  { institutionId: 'mock-sandbox-v1' },
  { institutionId: 'harbour-sandbox', outcome: 'CANCELLED' },
];

/** The bank accounts of the shop, one of a customer, and a link that the customer left. */
const linkAccounts = async (florin: Florin): Promise<void> => {
  for (const link of links) {
    const { accountAuthId } = await callFlorin(florin, 'POST', '/api/bank/auth/initiate', {
      body: { redirectUrl },
    });
    const path = `/api/sandbox/bank/auth/${accountAuthId}/link`;
    await callFlorin(florin, 'POST', path, { body: link });
  }
};

/** A bank's consent lasts ninety days. */
const linkEveryDays = 80;
