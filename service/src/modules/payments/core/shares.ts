import { limits } from '@florin/contract';
import { addPence, noPence, type Pence, pence, poundsText, subtractPence } from '#kernel/pence.ts';
import { badField } from '#platform/http/error-reply.ts';
import {
  type AmountParts,
  type Attempt,
  completedPence,
  isHeldByBank,
  noShare,
  type Payment,
  waitsForPayer,
} from './payment.ts';
import { isCounted, isLive, isPaid } from './payment-lifecycles.ts';

/** The share of a split bill that one payer takes (SPLIT-1). */
export type ShareChoice =
  | { readonly kind: 'REST' }
  | { readonly kind: 'EQUAL'; readonly paysFor: number; readonly people: number }
  | { readonly kind: 'CUSTOM'; readonly amountPence: Pence };

const minSharePence = BigInt(limits.sharePenceMin);

export type ShareProblem = 'NOT_PEOPLE' | 'TOO_SMALL' | 'MORE_THAN_LEFT' | 'LEAVES_TOO_LITTLE';

type Share =
  | { readonly kind: 'SHARE'; readonly amountPence: Pence }
  | { readonly kind: 'PROBLEM'; readonly code: ShareProblem };

/** The amount of a share, or why it cannot be taken. */
export const findShare = (payment: Payment, choice: ShareChoice): Share => {
  const available = availablePence(payment);
  const wanted = wantedPence(payment, choice, available);
  if (wanted === null) return { kind: 'PROBLEM', code: 'NOT_PEOPLE' };
  const code = problemOf(wanted, pence(available - wanted));
  return code ? { kind: 'PROBLEM', code } : { kind: 'SHARE', amountPence: wanted };
};

const problemOf = (wanted: Pence, rest: Pence): ShareProblem | null => {
  if (wanted <= 0n) return 'TOO_SMALL';
  if (rest < 0n) return 'MORE_THAN_LEFT';
  if (rest > 0n && wanted < minSharePence) return 'TOO_SMALL';
  return rest > 0n && rest < minSharePence ? 'LEAVES_TOO_LITTLE' : null;
};

const wantedPence = (payment: Payment, choice: ShareChoice, available: Pence): Pence | null => {
  if (choice.kind === 'REST') return restPence(payment);
  if (choice.kind === 'CUSTOM') return choice.amountPence;
  const { paysFor, people } = choice;
  const isPossible =
    Number.isInteger(paysFor) && Number.isInteger(people) && paysFor >= 1 && paysFor <= people;
  if (!isPossible || people > limits.splitPeopleMax) return null;
  // Rounded up, so that equal shares never leave pence behind; the last payer takes the rest.
  const total = payment.amountPence * BigInt(paysFor);
  const share = pence((total + BigInt(people) - 1n) / BigInt(people));
  return share > available && share - available < BigInt(people) ? available : share;
};

/** The amount of a share, or a failure that names what is possible. */
export const shareAmount = (payment: Payment, choice: ShareChoice): Pence => {
  const share = findShare(payment, choice);
  if (share.kind === 'SHARE') return share.amountPence;
  const message = sentences[share.code].replace('{left}', poundsText(availablePence(payment)));
  throw badField('amount', message);
};

const minShare = poundsText(pence(minSharePence));

const sentences = {
  NOT_PEOPLE: `A bill is split among 1 to ${limits.splitPeopleMax} people.`,
  TOO_SMALL: `A share must be at least £${minShare}, or all that is left.`,
  MORE_THAN_LEFT: 'Only £{left} of this bill is left to pay.',
  LEAVES_TOO_LITTLE: `A share may not leave less than £${minShare} of the bill.`,
} as const satisfies Record<ShareProblem, string>;

/** The rest of the amount; tips are not part of it. */
export const outstandingPence = (payment: Payment): Pence =>
  subtractPence(payment.amountPence, completedPence(payment));

/** Paid, reserved by payers who have approved, or held by a bank. */
export const committedPence = (payment: Payment): Pence =>
  sumOf(payment.attempts.filter(isReserved));

/**
 * A share is reserved once its payer has approved it. One that waits for its payer blocks no other
 * (SPLIT-2).
 */
const isReserved = (attempt: Attempt): boolean =>
  isHeldByBank(attempt) ||
  (attempt.step === 'EXCHANGING' && attempt.shareId !== noShare) ||
  (isCounted(attempt) && !waitsForPayer(attempt));

const sumOf = (attempts: readonly Attempt[]): Pence =>
  attempts.reduce((sum, { amountPence }) => addPence(sum, amountPence), noPence);

/** What another payer can still take. */
export const availablePence = (payment: Payment): Pence =>
  subtractPence(payment.amountPence, committedPence(payment));

/** What is left for this attempt, whatever it has reserved itself. */
export const availableFor = (payment: Payment, { attemptId }: Attempt): Pence =>
  availablePence({
    ...payment,
    attempts: payment.attempts.filter((other) => other.attemptId !== attemptId),
  });

/**
 * What a payer takes who pays what is left: without what others are paying at this moment, as long as
 * that leaves a share for both.
 */
export const restPence = (payment: Payment): Pence => {
  const available = availablePence(payment);
  const waiting = payment.attempts.filter(({ status }) => isLive(status));
  const beingPaid = sumOf(waiting.filter((attempt) => !isReserved(attempt)));
  const isEnough = beingPaid >= minSharePence && available >= beingPaid + minSharePence;
  return isEnough ? subtractPence(available, beingPaid) : available;
};

/** The bill as one payer sees it: their own unfinished share is available to them again. */
export const withoutOwnShare = (payment: Payment, payerId: string | null): Payment => ({
  ...payment,
  attempts: payment.attempts.filter((attempt) => !isOwnUnfinished(attempt, payerId)),
});

/** A card page is closed at its processor first, so only a bank's consent is simply left unused. */
const isOwnUnfinished = (attempt: Attempt, payerId: string | null): boolean =>
  payerId !== null &&
  attempt.applicationUserId === payerId &&
  attempt.method === 'PAY_BY_BANK' &&
  attempt.status === 'AWAITING_AUTHORIZATION';

/** An existing payment, or an amount that may be paid next. */
type PaidShare = Pick<Attempt, 'amountPence'> & Partial<Pick<Attempt, 'status' | 'parts'>>;
type Bill = Pick<Payment, 'amountPence' | 'parts' | 'attempts'>;
type Part = keyof AmountParts;

/**
 * The tax and service charge of a share; a tip has neither. A paid share gets what all paid shares
 * have together less what the others show, so that a paid bill sums exactly.
 */
export const partsOfShare = (bill: Bill, share: PaidShare): AmountParts => {
  if (share.parts) return share.parts;
  if (share.amountPence === bill.amountPence) return bill.parts;
  const find = share.status === undefined || isLive(share.status) ? nextPart : proportionOf;
  return {
    taxPence: find(bill, 'taxPence', share.amountPence),
    servicePence: find(bill, 'servicePence', share.amountPence),
  };
};

const nextPart = (bill: Bill, part: Part, amountPence: Pence): Pence => {
  const together = proportionOf(bill, part, completedPence(bill) + amountPence);
  const shown = bill.attempts
    .filter(isPaid)
    .reduce((sum, { parts }) => sum + (parts?.[part] ?? 0n), 0n);
  return pence(together > shown ? together - shown : 0n);
};

/** Rounded half up. */
const proportionOf = (bill: Bill, part: Part, amountPence: bigint): Pence =>
  pence((2n * bill.parts[part] * amountPence + bill.amountPence) / (2n * bill.amountPence));
