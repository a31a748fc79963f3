import fc from 'fast-check';
import { answerTransfer, changeFees, endPeriod, lieAboutTransfer } from './bank-steps.ts';
import { at, command, text, weather } from './command.ts';
import { listCredit, takeBack } from './credit-steps.ts';
import type { Model, ModelPayment } from './model.ts';
import type { Money } from './open-money.ts';
import { type Race, race } from './race-steps.ts';
import { setPaused } from './refund-steps.ts';

/** What banks, hub, operator and clock do. */
export const bankCommands = () => ({
  ...{
    answersTransfer,
    pauses,
    endsPeriod,
    movesClock,
    listsCredit,
    takesBack,
    changesFees,
    races,
    lies,
  },
});

const answersTransfer = fc
  .record({
    position: fc.nat(50),
    choice: fc.nat(3),
    copies: fc.constantFrom(1, 1, 2) as fc.Arbitrary<1 | 2>,
    byStatement: fc.boolean(),
    isFollowedLate: fc.constantFrom(false, false, true),
    isAfterStranger: fc.constantFrom(false, false, false, true),
    storm: weather,
  })
  .map(({ position, choice, storm, ...how }) =>
    command(`answerTransfer ${text({ position, choice, how, storm })}`, async (model, money) => {
      const open = money.hub.transfers.filter(({ stage }) => stage === 'TAKEN');
      const settled = money.hub.transfers.filter(({ stage }) => stage === 'SETTLED');
      const transfer = at(open.length > 0 && choice > 0 ? open : settled, position);
      if (!transfer) return;
      const [usual, other] = money.hub.possible(transfer);
      const wanted = choice === 3 ? (other ?? usual) : usual;
      if (wanted) await answerTransfer(model, money, transfer, wanted, how, storm);
    }),
  );

const pauses = fc
  .constantFrom(true, false, false)
  .map((isPaused) =>
    command(`pause ${isPaused}`, (model, money) => setPaused(model, money, isPaused)),
  );

const endsPeriod = fc
  .record({
    stores: fc.constantFrom<'BY_CLOCK' | readonly number[]>('BY_CLOCK', [0], [2], [0, 2]),
    storm: weather,
  })
  .map(({ stores, storm }) =>
    command(`endPeriod ${text({ stores, storm })}`, (model, money) =>
      endPeriod(model, money, stores, storm),
    ),
  );

const movesClock = fc.integer({ min: 0, max: 600_000 }).map((milliseconds) =>
  command(`moveClock ${milliseconds}`, async (_, money) => {
    await money.move(milliseconds);
  }),
);

/** Payments that the account report may still say more about. */
const unlisted = ({ payments }: Readonly<Model>): readonly ModelPayment[] =>
  payments.filter(
    ({ method, listed, status }) =>
      method === 'PAY_BY_BANK' &&
      (listed === 'NOTHING' || (listed === 'CREDIT' && status === 'FAILED')),
  );

const listsCredit = fc
  .record({
    position: fc.nat(50),
    copies: fc.constantFrom(1, 1, 2) as fc.Arbitrary<1 | 2>,
    storm: weather,
  })
  .map(({ position, copies, storm }) =>
    command(
      `listCredit ${text({ position, copies, storm })}`,
      async (model, money) => {
        const payment = at(unlisted(model), position);
        if (payment) await listCredit(money, payment, copies, storm);
      },
      (model) => unlisted(model).length > 0,
    ),
  );

/** Payments whose money has arrived by the account report. */
const arrived = ({ payments }: Readonly<Model>): readonly ModelPayment[] =>
  payments.filter(
    ({ listed, isMatched, status }) => isMatched && listed === 'CREDIT' && status === 'COMPLETED',
  );

const takesBack = fc
  .record({
    position: fc.nat(50),
    copies: fc.constantFrom(1, 1, 2) as fc.Arbitrary<1 | 2>,
    storm: weather,
  })
  .map(({ position, copies, storm }) =>
    command(
      `takeBack ${text({ position, copies, storm })}`,
      async (model, money) => {
        const payment = at(arrived(model), position);
        if (payment) await takeBack(money, payment, copies, storm);
      },
      (model) => arrived(model).length > 0,
    ),
  );

const changesFees = fc
  .record({
    fixedPence: fc.constantFrom(0, 5, 20),
    basisPoints: fc.constantFrom(0, 25, 150),
  })
  .map(({ fixedPence, basisPoints }) =>
    command(`changeFees ${fixedPence} ${basisPoints}`, (model, money) =>
      changeFees(model, money, fixedPence, basisPoints),
    ),
  );

const lies = fc
  .record({
    position: fc.nat(50),
    choice: fc.nat(2),
    byPence: fc.bigInt({ min: 1n, max: 150n }),
    storm: weather,
  })
  .map(({ position, choice, byPence, storm }) =>
    command(
      `lie ${text({ position, choice, byPence, storm })}`,
      async (model, money) => {
        const transfer = at(money.hub.transfers, position);
        const said = transfer && at(money.hub.possibleLies(transfer), choice);
        if (said) await lieAboutTransfer(model, money, transfer, { said, byPence }, storm);
      },
      ({ refunds, payouts }) => refunds.length + payouts.length > 0,
    ),
  );

/** More often those that decide over money: hand over, fill and close. */
const worker = fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2, 2, 3, 4, 4, 4, 4, 5, 6, 7), {
  minLength: 1,
  maxLength: 7,
});
const workers = fc.array(worker, { minLength: 1, maxLength: 5 });

const races = fc
  .record({
    workers,
    position: fc.nat(50),
    percents: fc.array(fc.integer({ min: 5, max: 110 }), { maxLength: 2 }),
    moves: fc.option(fc.nat(50)),
    answers: fc.option(fc.nat(50)),
    endsPeriods: fc.constantFrom(true, true, false),
    unpauses: fc.constantFrom(true, true, false),
    storm: weather,
  })
  .map((drawn) =>
    command(`race ${text(drawn)}`, (model, money) =>
      race(model, money, raceOf(model, money, drawn), drawn.storm),
    ),
  );

type DrawnRace = {
  readonly position: number;
  readonly percents: readonly number[];
  readonly moves: number | null;
  readonly answers: number | null;
} & Pick<Race, 'workers' | 'endsPeriods' | 'unpauses'>;

const raceOf = (
  model: Model,
  { hub }: Money,
  { workers, position, percents, moves, answers, endsPeriods, unpauses }: DrawnRace,
): Race => {
  const byBank = model.payments.filter(({ method }) => method === 'PAY_BY_BANK');
  const refunded = at(
    byBank.filter(({ status }) => status === 'COMPLETED'),
    position,
  );
  const transfer = at(
    hub.transfers.filter(({ stage }) => stage === 'TAKEN' || stage === 'SETTLED'),
    answers ?? 0,
  );
  const wanted = transfer && at(hub.possible(transfer), position);
  const orders = percents.map((percent) => {
    const part = ((refunded?.totalPence ?? 0n) * BigInt(percent)) / 100n;
    return { pence: part < 100n ? 100n : part, fails: false };
  });
  return {
    ...{ workers, orders, endsPeriods, unpauses },
    refunded: orders.length > 0 ? refunded : undefined,
    moved: moves === null ? undefined : at(byBank, moves),
    answered: answers === null || !transfer || !wanted ? undefined : { transfer, wanted },
  };
};
