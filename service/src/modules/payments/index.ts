// Routes, jobs and due times

export { eventRoutes } from './bank/events/event-routes.ts';
export { subscribeToBanks } from './bank/events/subscribe-to-banks.ts';
export {
  abandonDueAt,
  alertDueAt,
  captureDueAt,
  expireDueAt,
  pollBankDueAt,
  pollCardDueAt,
} from './core/store/claim-due.ts';
export { stuckPayments } from './core/store/stuck-payments.ts';
export { type PaymentJobs, paymentJobs } from './jobs.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { paymentsDue } from './payments-due.ts';
export { type OperatorOutcome, recordOperatorOutcome } from './record-operator-outcome.ts';

// A payment: its attempts, shares, events and rails

export { type CardRefund, captureMethodOf, savedCardFacts } from './core/attempt-card.ts';
export {
  attemptLifecycle,
  isCounted,
  isLive,
  isPaid,
  isTry,
  wasHandedOver,
} from './core/attempt-lifecycle.ts';
export { type BankRails, bankRails } from './core/bank-rails.ts';
export { findOwnPayment } from './core/find-own-payment.ts';
export {
  availablePence,
  findShare,
  outstandingPence,
  restPence,
  type ShareChoice,
  type ShareProblem,
  shareAmount,
  withoutOwnShare,
} from './core/find-share.ts';
export {
  type AttemptOrder,
  type CannotStart,
  newAttempt,
  whyNotStart,
  whyNotWhileSuspended,
} from './core/new-attempt.ts';
export { openPayer, openRailState, sealRailState } from './core/open-rail-state.ts';
export { partsOfShare } from './core/parts-of-share.ts';
export {
  type Attempt,
  currentAttempt,
  decidingAttempt,
  findAttempt,
  isAtProcessor,
  isPastExpiry,
  latestAttempt,
  noShare,
  type Payment,
  requestedPence,
  type TipChoices,
  tipToPay,
  totalPence,
  waitsForPayer,
} from './core/payment.ts';
export { requestLifecycle } from './core/request-lifecycle.ts';
export { isOfTill, voidedSaleOf } from './core/sale-body.ts';
export { recordConsent, type Started, startAttempt } from './core/start-attempt.ts';
export { statusDetailsOf } from './core/status-details-of.ts';
export { cardNotSaved } from './core/store/commit-change.ts';
export { loadPayment } from './core/store/load-payment.ts';
export { standingAttempt } from './core/supersede-unfinished.ts';
export { type TopStatus, topStatus } from './core/top-status.ts';

// Requests

export { cancelPaymentRequest } from './requests/cancel-payment-request.ts';
export { checkRequest, type Making } from './requests/check-request.ts';
export { endAttempt } from './requests/end-attempt.ts';
export { canExtend, extendTime } from './requests/extend-time.ts';
export { paymentAddresses, paymentUrl } from './requests/payment-addresses.ts';
export { createRequest, type RequestTools } from './requests/request-payment.ts';
export { idsOfShortCode } from './requests/short-code.ts';

// Paying by bank

export { type Claim, claimExchange, claimSubmission } from './bank/claim-submission.ts';
export { type PollTools, pollBank } from './bank/poll-bank.ts';
export { recordSubmission } from './bank/record-submission.ts';
export { type CreditEffect, settleByCredit } from './bank/settle-by-credit.ts';

// Paying by card

export { cardInstitution } from './card/attempts/card-institution.ts';
export {
  type CardAttemptOrder,
  newCardAttempt,
} from './card/attempts/new-card-attempt.ts';
export { recordCardPage, startCardAttempt } from './card/attempts/start-card-attempt.ts';
export { cancelWithCardPages } from './card/cancel-with-card-pages.ts';
export { type ChargeSender, chargeSender } from './card/charges/charge-sender.ts';
export { closeCardPages } from './card/close-card-pages.ts';
export { findCardAttempt } from './card/outcomes/find-card-attempt.ts';
export { pollCardProcessor } from './card/outcomes/poll-card-processor.ts';
export { recordCardOutcome } from './card/outcomes/record-card-outcome.ts';
export { refundedAtProcessor } from './card/outcomes/record-refunds.ts';
export { railRoutes } from './card/rail-routes.ts';
export { countCardPayments } from './card/store/count-card-payments.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
