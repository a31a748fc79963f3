import { lastFourOfMagicCard, magicCardByKey, productOfMagicCard } from '../magic-card.ts';
import type {
  Attempt,
  Authentication,
  Dispute,
  IntentRecord,
  PaymentError,
  Refund,
} from '../model.ts';
import { evidenceNames } from '../rules/answer-dispute.ts';
import { type BalanceEntry, entriesOfDispute } from '../rules/balance.ts';
import { declineOf } from '../rules/decline-of.ts';
import { approvedAttempt } from '../rules/finish-payment.ts';
import { balanceEntryId } from '../rules/ids.ts';
import { type Rendered, renderCharge, seconds } from './render-charge.ts';

export const renderIntent = (intent: IntentRecord, pagesUrl: string): Rendered => {
  const approved = approvedAttempt(intent);
  const isCapturable = intent.status === 'requires_capture';
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    amount_capturable: isCapturable ? (approved?.amount ?? 0) : 0,
    amount_received: approved?.amountCaptured ?? 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt === null ? null : seconds(intent.canceledAt),
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: seconds(intent.createdAt),
    currency: intent.currency,
    customer: intent.customerId,
    description: intent.description,
    last_payment_error: intent.lastError && renderError(intent, intent.lastError),
    latest_charge: intent.attempts.at(-1)?.id ?? null,
    livemode: false,
    metadata: intent.metadata,
    next_action: intent.challenge && nextAction(intent, pagesUrl),
    on_behalf_of: null,
    payment_method: hasMethod(intent) ? intent.methodId : null,
    payment_method_options: { card: cardOptions(intent) },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: intent.receiptEmail,
    setup_future_usage: intent.setupFutureUsage,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statementDescriptorSuffix,
    status: intent.status,
    transfer_group: null,
  };
};

const hasMethod = (intent: IntentRecord): boolean => intent.status !== 'requires_payment_method';

const cardOptions = (intent: IntentRecord) => ({
  installments: null,
  mandate_options: null,
  network: null,
  request_three_d_secure: intent.requestThreeDs,
  ...(intent.setupCredentialUsage && { setup_credential_usage: intent.setupCredentialUsage }),
  ...(intent.storedCredentialUsage && { stored_credential_usage: intent.storedCredentialUsage }),
});

const challengeUrl = (intent: IntentRecord, pagesUrl: string): string =>
  `${pagesUrl}/challenge/${intent.challenge?.id}/${intent.id}`;

const nextAction = (intent: IntentRecord, pagesUrl: string) => ({
  type: 'redirect_to_url',
  redirect_to_url: {
    url: challengeUrl(intent, pagesUrl),
    return_url: intent.returnUrl,
  },
});

export const renderError = (intent: IntentRecord, error: PaymentError) => {
  const decline = error.declineCode === null ? undefined : declineOf(error.declineCode);
  return {
    type: decline ? 'card_error' : 'invalid_request_error',
    code: error.code,
    message: error.message,
    ...(error.attemptId && { charge: error.attemptId }),
    ...(decline && {
      decline_code: error.declineCode,
      network_decline_code: decline.networkCode,
      advice_code: decline.advice,
    }),
    ...(intent.methodId && {
      payment_method: { id: intent.methodId, object: 'payment_method', type: 'card' },
    }),
  };
};

export const renderAttempt = (intent: IntentRecord, attempt: Attempt): Rendered =>
  renderCharge(intent, attempt, cardDetails(intent, attempt));

const cardDetails = (intent: IntentRecord, attempt: Attempt) => {
  const row = magicCardByKey(attempt.card);
  const { authentication } = attempt;
  return {
    amount_authorized: attempt.declineCode === null ? attempt.amount : null,
    authorization_code: attempt.authorizationCode,
    brand: row.brand,
    ...(attempt.captureBefore && { capture_before: seconds(attempt.captureBefore) }),
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: row.country,
    description: productOfMagicCard(row),
    electronic_commerce_indicator: authentication?.eci ?? null,
    exp_month: attempt.expiryMonth,
    exp_year: attempt.expiryYear,
    fingerprint: attempt.fingerprint,
    funding: row.funding,
    installments: null,
    last4: lastFourOfMagicCard(row),
    mandate: null,
    network: row.brand,
    network_transaction_id: attempt.networkTransactionId,
    regulated_status: null,
    ...(intent.setupCredentialUsage && { setup_credential_usage: intent.setupCredentialUsage }),
    ...(intent.storedCredentialUsage && { stored_credential_usage: intent.storedCredentialUsage }),
    three_d_secure: authentication && renderAuthentication(authentication),
    transaction_link_id: null,
    wallet: null,
  };
};

const renderAuthentication = (authentication: Authentication) => ({
  authentication_flow: authentication.flow,
  electronic_commerce_indicator: authentication.eci,
  exemption_indicator: null,
  result: authentication.result,
  result_reason: authentication.resultReason,
  transaction_id: authentication.transactionId,
  version: authentication.version,
});

export const renderRefund = (intent: IntentRecord, refund: Refund): Rendered => ({
  id: refund.id,
  object: 'refund',
  amount: refund.amount,
  balance_transaction: balanceEntryId(refund.id, 'first'),
  charge: approvedAttempt(intent)?.id ?? null,
  created: seconds(refund.at),
  currency: intent.currency,
  customer: intent.customerId,
  destination_details: { type: 'card', card: { type: 'refund' } },
  ...(refund.failureReason && {
    failure_balance_transaction: balanceEntryId(refund.id, 'back'),
    failure_reason: refund.failureReason,
  }),
  metadata: refund.metadata,
  payment_intent: intent.id,
  reason: refund.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: refund.status,
  transfer_reversal: null,
});

export const renderDispute = (
  intent: IntentRecord,
  attempt: Attempt,
  dispute: Dispute,
): Rendered => ({
  id: dispute.id,
  object: 'dispute',
  amount: attempt.amountCaptured,
  balance_transactions: entriesOfDispute(attempt).map((entry) => renderBalanceEntry(intent, entry)),
  charge: attempt.id,
  created: seconds(dispute.at),
  currency: intent.currency,
  enhanced_eligibility_types: [],
  evidence: Object.fromEntries(evidenceNames.map((name) => [name, dispute.evidence[name] ?? null])),
  evidence_details: {
    due_by: seconds(dispute.endsAt),
    has_evidence: Object.keys(dispute.evidence).length > 0,
    past_due: false,
    submission_count: dispute.submissions,
  },
  intended_submission_method: null,
  is_charge_refundable: dispute.status.startsWith('warning_'),
  livemode: false,
  metadata: dispute.metadata,
  payment_intent: intent.id,
  reason: 'fraudulent',
  status: dispute.status,
});

export const renderBalanceEntry = (
  { currency, description }: IntentRecord,
  { id, at, amount, type, category, source }: BalanceEntry,
): Rendered => ({
  id,
  object: 'balance_transaction',
  amount,
  available_on: seconds(at),
  balance_type: 'payments',
  created: seconds(at),
  currency,
  description,
  exchange_rate: null,
  fee: 0,
  fee_details: [],
  net: amount,
  reporting_category: category,
  source,
  status: 'available',
  type,
});
