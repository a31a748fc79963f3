import { lifecycle } from '#kernel/lifecycle.ts';

/**
 * One attempt of one payer to pay (BANK-1, CARD-5). PENDING means: handed to the bank or to the
 * card processor. A charge of a saved card starts there, because no payer has to approve it.
 */
export const attemptLifecycle = lifecycle({
  name: 'payment attempt',
  initial: 'AWAITING_AUTHORIZATION',
  alsoStartsAt: ['PENDING'],
  states: ['AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED', 'COMPLETED', 'FAILED', 'CANCELLED'],
  edges: [
    { from: 'AWAITING_AUTHORIZATION', trigger: 'submitted', to: 'PENDING' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'declinedByPayer', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'superseded', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'abandoned', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'requestExpired', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'requestCancelled', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'refusedByBank', to: 'FAILED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'exchangeLost', to: 'FAILED' },
    { from: 'PENDING', trigger: 'accepted', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'rejected', to: 'FAILED' },
    // A reversal: the bank had accepted and rejects after all.
    { from: 'COMPLETED', trigger: 'reversed', to: 'FAILED' },
    // A card, on the processor's page or charged by us: only its outcome moves either.
    { from: 'AWAITING_AUTHORIZATION', trigger: 'paidAtProcessor', to: 'COMPLETED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'declinedAtProcessor', to: 'FAILED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'cancelledAtProcessor', to: 'CANCELLED' },
    { from: 'PENDING', trigger: 'paidAtProcessor', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'declinedAtProcessor', to: 'FAILED' },
    { from: 'PENDING', trigger: 'cancelledAtProcessor', to: 'CANCELLED' },
    { from: 'PENDING', trigger: 'authorised', to: 'AUTHORIZED' },
    { from: 'AUTHORIZED', trigger: 'captured', to: 'COMPLETED' },
    { from: 'AUTHORIZED', trigger: 'cancelledByMerchant', to: 'CANCELLED' },
    { from: 'AUTHORIZED', trigger: 'authorisationExpired', to: 'CANCELLED' },
  ],
});

export type AttemptStatus = (typeof attemptLifecycle.states)[number];
export type AttemptTrigger = (typeof attemptLifecycle.edges)[number]['trigger'];

/** States that only a card processor reports; the rest are a bank's or the payer's. */
export const cardTriggers = [
  'paidAtProcessor',
  'declinedAtProcessor',
  'cancelledAtProcessor',
  'authorised',
  'captured',
  'cancelledByMerchant',
  'authorisationExpired',
] as const satisfies readonly AttemptTrigger[];

export type CardTrigger = (typeof cardTriggers)[number];

/** The progress of the calls to the rail; the status is what the merchant sees. */
export type AttemptStep = BankStep | CardStep | 'ENDED';

type BankStep = 'AT_BANK' | 'EXCHANGING' | 'SUBMITTING' | 'SUBMITTED';

export type CardStep =
  /** The processor is called for a page. */
  | 'OPENING_PAGE'
  | 'AT_PROCESSOR'
  /** Sent, or about to be sent. */
  | 'CHARGING'
  /** The payer has to act at their bank. */
  | 'STEP_UP'
  | 'AUTHORISED'
  /** Committed before the processor is called; the merchant still reads AUTHORIZED. */
  | 'CAPTURING'
  | 'CANCELLING'
  /** Paid when nothing was to be paid any more: it will be returned, then is being returned. */
  | 'PAID_TOO_LATE'
  | 'REFUNDING_LATE';

export const isLive = (status: AttemptStatus): boolean =>
  status === 'AWAITING_AUTHORIZATION' || isSubmitted(status);

/** Money may be moving, or is held: no other attempt may have it too. */
export const isSubmitted = (status: AttemptStatus): boolean =>
  status === 'PENDING' || status === 'AUTHORIZED';

/** Its money is the merchant's. */
export const isPaid = ({ status }: { readonly status: AttemptStatus }): boolean =>
  status === 'COMPLETED';

/** Paid, held, or on its way; what failed or was cancelled counts for nothing (STATUS-4). */
export const isCounted = (attempt: { readonly status: AttemptStatus }): boolean =>
  isPaid(attempt) || isSubmitted(attempt.status);

/**
 * It reached the bank or the processor with the payer's approval. A page of the processor has no
 * time of submission: its outcome shows it.
 */
export const wasHandedOver = (attempt: {
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly status: AttemptStatus;
  readonly submittedAt: Date | null;
}): boolean =>
  attempt.submittedAt !== null ||
  isCounted(attempt) ||
  (attempt.method === 'CARD' && attempt.status === 'FAILED');

/** Ends that are no outcome: the start stayed unfinished, or what it would pay was paid. */
const endedWithoutOutcome: ReadonlySet<string | null> = new Set([
  'SUPERSEDED',
  'NOT_APPROVED_IN_TIME',
  'APPROVED_TOO_LATE',
  'SHARE_TAKEN',
  'REQUEST_EXPIRED',
  'REQUEST_CANCELLED',
]);

/** It had an outcome, or money is moving: only such attempts are tries (BANK-13). */
export const isTry = (attempt: {
  readonly status: AttemptStatus;
  readonly endedReason: string | null;
}): boolean => {
  if (attempt.status === 'CANCELLED') return !endedWithoutOutcome.has(attempt.endedReason);
  return attempt.status === 'FAILED' || isCounted(attempt);
};

/** What the merchant asked for (REQUEST-4). */
export const requestLifecycle = lifecycle({
  name: 'payment request',
  initial: 'OPEN',
  states: ['OPEN', 'PAID', 'EXPIRED', 'CANCELLED', 'CLOSED'],
  edges: [
    { from: 'OPEN', trigger: 'paid', to: 'PAID' },
    { from: 'OPEN', trigger: 'expired', to: 'EXPIRED' },
    { from: 'OPEN', trigger: 'cancelledByMerchant', to: 'CANCELLED' },
    // The only attempt of a charge has ended without the whole amount: it has no page for another.
    { from: 'OPEN', trigger: 'chargeEnded', to: 'CLOSED' },
    // The bank reversed the payment: the request waits for money again.
    { from: 'PAID', trigger: 'paymentReversed', to: 'OPEN' },
  ],
});

export type RequestStatus = (typeof requestLifecycle.states)[number];
export type RequestTrigger = (typeof requestLifecycle.edges)[number]['trigger'];

/** CARD-21. What a person sends is on its way until the processor shows it. */
export const answerLifecycle = lifecycle({
  name: 'dispute answer',
  initial: 'DRAFT',
  states: ['DRAFT', 'SUBMITTING', 'SUBMITTED', 'ACCEPTING', 'ACCEPTED'],
  edges: [
    { from: 'DRAFT', trigger: 'submitted', to: 'SUBMITTING' },
    { from: 'SUBMITTING', trigger: 'taken', to: 'SUBMITTED' },
    { from: 'SUBMITTING', trigger: 'refused', to: 'DRAFT' },
    // The bank only asked when it was sent, and takes the money now.
    { from: 'SUBMITTED', trigger: 'reopened', to: 'DRAFT' },
    { from: 'DRAFT', trigger: 'accepted', to: 'ACCEPTING' },
    { from: 'ACCEPTING', trigger: 'taken', to: 'ACCEPTED' },
    { from: 'ACCEPTING', trigger: 'refused', to: 'DRAFT' },
  ],
});

export type AnswerStatus = (typeof answerLifecycle.states)[number];
export type AnswerTrigger = (typeof answerLifecycle.edges)[number]['trigger'];
