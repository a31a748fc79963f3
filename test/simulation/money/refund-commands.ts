import fc from 'fast-check';
import { settle } from './bank-steps.ts';
import { at, command, text, weather } from './command.ts';
import { leftPence, type Model, type ModelPayment, payablePence } from './model.ts';
import {
  cancelInRace,
  enterAccount,
  requestRefunds,
  requestUnprepared,
  setPaused,
} from './refund-steps.ts';

/** What merchants and customers do about refunds. */
export const refundCommands = () => ({
  ...{ requestsRefunds, cancelsRefund, cancelsNewRefund, entersAccount },
});

type Refundable = 'ANY' | 'COMPLETED' | 'CONTESTED' | 'UNSETTLED' | 'SHORT';

/** Also where a refund must be refused, or has to wait. */
const refundable = fc.constantFrom<Refundable>(
  ...(['ANY', 'COMPLETED', 'COMPLETED', 'CONTESTED', 'UNSETTLED', 'SHORT', 'SHORT'] as const),
);

const isRefundable: Readonly<Record<Refundable, (model: Model, payment: ModelPayment) => boolean>> =
  {
    ANY: () => true,
    COMPLETED: (_, { status }) => status === 'COMPLETED',
    CONTESTED: (_, { status, dispute }) => status === 'COMPLETED' && dispute !== null,
    UNSETTLED: (_, { status, isSettled }) => status === 'COMPLETED' && !isSettled,
    /** Its account cannot pay all of it back now. */
    SHORT: (model, payment) =>
      payment.status === 'COMPLETED' &&
      payment.method === 'PAY_BY_BANK' &&
      payablePence(model, payment.account) < leftPence(model, payment),
  };

/** One of those meant; any completed one, or any at all, where there is none. */
const toRefund = (model: Model, of: Refundable, position: number): ModelPayment | undefined => {
  const among = ([of, 'COMPLETED', 'ANY'] as const)
    .map((each) => model.payments.filter((payment) => isRefundable[each](model, payment)))
    .find((payments) => payments.length > 0);
  return at(among ?? [], position);
};

const requestsRefunds = fc
  .record({
    position: fc.nat(50),
    of: refundable,
    parts: fc.array(fc.record({ percent: fc.integer({ min: 5, max: 110 }), fails: fc.nat(9) }), {
      minLength: 1,
      maxLength: 5,
    }),
    storm: weather,
  })
  .map(({ position, of, parts, storm }) =>
    command(
      `requestRefunds ${text({ position, of, parts, storm })}`,
      async (model, money) => {
        const payment = toRefund(model, of, position);
        if (!payment) return;
        const orders = parts.map(({ percent, fails }) => {
          const part = (payment.totalPence * BigInt(percent)) / 100n;
          return { pence: part < 100n ? 100n : part, fails: fails === 0 };
        });
        await requestRefunds(model, money, payment, orders, storm);
      },
      ({ payments }) => payments.length > 0,
    ),
  );

const cancelsRefund = fc
  .record({ position: fc.nat(50), unpauses: fc.boolean(), storm: weather })
  .map(({ position, unpauses, storm }) =>
    command(
      `cancelRefund ${text({ position, unpauses, storm })}`,
      async (model, money) => {
        const waiting = model.refunds.filter(({ step }) => step === 'WAITING');
        const open = model.refunds.filter(({ step }) => step !== 'ENDED');
        // One that was handed over, while the pause would let one that waits be cancelled.
        if (position % 3 === 0 && open.length > 0) await setPaused(model, money, true);
        const mostly = position % 3 === 0 ? open : waiting;
        const refund = at(mostly.length > 0 ? mostly : model.refunds, position);
        if (refund) await cancelInRace(model, money, refund, unpauses, storm);
      },
      ({ refunds }) => refunds.length > 0,
    ),
  );

/** With the hub paused a new refund waits, so that it can be cancelled. */
const cancelsNewRefund = fc
  .record({ position: fc.nat(50), unpauses: fc.boolean(), storm: weather })
  .map(({ position, unpauses, storm }) =>
    command(
      `cancelNewRefund ${text({ position, unpauses, storm })}`,
      async (model, money) => {
        await setPaused(model, money, true);
        await settle(model, money);
        const payment = toRefund(model, 'COMPLETED', position);
        if (!payment) return;
        const orders = [{ pence: 100n, fails: false }];
        // Some before any job has prepared them. A card refund does not wait for the hub.
        const isPrepared = position % 2 === 0 || payment.method === 'CARD';
        if (isPrepared) await requestRefunds(model, money, payment, orders, storm);
        else await requestUnprepared(model, money, payment, orders, storm);
        if (isPrepared) await settle(model, money);
        const made = model.refunds.at(-1);
        if (made?.step === 'WAITING')
          await cancelInRace(model, money, made, unpauses, storm, isPrepared);
      },
      ({ payments }) => payments.length > 0,
    ),
  );

const entersAccount = fc
  .record({ position: fc.nat(50), storm: weather })
  .map(({ position, storm }) =>
    command(
      `enterAccount ${text({ position, storm })}`,
      async (model, money) => {
        const refund = at(model.refunds.filter(needsAccount), position);
        if (refund) await enterAccount(money, refund, storm);
      },
      ({ refunds }) => refunds.some(needsAccount),
    ),
  );

const needsAccount = ({ waitsFor }: Readonly<Model>['refunds'][number]): boolean =>
  waitsFor === 'REFUND_ACCOUNT_NEEDED';
