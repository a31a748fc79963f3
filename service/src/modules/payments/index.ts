// Routes, jobs and due times

export { eventRoutes, subscribeToBanks } from './bank/bank-events.ts';
export {
  abandonDueAt,
  alertDueAt,
  captureDueAt,
  expireDueAt,
  pollBankDueAt,
  pollCardDueAt,
  stuckPayments,
} from './core/store/claim-due.ts';
export { type PaymentJobs, paymentJobs, paymentsDue } from './jobs.ts';
export { type OperatorOutcome, recordOperatorOutcome } from './record-operator-outcome.ts';
export { merchantRoutes, operatorRoutes } from './routes.ts';

// A payment: its attempts, shares, events and rails

export { type BankRails, bankRails } from './core/bank-rails.ts';
export { isOfTill, statusDetailsOf, voidedSaleOf } from './core/emit-outcome.ts';
export { decryptPayer, decryptRailState, encryptRailState } from './core/encrypted-columns.ts';
export {
  type Attempt,
  type CardRefund,
  captureMethodOf,
  currentAttempt,
  decidingAttempt,
  findAttempt,
  isAtProcessor,
  isPastExpiry,
  latestAttempt,
  noShare,
  type Payment,
  requestedPence,
  savedCardFacts,
  type TipChoices,
  tipToPay,
  totalPence,
  waitsForPayer,
} from './core/payment.ts';
export {
  attemptLifecycle,
  isCounted,
  isLive,
  isPaid,
  isTry,
  requestLifecycle,
  wasHandedOver,
} from './core/payment-lifecycles.ts';
export {
  availablePence,
  findShare,
  outstandingPence,
  partsOfShare,
  restPence,
  type ShareChoice,
  type ShareProblem,
  shareAmount,
  withoutOwnShare,
} from './core/shares.ts';
export {
  type AttemptOrder,
  type CannotStart,
  newAttempt,
  recordConsent,
  type Started,
  startAttempt,
  whyNotStart,
  whyNotWhileSuspended,
} from './core/start-attempt.ts';
export { cardNotSaved } from './core/store/commit-change.ts';
export { findOwnPayment, loadPayment } from './core/store/load-payment.ts';
export { standingAttempt } from './core/supersede-unfinished.ts';
export { type TopStatus, topStatus } from './core/top-status.ts';

// Requests

export { cancelPaymentRequest, canExtend, endAttempt, extendTime } from './requests/end-request.ts';
export { idsOfShortCode, paymentAddresses, paymentUrl } from './requests/payment-addresses.ts';
export {
  checkRequest,
  createRequest,
  type Making,
  type RequestTools,
} from './requests/request-payment.ts';

// Paying by bank

export { type CreditEffect, reverseByDebit, settleByCredit } from './bank/outcomes.ts';
export { type PollTools, pollBank } from './bank/poll-bank.ts';
export { hurryPollOf } from './bank/store.ts';
export { type Claim, claimExchange, claimSubmission, recordSubmission } from './bank/submission.ts';

// Paying by card

export {
  type CardAttemptOrder,
  cardInstitution,
  newCardAttempt,
  recordCardPage,
  startCardAttempt,
} from './card/attempts.ts';
export { cancelWithCardPages, closeCardPages } from './card/card-pages.ts';
export { type ChargeSender, chargeSender } from './card/charges.ts';
export { recordCardOutcome } from './card/outcomes.ts';
export { pollCardProcessor } from './card/poll-card-processor.ts';
export { railRoutes } from './card/rail-routes.ts';
export { refundedAtProcessor } from './card/refunds-at-processor.ts';
export { countCardPayments, findCardAttempt } from './card/store/find-cards.ts';

// What a new master key encrypts again

export { encryptedColumns } from './core/encrypted-columns.ts';
