import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { addPence, noPence, type Pence, pence, poundsText, subtractPence } from '#kernel/money.ts';
import { isLive } from './attempt-lifecycle.ts';
import { completedPence, type Payment } from './payment.ts';

/** How much of a split bill one payer takes (decision 20). */
export type ShareChoice =
  | { readonly kind: 'REST' }
  | { readonly kind: 'EQUAL'; readonly paysFor: number; readonly people: number }
  | { readonly kind: 'CUSTOM'; readonly amountPence: Pence };

export const peopleMost = 20;
const smallestSharePence = 100n;

/** What is left to pay of the amount; tips are outside of it. */
export const outstandingPence = (payment: Payment): Pence =>
  subtractPence(payment.amountPence, completedPence(payment));

/** Paid, or held for payers who are at their bank. */
export const committedPence = (payment: Payment): Pence =>
  payment.attempts
    .filter(({ status }) => status === 'COMPLETED' || isLive(status))
    .reduce((sum, attempt) => addPence(sum, attempt.amountPence), noPence);

/** What another payer can still take. */
export const availablePence = (payment: Payment): Pence =>
  subtractPence(payment.amountPence, committedPence(payment));

/** The amount of a share, or a refusal that says what would be possible. */
export const shareAmount = (payment: Payment, choice: ShareChoice): Pence => {
  const available = availablePence(payment);
  const wanted = wantedPence(payment, choice, available);
  const rest = available - wanted;
  if (wanted <= 0n) refuse('A share must be more than nothing.');
  if (rest < 0n) refuse(`Only £${poundsText(available)} of this bill is left to pay.`);
  if (rest > 0n && rest < smallestSharePence)
    refuse('A share may not leave less than £1.00 of the bill.');
  if (wanted < smallestSharePence && rest > 0n) refuse('A share must be at least £1.00.');
  return wanted;
};

const wantedPence = (payment: Payment, choice: ShareChoice, available: Pence): Pence => {
  if (choice.kind === 'REST') return available;
  if (choice.kind === 'CUSTOM') return choice.amountPence;
  const { paysFor, people } = choice;
  const isPossible =
    Number.isInteger(paysFor) && Number.isInteger(people) && paysFor >= 1 && paysFor <= people;
  if (!isPossible || people > peopleMost)
    refuse(`A bill is split among 1 to ${peopleMost} people.`);
  // Rounded up, so that equal shares never leave pence behind; the last payer takes what is left.
  const total = payment.amountPence * BigInt(paysFor);
  const share = pence((total + BigInt(people) - 1n) / BigInt(people));
  return share > available && share - available < BigInt(people) ? available : share;
};

const refuse = (message: string): never => {
  throw new Failure(failures.badRequest, { message, errors: [{ field: 'amount', message }] });
};
