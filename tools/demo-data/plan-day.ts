import { type Product, shopNames } from './shop-names.ts';

export type PlannedOrder = {
  readonly orderId: string;
  readonly kind: OrderKind;
  readonly hour: number;
  readonly notes: string;
  readonly pence: number;
  readonly tipPence: number;
  readonly bank: string;
  readonly card: string;
  /** Shares of a split bill; they add up to `pence`. */
  readonly shares: readonly number[];
  /** From 0 to less than 1: which of the stores, and which of the customers. */
  readonly store: number;
  readonly customer: number;
};

const refundWeights = { PART: 45, WHOLE: 35, FAILS: 10, WITHDRAWN: 10 } as const;

export type PlannedRefund = {
  readonly kind: keyof typeof refundWeights;
  readonly hour: number;
  /** From 0 to less than 1: which of the latest payments, and how much of it. */
  readonly payment: number;
  readonly portion: number;
};

export type PlannedDay = {
  readonly date: string;
  readonly orders: readonly PlannedOrder[];
  readonly refunds: readonly PlannedRefund[];
  /** The shop's receiver of webhooks answers 503 all day. */
  readonly isReceiverDown: boolean;
};

// Each is a stop of the clock, and a stop takes longer than an order.
const ordersAnHour = 12;

const sunday = 0.7;
const weekdayFactors = [sunday, 0.85, 0.85, 0.9, 1, 1.2, 1.5];
// January to December: quiet after Christmas and in August, busiest before Christmas.
const monthFactors = [0.75, 0.85, 0.95, 1, 1.05, 1, 0.95, 0.8, 1, 1.05, 1.25, 1.6];
const receiverDownOn = 14;
const ordersARefund = 14;

/** What happens on a day: the same for the same seed, date and number of payments. */
export const planDay = (seed: string, date: string, paymentsADay: number): PlannedDay => {
  const draw = drawFromSeed(`${seed} ${date}`);
  const count = countOrders(draw, date, paymentsADay);
  const hours = Array.from({ length: Math.max(1, Math.ceil(count / ordersAnHour)) }, () =>
    draw.oneOf(openingHours),
  );
  const orders = Array.from({ length: count }, (_, index) =>
    planOrder(
      draw,
      draw.oneOf(hours),
      `${date.replaceAll('-', '')}-${String(index + 1).padStart(3, '0')}`,
    ),
  );
  const refunds = orders
    .filter(() => draw.isOneIn(ordersARefund))
    .map(() => planRefund(draw, draw.oneOf(hours)));
  return { date, orders, refunds, isReceiverDown: new Date(date).getUTCDate() === receiverDownOn };
};

/** Rounded up or down by chance, so that a small number a day is right over many days. */
const countOrders = (draw: Draw, date: string, paymentsADay: number): number => {
  const day = new Date(date);
  const factor = (weekdayFactors[day.getUTCDay()] ?? 1) * (monthFactors[day.getUTCMonth()] ?? 1);
  return Math.floor(paymentsADay * factor * (0.8 + 0.4 * draw.share()) + draw.share());
};

const planOrder = (draw: Draw, hour: number, orderId: string): PlannedOrder => {
  const kind = draw.weighed(orderWeights);
  const { notes, pence } = fillBasket(draw);
  return {
    orderId,
    kind,
    hour,
    notes,
    pence,
    tipPence: tips.has(kind) && pence < 5_000 && draw.isOneIn(3) ? Math.ceil(pence / 50) * 5 : 0,
    bank: draw.oneOf(shopNames.banks),
    card: chooseCard(draw, kind),
    shares: kind.startsWith('SPLIT_') ? divide(pence, draw.whole(2, 4)) : [],
    store: draw.share(),
    customer: draw.share(),
  };
};

const tips: ReadonlySet<OrderKind> = new Set(['BANK_PAID', 'CARD_PAID']);

const fillBasket = (draw: Draw): { readonly notes: string; readonly pence: number } => {
  if (draw.isOneIn(25)) {
    const product: Product = draw.oneOf<Product>(shopNames.wholesale);
    return { notes: product.name, pence: product.pence };
  }
  const items: Product[] = Array.from({ length: draw.whole(1, 4) }, () =>
    draw.oneOf<Product>(shopNames.retail),
  );
  const [first, ...others] = items.map(({ name }) => name);
  // A note of a payment has at most thirty characters.
  const notes = others.length > 0 ? `${first} + ${others.length} more` : `${first}`;
  return { notes, pence: items.reduce((sum, { pence }) => sum + pence, 0) };
};

const chooseCard = (draw: Draw, kind: OrderKind): string => {
  if (kind === 'CARD_DECLINED') return draw.oneOf(shopNames.declinedCards);
  return special[kind] ?? draw.oneOf(shopNames.paidCards);
};

const special: Partial<Record<OrderKind, string>> = {
  CARD_ABANDONED: shopNames.challengedCard,
  DISPUTE_LOST: shopNames.disputeLostCard,
  DISPUTE_WON: shopNames.disputeWonCard,
  CARD_REFUND_FAILS: shopNames.refundFailsCard,
};

/** Into equal shares; the last has what is left over. */
const divide = (pence: number, payers: number): readonly number[] => {
  const count = Math.max(1, Math.min(payers, Math.floor(pence / 100)));
  const share = Math.floor(pence / count);
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? pence - share * (count - 1) : share,
  );
};

const planRefund = (draw: Draw, hour: number): PlannedRefund => ({
  kind: draw.weighed(refundWeights),
  hour,
  payment: draw.share(),
  portion: 0.2 + 0.6 * draw.share(),
});

export const openingHours = [8, 10, 12, 13, 15, 17, 19] as const;

/** How often each kind is among a thousand orders. */
export const orderWeights = {
  BANK_PAID: 500,
  CARD_PAID: 170,
  CARD_AUTOMATIC: 60,
  CARD_CAPTURED: 30,
  CARD_CAPTURED_BEFORE_EXPIRY: 20,
  CARD_RELEASED: 10,
  SPLIT_PAID: 30,
  SPLIT_UNFINISHED: 8,
  BANK_REJECTED: 30,
  BANK_DECLINED_BY_PAYER: 35,
  BANK_PENDING: 2,
  CARD_DECLINED: 40,
  CARD_ABANDONED: 8,
  DISPUTE_LOST: 4,
  DISPUTE_WON: 4,
  CARD_REFUND_FAILS: 4,
  EXPIRED: 25,
  CANCELLED: 20,
} as const;

export type OrderKind = keyof typeof orderWeights;

type Draw = {
  /** From 0 to less than 1. */
  readonly share: () => number;
  readonly isOneIn: (times: number) => boolean;
  /** Both ends included. */
  readonly whole: (from: number, to: number) => number;
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
  readonly weighed: <Name extends string>(weights: Readonly<Record<Name, number>>) => Name;
};

/** The same seed draws the same, on every machine: mulberry32 over a hash of the seed. */
const drawFromSeed = (seed: string): Draw => {
  let state = hash(seed);
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number) => from + Math.floor(share() * (to - from + 1));
  return {
    share,
    isOneIn: (times) => share() * times < 1,
    whole,
    oneOf: (items) => itemAt(items, whole(0, items.length - 1)),
    weighed: (weights) => weighed(weights, share()),
  };
};

const itemAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
};

const hash = (text: string): number => {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return value;
};

const weighed = <Name extends string>(
  weights: Readonly<Record<Name, number>>,
  share: number,
): Name => {
  const entries = Object.entries(weights) as [Name, number][];
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    if (left < weight) return name;
    left -= weight;
  }
  throw new Error('no weight is above nothing');
};
