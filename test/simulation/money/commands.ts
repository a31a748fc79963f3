import fc from 'fast-check';
import { bankCommands } from './bank-commands.ts';
import { settle } from './bank-steps.ts';
import { at, type Command, command, text, weather } from './command.ts';
import { moveDispute } from './dispute-steps.ts';
import { leftPence, type Model, type ModelPayment } from './model.ts';
import type { Money } from './open-money.ts';
import { endAuthorisation, moveAtBank, payByBank, payByCard } from './payment-steps.ts';
import {
  acceptRefund,
  answerCardRefund,
  cancelInRace,
  enterAccount,
  refundAtProcessor,
  requestOperation,
  requestRefunds,
  setPaused,
} from './refund-steps.ts';
import { declinedEnding } from './scripted-processor.ts';

const pence = fc.bigInt({ min: 300n, max: 5_000n });
const scripts = [
  'RCVD ACSP ACSC',
  'RCVD ACSP ACSC',
  'ACSC',
  'ACSC',
  'ACSC',
  'RCVD PDNG ACSP ACCC',
  'RCVD RJCT',
  'RCVD ACSP RJCT',
  'RCVD ACSP ACSC RJCT',
  'ACSC RJCT',
] as const;

const paysByBank = fc
  .record({
    pence,
    tipPence: fc.constantFrom(0n, 0n, 150n),
    people: fc.constantFrom(1, 1, 1, 2, 3) as fc.Arbitrary<1 | 2 | 3>,
    script: fc.constantFrom(...scripts).map((script) => script.split(' ')),
    showsPayer: fc.constantFrom(true, true, true, false),
    store: fc.constantFrom(0, 1, 2, 2),
    storm: weather,
  })
  .map((order) =>
    command(`payByBank ${text(order)}`, (_, money) => payByBank(money, order, order.storm)),
  );

const paysByCard = fc
  .record({ pence, isManual: fc.boolean(), isDeclined: fc.constantFrom(false, false, true) })
  .chain((order) => weather.map((storm) => ({ ...order, storm })))
  .map(({ pence: whole, isManual, isDeclined, storm }) => {
    const amount = (whole / 100n) * 100n + (isDeclined ? declinedEnding : 0n);
    return command(`payByCard ${text({ amount, isManual, storm })}`, (model, money) =>
      payByCard(model, money, amount, isManual, storm),
    );
  });

const endsAuthorisation = fc
  .record({
    position: fc.nat(50),
    wanted: fc.constantFrom(['capture'], ['cancel'], ['capture', 'cancel'], ['capture', 'capture']),
    storm: weather,
  })
  .map(({ position, wanted, storm }) =>
    command(
      `endAuthorisation ${text({ position, wanted, storm })}`,
      async (model, money) => {
        const payment = at(held(model), position);
        if (payment) await endAuthorisation(money, payment, wanted as ['capture'], storm);
      },
      (model) => held(model).length > 0,
    ),
  );

const held = ({ payments }: Readonly<Model>): readonly ModelPayment[] =>
  payments.filter(({ status }) => status === 'AUTHORIZED');

const byBank = ({ payments }: Readonly<Model>): readonly ModelPayment[] =>
  payments.filter(({ method }) => method === 'PAY_BY_BANK');

const movesAtBank = fc
  .record({ position: fc.nat(50), refunds: fc.boolean(), storm: weather })
  .map(({ position, refunds, storm }) =>
    command(
      `moveAtBank ${text({ position, refunds, storm })}`,
      async (model, money) => {
        const payment = at(canMove(model, money), position);
        if (!payment) return;
        const order = { pence: 100n, fails: false };
        const request = requestOperation(money, payment, order);
        const meanwhile = refunds && storm.kill === 0 ? [request] : [];
        const [outcome] = await moveAtBank(money, payment, storm, meanwhile);
        if (outcome?.kind === 'DONE')
          acceptRefund(model, payment, order, outcome.value as Parameters<typeof acceptRefund>[3]);
      },
      (model) => byBank(model).length > 0,
    ),
  );

/** Payments that the bank has more to say about; any, when there are none. */
const canMove = (model: Model, { bank }: Money): readonly ModelPayment[] => {
  const moving = byBank(model).filter(({ idempotencyId }) =>
    bank.payments.some(
      ({ endToEndId, script, reached }) =>
        endToEndId === idempotencyId && reached < script.length - 1,
    ),
  );
  return moving.length > 0 ? moving : byBank(model);
};

/** Mostly what can be refunded. */
const toRefund = ({ payments }: Model, position: number): ModelPayment | undefined => {
  const completed = payments.filter(({ status }) => status === 'COMPLETED');
  return at(position % 6 > 0 && completed.length > 0 ? completed : payments, position);
};

