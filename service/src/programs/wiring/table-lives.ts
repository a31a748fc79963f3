import { limits } from '@florin/contract';
import type { Config } from '#platform/config.ts';

const idempotencyDays = limits.idempotencyRetentionHours / 24;

/** How long the rows of each table live. A table without a stated life would grow for ever, unnoticed. */
const lives: Readonly<Record<string, readonly string[]>> = {
  'kept: the books, and the proof of each payment': [
    ...['payment_request', 'attempt', 'payment_history', 'refund', 'refund_history'],
    ...['refund_approval', 'refund_approval_history', 'dispute_answer', 'dispute_answer_history'],
    ...['payout', 'payout_history', 'payout_line', 'payout_count', 'payout_match', 'transfer'],
    ...['transfer_batch', 'bank_message'],
    ...['bank_authorisation', 'bank_authorisation_history'],
    ...[
      'account_credit',
      'account_debit',
      'booking_mention',
      'transfer_entry',
      'bank_balance',
      'ledger_entry',
      'ledger_snapshot',
      'card_authentication',
      'public_id',
    ],
  ],
  'kept as long as its payment: the funnel counts it': ['page_opening'],
  'kept as long as its payment: search reads it': [
    ...['transaction_item', 'transaction_word', 'transaction_count'],
  ],
  'kept as long as the books: the money page adds it up': [
    ...['money_day', 'money_store_day', 'money_day_cursor'],
  ],
  [`deleted ${limits.webhookHourRetentionDays} days after its first attempt`]: ['webhook_hour'],
  'kept: what happened to the installation, few rows': [
    ...['operator_case', 'operator_case_history', 'ledger_verification', 'migration'],
    ...['cluster_epoch', 'health_probe', 'cell', 'cell_move'],
    ...['audit_record', 'audit_head', 'audit_seal', 'merchant_suspension'],
  ],
  'until its person deletes it, or is deleted': ['saved_view'],
  'kept: it may be printed somewhere': ['payment_code'],
  'kept: which bank account money went to, and who changed that': ['store_account_change'],
  'until the customer is deleted': ['customer', 'card', 'card_customer'],
  'one row for each thing that is set up': [
    ...['merchant', 'merchant_switch', 'store', 'store_bank_account', 'tenant_clock'],
    ...['access_secret', 'secret_directory', 'collecting_account', 'card_account'],
    ...['tip_setting', 'amount_part_setting', 'statement_mail', 'subscription', 'webhook_endpoint'],
    ...['webhook_endpoint_health', 'webhook_signing_secret', 'outgoing_turn', 'payout_cursor'],
    ...['operator_secret', 'purpose_key', 'rate_window', 'bank_notice', 'transfer_folder'],
  ],
  'until the person is deleted': [
    ...['person', 'person_credential', 'person_passkey', 'person_two_factor', 'membership'],
    ...['invite', 'member_notification'],
  ],
  [`deleted after ${limits.personMailRetentionDays} days`]: ['person_mail'],
  'deleted when its mails are written': ['member_notice'],
  'deleted when it has ended': ['person_link', 'mail_allowance'],
  'until it ends; deleted within ten minutes after that': [
    ...['person_session', 'person_verification'],
  ],
  'until the last authorisation that shows the account has ended': [
    ...['bank_account', 'bank_account_link', 'bank_transaction', 'bank_transaction_day'],
  ],
  [`deleted ${limits.doneWorkRetentionDays} days after it was done`]: [
    ...['mail_outbox', 'card_detachment', 'erasure'],
  ],
  'deleted when the work is done, at the latest after a day': ['work_lease'],
  'deleted when the job works again': ['failed_job'],
  'deleted with the last poll': ['attempt_poll'],
  'deleted when the debit has taken a credit or is explained': ['held_payment'],
  [`deleted after ${limits.receiptMailRetentionDays} days`]: [
    ...['receipt_mail', 'receipt_allowance', 'link_mail_day'],
  ],
  [`deleted ${limits.orderGuardMs / 60_000} minutes after the charge`]: ['card_charge_guard'],
};

/** Partitioned tables whose rows end, with the setting of the days and what it is without one. */
const dropped = {
  event: ['EVENT_DAYS', limits.webhookEventRetentionDays],
  event_body: ['EVENT_DAYS', limits.webhookEventRetentionDays],
  delivery: ['EVENT_DAYS', limits.webhookEventRetentionDays],
  webhook_attempt: ['WEBHOOK_ATTEMPT_DAYS', limits.webhookAttemptRetentionDays],
  idempotency: [null, idempotencyDays],
  request_log: ['REQUEST_LOG_DAYS', limits.requestLogRetentionDays],
} as const;

/** The life of each table by its name. */
export const tableLives: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(lives).flatMap(([life, tables]) => tables.map((table) => [table, life])),
  ),
  ...Object.fromEntries(
    Object.entries(dropped).map(([table, [setting, days]]) => [
      table,
      `its partition is dropped ${days} days${setting ? ` (\`${setting}\`)` : ''} after its end`,
    ]),
  ),
};

/** Days for which a partition is kept after its end. A partitioned table that is not here keeps all. */
export const partitionLives = (
  config: Pick<Config, 'eventDays' | 'webhookAttemptDays' | 'requestLogDays'>,
): Readonly<Record<keyof typeof dropped, number>> => ({
  event: config.eventDays,
  event_body: config.eventDays,
  delivery: config.eventDays,
  webhook_attempt: config.webhookAttemptDays,
  idempotency: idempotencyDays,
  request_log: config.requestLogDays,
});
