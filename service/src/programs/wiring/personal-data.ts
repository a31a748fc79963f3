/** By the statement that takes out what a table holds of a person: it updates or deletes its rows. */
const erased: Readonly<Record<string, readonly string[]>> = {
  erasure_payment_rows: ['payment_request', 'attempt', 'payment_history'],
  erasure_search_words: ['transaction_item', 'transaction_word'],
  erasure_receipts: ['receipt_mail'],
  erasure_refund_rows: ['refund', 'refund_history'],
  erasure_refund_approvals: ['refund_approval', 'refund_approval_history'],
  erasure_dispute_answers: ['dispute_answer', 'dispute_answer_history'],
  erasure_transfer: ['transfer'],
  erasure_bank_messages: ['bank_message'],
  erasure_event_body: ['event_body', 'delivery', 'webhook_attempt'],
  erasure_saved_reply: ['idempotency'],
  erasure_case_texts: ['operator_case', 'operator_case_history'],
  card_delete_customer: ['customer', 'card', 'card_customer'],
  credit_match: ['account_credit'],
  bank_removal_transactions: ['bank_transaction'],
  bank_removal_links: ['bank_account_link'],
  bank_removal_accounts: ['bank_account', 'bank_transaction_day'],
  bank_removal_forget_ways_back: ['bank_authorisation'],
  person_delete: ['person', 'invite', 'person_mail', 'mail_allowance'],
};

/** Everything else, with the reason. */
const others: Readonly<Record<string, readonly string[]>> = {
  'deleted with its person, by its foreign key': [
    ...['person_credential', 'person_link', 'person_passkey', 'person_session'],
    ...['person_two_factor', 'membership', 'member_notification', 'saved_view'],
  ],
  'soon deleted: what is mailed, and what is to be removed at the processor': [
    ...['mail_outbox', 'member_notice', 'card_detachment', 'person_verification'],
  ],
  'kept: who did what, of members and operators, and no payer': [
    ...['audit_record', 'cell_move', 'merchant_suspension', 'operator_secret'],
    'store_account_change',
  ],
  'kept: the merchant, its stores and their bank accounts': [
    ...['merchant', 'store', 'store_bank_account', 'payout', 'transfer_batch', 'payment_code'],
    ...['collecting_account', 'webhook_endpoint', 'statement_mail'],
  ],
  'holds nothing of a person': [
    ...['access_secret', 'account_debit', 'amount_part_setting', 'attempt_poll', 'audit_head'],
    ...['audit_seal', 'bank_authorisation_history', 'bank_balance', 'bank_notice', 'cell'],
    ...['booking_mention', 'card_account', 'card_authentication', 'card_charge_guard'],
    ...['cluster_epoch', 'erasure', 'event', 'failed_job', 'health_probe', 'held_payment'],
    ...['ledger_entry', 'ledger_snapshot', 'ledger_verification', 'link_mail_day'],
    ...['merchant_switch', 'migration', 'money_day', 'money_day_cursor'],
    ...['money_store_day', 'outgoing_turn'],
    ...['page_opening', 'payout_count', 'payout_cursor', 'payout_history', 'payout_line'],
    ...['payout_match', 'public_id', 'purpose_key', 'rate_window', 'receipt_allowance'],
    ...['request_log', 'secret_directory', 'subscription', 'tenant_clock', 'tip_setting'],
    ...['transaction_count', 'transfer_entry', 'transfer_folder', 'webhook_endpoint_health'],
    ...['webhook_hour', 'webhook_signing_secret', 'work_lease'],
  ],
};

type Declared = { readonly table: string; readonly erasedBy: string | null };

/** What becomes of a person in each table. The same tables as in `table-lives.ts`, each once. */
export const personalData: readonly Declared[] = [
  ...Object.entries(erased).flatMap(([erasedBy, tables]) =>
    tables.map((table) => ({ table, erasedBy })),
  ),
  ...Object.values(others).flatMap((tables) => tables.map((table) => ({ table, erasedBy: null }))),
];
