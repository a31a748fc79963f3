import type { TransferSchedule } from './model.ts';

// What the hub does with a transfer. It is chosen, in this order, by a control call for its
// end-to-end id, by a word of its reference, by the creditor's account number, or by its amount.
export type Behaviour = {
  readonly name: string;
  readonly does: string;
  readonly schedule: TransferSchedule;
  readonly returned?: { readonly afterMs: number; readonly reason: string };
  readonly answers: 'once' | 'twice' | 'reversed' | 'late' | 'never' | 'for-batch';
  // A message before the answer that a careful client puts aside.
  readonly extraMessage?: 'unknown-order' | 'malformed';
  readonly showsEndToEndId: boolean;
  // What does not reach the creditor's account although the transfer settles.
  readonly lostPence: (amountPence: bigint) => bigint;
};

type MagicBehaviour = Behaviour & {
  readonly reference: string;
  readonly accountNumber: string;
  readonly amountPence: bigint;
};

const second = 1000;
const minute = 60 * second;

const lateAnswerMs = 10 * minute;

const received = { status: 'RCVD', afterMs: 0 } as const;
const settling = { status: 'ACSP', afterMs: 300 } as const;
const settled = { status: 'ACSC', afterMs: 2 * second } as const;

const usual: Omit<Behaviour, 'name' | 'does'> = {
  schedule: [received, settling, settled],
  answers: 'once',
  showsEndToEndId: true,
  lostPence: () => 0n,
};

const does = (
  name: string,
  what: string,
  difference: Partial<Omit<Behaviour, 'name' | 'does'>> = {},
): Behaviour => ({ ...usual, ...difference, name, does: what });

const rejectedWith = (reason: string): TransferSchedule => [
  received,
  { status: 'RJCT', afterMs: 300, reason },
];

const usualBehaviour = does(
  'accept',
  'The transfer settles: ACSP and debit at 0.3 s, ACSC and credit at 2 s.',
);

const rejections = [
  ...['AC01', 'AC03', 'AC04', 'AC06', 'AG01', 'AM02', 'AM04', 'AM05', 'BE01', 'DUPL'],
  ...['FOCR', 'FR01', 'MS03', 'NARR', 'RC01', 'RR04'],
].map((reason) =>
  does(`reject-${reason}`, `Rejected with ${reason} at 0.3 s; no money moves.`, {
    schedule: rejectedWith(reason),
  }),
);

const others: readonly Behaviour[] = [
  does('delay', 'PDNG at 0.3 s, ACSP and debit after 10 minutes, ACSC and credit 2 s later.', {
    schedule: [
      received,
      { status: 'PDNG', afterMs: 300 },
      { status: 'ACSP', afterMs: 10 * minute },
      { status: 'ACSC', afterMs: 10 * minute + 2 * second },
    ],
  }),
  does('pending', 'PDNG at 0.3 s and for ever; no money moves.', {
    schedule: [received, { status: 'PDNG', afterMs: 300 }],
  }),
  does(
    'reject-late',
    'ACSP and debit at 0.3 s, RJCT with MS03 and the money back after 2 minutes.',
    {
      schedule: [received, settling, { status: 'RJCT', afterMs: 2 * minute, reason: 'MS03' }],
    },
  ),
  does('return', 'Settles as usual; the money comes back after 2 minutes with AC04.', {
    returned: { afterMs: 2 * minute, reason: 'AC04' },
  }),
  does('answer-twice', 'Settles; every answer comes twice.', { answers: 'twice' }),
  does('answer-reversed', 'Settles; ACSC is delivered before ACSP.', { answers: 'reversed' }),
  does('answer-late', 'Settles; the answers are delivered 10 minutes late.', { answers: 'late' }),
  does('answer-never', 'Settles, but only the account report says so.', { answers: 'never' }),
  does('answer-for-unknown', 'Settles; before it an answer to a message that was never sent.', {
    extraMessage: 'unknown-order',
  }),
  does('answer-malformed', 'Settles; before it a file that is cut off in the middle.', {
    extraMessage: 'malformed',
  }),
  does('refuse-batch', 'The whole batch is rejected with FF01, in one status for all of it.', {
    schedule: rejectedWith('FF01'),
    answers: 'for-batch',
  }),
  does(
    'hide-id',
    'Settles; the account report does not carry the end-to-end id. Also for payments received.',
    { showsEndToEndId: false },
  ),
  does('credit-less', 'Settles, but the creditor’s account is credited one pound less.', {
    lostPence: () => 100n,
  }),
  does('lose-credit', 'Settles, but the money never reaches the creditor’s account.', {
    lostPence: (amountPence) => amountPence,
  }),
];

// References, accounts 90000001 … and amounts 9990.01 … in the order of this list.
export const behaviours: readonly MagicBehaviour[] = [usualBehaviour, ...rejections, ...others].map(
  (behaviour, at) => ({
    ...behaviour,
    reference: `SIM-${behaviour.name.replace(/^(answer-|reject-(?=[A-Z]))/, '').toUpperCase()}`,
    accountNumber: String(90_000_001 + at),
    amountPence: BigInt(999_001 + at),
  }),
);

export { lateAnswerMs, rejectedWith };

type Signs = {
  readonly ordered?: string | undefined;
  readonly reference: string;
  readonly accountNumber?: string;
  readonly amountPence: bigint;
};

export const findBehaviour = ({
  ordered,
  reference,
  accountNumber,
  amountPence,
}: Signs): Behaviour => {
  const words = reference.toUpperCase().split(/\s+/);
  return (
    behaviours.find(({ name }) => name === ordered) ??
    behaviours.find((one) => words.includes(one.reference)) ??
    behaviours.find((one) => one.accountNumber === accountNumber) ??
    behaviours.find((one) => one.amountPence === amountPence) ??
    usualBehaviour
  );
};
