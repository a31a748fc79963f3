import fc from 'fast-check';
import { bankCommands } from './bank-commands.ts';
import { settle } from './bank-steps.ts';
import { cardCommands } from './card-commands.ts';
import { at, type Command, command, mostlyCalm, text, weather } from './command.ts';
import type { Model, ModelPayment } from './model.ts';
import type { Money } from './open-money.ts';
import { moveAtBank, payByBank } from './payment-steps.ts';
import { refundCommands } from './refund-commands.ts';
import { acceptRefund, requestOperation } from './refund-steps.ts';

const pence = fc.bigInt({ min: 300n, max: 5_000n });
const scripts = [
  'RCVD ACSP ACSC',
  'RCVD ACSP ACSC',
  'ACSC',
  'ACSC',
  'ACSC',
  'ACSP ACSC',
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
    storm: mostlyCalm,
  })
  .map((order) =>
    command(`payByBank ${text(order)}`, (_, money) => payByBank(money, order, order.storm)),
  );

/** Together more than one transfer may be. */
const paysMuch = fc
  .record({
    amounts: fc.array(fc.bigInt({ min: 40_000_000n, max: 100_000_000n }), {
      minLength: 2,
      maxLength: 3,
    }),
    store: fc.constantFrom(0, 2),
    storm: mostlyCalm,
  })
  .map(({ amounts, store, storm }) =>
    command(`payMuch ${text({ amounts, store, storm })}`, async (model, money) => {
      const order = { tipPence: 0n, people: 1, script: ['ACSC'], showsPayer: true } as const;
      for (const amount of amounts) {
        await payByBank(money, { ...order, pence: amount, store }, storm);
        // The first may be paid out before the next arrives.
        await settle(model, money);
      }
    }),
  );

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

/** As many commands as asked for, and how often each is drawn. */
export const commands = (length: number): fc.Arbitrary<Command[]> => {
  const [bank, card, refunds] = [bankCommands(), cardCommands(), refundCommands()];
  const drawn: readonly (readonly [times: number, arbitrary: fc.Arbitrary<Command>])[] = [
    [10, paysByBank],
    [1, paysMuch],
    [4, movesAtBank],
    [4, card.paysByCard],
    [1, card.endsAuthorisation],
    [5, card.disputesPayment],
    [2, card.refundsAtProcessor],
    [1, card.answersCardRefund],
    [7, refunds.requestsRefunds],
    [1, refunds.cancelsRefund],
    [1, refunds.cancelsNewRefund],
    [1, refunds.entersAccount],
    [4, bank.endsPeriod],
    [4, bank.answersTransfer],
    [3, bank.lies],
    [3, bank.listsCredit],
    [2, bank.takesBack],
    [1, bank.changesFees],
    [1, bank.pauses],
    [1, bank.movesClock],
    [9, bank.races],
  ];
  return fc.array(fc.oneof(...drawn.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
    ...{ minLength: length, maxLength: length, size: 'max' },
  });
};
