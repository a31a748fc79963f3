/** Lists, searches and reports that a replica may answer, and nothing that anything is decided by. */
export const replicaReads: ReadonlySet<string> = new Set([
  ...['search_by_customer', 'search_by_day', 'search_by_day_and_status', 'search_by_detail'],
  ...['search_by_detail_and_status', 'search_by_prefix', 'search_by_status', 'search_newest'],
  ...['search_by_two_prefixes', 'search_by_whole_words', 'search_count_words', 'search_prefix'],
  ...['search_sorted_largest', 'search_sorted_oldest', 'search_sorted_smallest'],
  ...['search_totals', 'search_whole_words', 'status_read_shown_transactions'],
  ...['payout_list_newest', 'payout_list_oldest', 'payout_list_largest', 'payout_list_smallest'],
  ...['payout_list_lines', 'payout_totals', 'payout_count_found'],
  ...['dashboard_refunds_newest', 'dashboard_refunds_oldest', 'dashboard_refunds_largest'],
  ...['dashboard_refunds_smallest', 'dashboard_refund_totals', 'dashboard_dispute_totals'],
  ...['dashboard_disputes_newest', 'dashboard_disputes_oldest', 'dashboard_disputes_largest'],
  ...[
    'dashboard_disputes_smallest',
    'dashboard_delivery_list',
    'dashboard_event_list',
    'request_log_list',
    'customer_list',
  ],
  ...['dashboard_funnel', 'dashboard_failures', 'money_day_read', 'money_store_day_read'],
  ...['export_payments', 'export_payout_lines', 'export_payout_matches', 'delivery_list'],
]);
