import { eventRoutes } from './bank/bank-events.ts';
import { railRoutes } from './card/rail-routes.ts';
import { operatorCommands } from './commands.ts';
import { encryptedColumns } from './core/encrypted-columns.ts';
import {
  abandonDueAt,
  alertDueAt,
  captureDueAt,
  expireDueAt,
  pollBankDueAt,
  pollCardDueAt,
} from './core/store/claim-due.ts';
import { memberRoutes } from './dispute-answers/routes.ts';
import { answerDueAt } from './dispute-answers/store.ts';
import { jobsOfPayments, paymentsDue } from './jobs.ts';
import { merchantRoutes, operatorRoutes } from './routes.ts';

// What the programs mount

export const paymentsModule = {
  name: 'payments',
  migrations: ['0012_payments.sql'],
  routes: [merchantRoutes, memberRoutes],
  operatorRoutes: [operatorRoutes],
  railCalls: [railRoutes, eventRoutes],
  jobs: [jobsOfPayments],
  dueAt: {
    expirePaymentRequests: expireDueAt,
    alertOperator: alertDueAt,
    closeAbandonedAttempts: abandonDueAt,
    pollBanks: pollBankDueAt,
    pollCardProcessors: pollCardDueAt,
    captureBeforeExpiry: captureDueAt,
    sendDisputeAnswers: answerDueAt,
  },
  dueSource: paymentsDue,
  operatorCommands,
  encryptedColumns,
};

// Routes, jobs and due times

export type { HurryRefresh } from './bank/bank-events.ts';
export { stuckPayments } from './core/store/claim-due.ts';
export { stuckAnswers } from './dispute-answers/store.ts';
export { type PaymentJobs, paymentJobs, paymentsDue } from './jobs.ts';
export type { OperatorOutcome } from './record-operator-outcome.ts';
export { merchantRoutes } from './routes.ts';

// A payment: its attempts, shares, events and rails

export { type BankRails, bankRails } from './core/bank-rails.ts';
export type { AttemptNote } from './core/change-payment.ts';
export { consumerIdOf, isOfTill, statusDetailsOf, voidedSaleOf } from './core/emit-outcome.ts';
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
  answerLifecycle,
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
  type CannotStart,
  type Started,
  shownError,
  whyNotBegin,
  whyNotStart,
  whyNotWhileSuspended,
} from './core/start-attempt.ts';
export { cardNotSaved } from './core/store/commit-change.ts';
export { findOwnPayment, loadPayment } from './core/store/load-payment.ts';
export { isAlternativeTo, standingAttempt } from './core/supersede-unfinished.ts';
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

export { type ConsentAnswer, newAttempt, startAttempt } from './bank/attempts.ts';
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
export { type Followed, followEventsSince } from './card/follow-events-since.ts';
export { recordCardOutcome } from './card/outcomes.ts';
export { pollCardProcessor } from './card/poll-card-processor.ts';
export type { FollowRefund } from './card/rail-routes.ts';
export { refundedAtProcessor } from './card/refunds-at-processor.ts';
export { countCardPayments, findCardAttempt } from './card/store/find-cards.ts';
