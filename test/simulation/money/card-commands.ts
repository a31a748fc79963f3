import fc from 'fast-check';
import { at, command, mostlyCalm, text, weather } from './command.ts';
import { moveDispute } from './dispute-steps.ts';
import { leftPence, type Model, type ModelPayment } from './model.ts';
import { endAuthorisation, payByCard } from './payment-steps.ts';
import { answerCardRefund, refundAtProcessor } from './refund-steps.ts';
import { declinedEnding } from './scripted-processor.ts';

/** Charges, and what their processor does with them. */
export const cardCommands = () => ({
  ...{ paysByCard, endsAuthorisation, answersCardRefund, refundsAtProcessor, disputesPayment },
});

const pence = fc.bigInt({ min: 300n, max: 5_000n });

const paysByCard = fc
  .record({
    pence,
    isManual: fc.constantFrom(false, false, true),
    isDeclined: fc.constantFrom(false, false, false, true),
  })
  .chain((order) => mostlyCalm.map((storm) => ({ ...order, storm })))
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

/** Card payments of which something is left, also while refunds of ours are under way. */
const refundable = (model: Readonly<Model>): readonly ModelPayment[] =>
  model.payments.filter(
    (payment) =>
      payment.method === 'CARD' &&
      payment.status === 'COMPLETED' &&
      leftPence(model as Model, payment) > 0n,
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