const requestsRefunds = fc
  .record({
    position: fc.nat(50),
    parts: fc.array(fc.record({ percent: fc.integer({ min: 5, max: 110 }), fails: fc.nat(9) }), {
      minLength: 1,
      maxLength: 5,
    }),
    storm: weather,
  })
  .map(({ position, parts, storm }) =>
    command(
      `requestRefunds ${text({ position, parts, storm })}`,
      async (model, money) => {
        const payment = toRefund(model, position);
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
        const payment = toRefund(model, position);
        if (!payment) return;
        await requestRefunds(model, money, payment, [{ pence: 100n, fails: false }], storm);
        // Some before any job has prepared them. A card refund does not wait for the hub.
        const isPrepared = position % 2 === 0 || payment.method === 'CARD';
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

const answersCardRefund = fc
  .record({ position: fc.nat(50), fails: fc.nat(3), storm: weather })
  .map(({ position, fails, storm }) =>
    command(
      `answerCardRefund ${text({ position, fails, storm })}`,
      async (model, money) => {
        const refund = at(model.refunds.filter(isAtProcessor), position);
        if (!refund) return;
        const mustFail = refund.status === 'COMPLETED' || fails === 0;
        await answerCardRefund(money, refund, mustFail ? 'FAILED' : 'COMPLETED', storm);
      },
      ({ refunds }) => refunds.some(isAtProcessor),
    ),
  );

const isAtProcessor = ({ payment, step, status }: Readonly<Model>['refunds'][number]): boolean =>
  payment.method === 'CARD' && (step === 'HANDED_OVER' || status === 'COMPLETED');

/** What is left of card payments that have no refund under way. */
const refundable = (model: Readonly<Model>): readonly ModelPayment[] =>
  model.payments.filter(
    (payment) =>
      payment.method === 'CARD' &&
      payment.status === 'COMPLETED' &&
      leftPence(model as Model, payment) > 0n &&
      !model.refunds.some((each) => each.payment === payment && each.step !== 'ENDED'),
  );

const refundsAtProcessor = fc
  .record({ position: fc.nat(50), percent: fc.integer({ min: 1, max: 100 }), storm: weather })
  .map(({ position, percent, storm }) =>
    command(
      `refundAtProcessor ${text({ position, percent, storm })}`,
      async (model, money) => {
        const payment = at(refundable(model), position);
        if (!payment) return;
        const part = (leftPence(model, payment) * BigInt(percent)) / 100n;
        await refundAtProcessor(money, payment, part > 0n ? part : 1n, storm);
      },
      (model) => refundable(model).length > 0,
    ),
  );

/** What can be contested, or is. */
const disputable = (model: Readonly<Model>): readonly ModelPayment[] =>
  model.payments.filter(
    (payment) =>
      payment.method === 'CARD' &&
      payment.status === 'COMPLETED' &&
      (payment.dispute
        ? payment.dispute.status === 'OPEN'
        : leftPence(model as Model, payment) > 0n),
  );

const disputesPayment = fc
  .record({ position: fc.nat(50), ending: fc.constantFrom('WON', 'LOST'), storm: weather })
  .map(({ position, ending, storm }) =>
    command(
      `disputePayment ${text({ position, ending, storm })}`,
      async (model, money) => {
        const payment = at(disputable(model), position);
        if (payment) await moveDispute(model, money, payment, ending as 'WON', storm);
      },
      (model) => disputable(model).length > 0,
    ),
  );

/** As many commands as asked for; what happens often stands there more than once. */
export const commands = (length: number): fc.Arbitrary<Command[]> => {
  const { answersTransfer, pauses, endsPeriod, movesClock, listsCredit, changesFees, races, lies } =
    bankCommands();
  return fc.array(
    fc.oneof(
      ...[paysByBank, paysByBank, paysByBank, paysByBank, paysByBank, paysByBank],
      ...[paysByCard, paysByCard, endsAuthorisation, endsPeriod, endsPeriod],
      ...[movesAtBank, movesAtBank, movesAtBank, movesAtBank],
      ...[requestsRefunds, requestsRefunds, requestsRefunds, cancelsRefund, cancelsNewRefund],
      ...[answersTransfer, answersTransfer, answersTransfer, answersCardRefund],
      ...[entersAccount, pauses, endsPeriod, movesClock],
      ...[listsCredit, listsCredit, changesFees, refundsAtProcessor],
      ...[
        disputesPayment,
        disputesPayment,
        disputesPayment,
        disputesPayment,
        races,
        races,
        races,
        races,
      ],
      ...[lies, lies, lies],
      ...[lies, lies, lies],
    ),
    { minLength: length, maxLength: length, size: 'max' },
  );
};
