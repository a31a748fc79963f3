export { partsOfShare } from './amount-parts.ts';
export { type AskTools, askBank } from './ask-bank.ts';
export { attemptLifecycle, isLive } from './attempt-lifecycle.ts';
export { type BankRails, bankRails } from './bank-rails.ts';
export { cancelPaymentRequest } from './cancel-payment-request.ts';
export { askCardProcessor } from './cards/ask-card-processor.ts';
export { captureMethodOf, keptFacts } from './cards/attempt-card.ts';
export { waitsForPayer } from './cards/close-card-page.ts';
export { closeCardPages } from './cards/close-card-pages.ts';
export { findCardAttempt } from './cards/find-card-attempt.ts';
export {
  type CardAttemptOrder,
  cardInstitution,
  newCardAttempt,
} from './cards/new-card-attempt.ts';
export { recordCardOutcome } from './cards/record-card-outcome.ts';
export { type ChargeSender, chargeSender } from './cards/send-charges.ts';
export { recordCardPage, startCardAttempt } from './cards/start-card-attempt.ts';
export { type Claim, claimExchange, claimSubmission } from './claim-submission.ts';
export { endAttempt } from './end-attempt.ts';
export { canExtend, extendTime } from './extend-time.ts';
export { findOwnPayment } from './find-own-payment.ts';
export { type PaymentJobs, paymentJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { type AttemptOrder, type CannotStart, whyNotStart } from './new-attempt.ts';
export {
  type Attempt,
  isAtProcessor,
  isPastExpiry,
  latestAttempt,
  noShare,
  type Payment,
  type TipChoices,
  totalPence,
} from './payment.ts';
export { paymentUrl } from './payment-addresses.ts';
export { statusDetailsOf } from './payment-events.ts';
export { paymentsDue } from './payments-due.ts';
export { railRoutes } from './rail-routes.ts';
export { openPayer, openRailState, sealRailState } from './rail-state.ts';
export { recordSubmission } from './record-submission.ts';
export { requestLifecycle } from './request-lifecycle.ts';
export { idsOfShortCode } from './short-code.ts';
export {
  availablePence,
  findShare,
  outstandingPence,
  peopleMost,
  type ShareChoice,
  type ShareProblem,
  shareAmount,
  withoutOwnShare,
} from './split-bill.ts';
export { recordConsent, type Started, startAttempt } from './start-attempt.ts';
export { loadPayment } from './store/load-payment.ts';
export { type TopStatus, topStatus } from './top-status.ts';
