// Routes, jobs and due times

export { type PaymentJobs, paymentJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { paymentsDue } from './payments-due.ts';

// A payment: its attempts, shares, events and rails

export { partsOfShare } from './core/amount-parts.ts';
export { captureMethodOf, keptFacts } from './core/attempt-card.ts';
export { attemptLifecycle, isLive } from './core/attempt-lifecycle.ts';
export { type BankRails, bankRails } from './core/bank-rails.ts';
export { findOwnPayment } from './core/find-own-payment.ts';
export { type AttemptOrder, type CannotStart, whyNotStart } from './core/new-attempt.ts';
export {
  type Attempt,
  findAttempt,
  isAtProcessor,
  isPastExpiry,
  latestAttempt,
  noShare,
  type Payment,
  type TipChoices,
  totalPence,
} from './core/payment.ts';
export { statusDetailsOf } from './core/payment-events.ts';
export { openPayer, openRailState, sealRailState } from './core/rail-state.ts';
export { requestLifecycle } from './core/request-lifecycle.ts';
export {
  availablePence,
  findShare,
  outstandingPence,
  peopleMost,
  type ShareChoice,
  type ShareProblem,
  shareAmount,
  withoutOwnShare,
} from './core/split-bill.ts';
export { recordConsent, type Started, startAttempt } from './core/start-attempt.ts';
export { loadPayment } from './core/store/load-payment.ts';
export { type TopStatus, topStatus } from './core/top-status.ts';

// Requests

export { cancelPaymentRequest } from './requests/cancel-payment-request.ts';
export { endAttempt } from './requests/end-attempt.ts';
export { canExtend, extendTime } from './requests/extend-time.ts';
export { paymentUrl } from './requests/payment-addresses.ts';
export { idsOfShortCode } from './requests/short-code.ts';

// Paying by bank

export { type AskTools, askBank } from './bank/ask-bank.ts';
export { type Claim, claimExchange, claimSubmission } from './bank/claim-submission.ts';
export { recordSubmission } from './bank/record-submission.ts';

// Paying by card

export {
  type CardAttemptOrder,
  cardInstitution,
  newCardAttempt,
} from './card/attempts/new-card-attempt.ts';
export { recordCardPage, startCardAttempt } from './card/attempts/start-card-attempt.ts';
export { type ChargeSender, chargeSender } from './card/charges/send-charges.ts';
export { waitsForPayer } from './card/close-card-page.ts';
export { closeCardPages } from './card/close-card-pages.ts';
export { askCardProcessor } from './card/outcomes/ask-card-processor.ts';
export { findCardAttempt } from './card/outcomes/find-card-attempt.ts';
export { recordCardOutcome } from './card/outcomes/record-card-outcome.ts';
export { railRoutes } from './card/rail-routes.ts';
