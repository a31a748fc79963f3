export type Ids = { readonly workId: string; readonly merchantId: string };

type Values = Readonly<Record<string, string>>;
type Plant = (ids: Ids) => string;

const overdue = `now() - interval '11 minutes'`;
const late = `now() - interval '9 minutes'`;
const soon = `now() + interval '50 seconds'`;
const times = { created_at: overdue, updated_at: overdue };
const anyId = 'gen_random_uuid()';

/** Rows without those that they refer to. */
const row = (table: string, values: Values): string =>
  `insert into ${table} (${Object.keys(values).join(', ')})
   values (${Object.values(values).join(', ')});`;

const of =
  (table: string, valuesOf: (id: string, values: Values) => Values) =>
  (values: Values): Plant =>
  ({ workId, merchantId }) =>
    row(table, {
      ...{ merchant_id: `'${merchantId}'`, environment: `'SANDBOX'` },
      ...valuesOf(`'${workId}'`, values),
    });

const paymentRequest = of('payment_request', (id, values) => ({
  ...{ payment_request_id: id, status: `'OPEN'`, merchant_customer_reference: `'c'` },
  ...{ order_id: `'o'`, amount_pence: '100', store_id: anyId, secret_id: anyId },
  ...{ expires_in_ms: '180000', expires_business_at: 'now()', ...times, ...values },
}));

const attempt = of('attempt', (id, values) => ({
  ...{ attempt_id: id, payment_request_id: anyId, position: '1' },
  payment_idempotency_id: `left(${id}, 30)`,
  ...{ method: `'PAY_BY_BANK'`, institution_id: `'bank'`, amount_pence: '100', creditor: `'{}'` },
  ...{ settles_to: `'STORE_ACCOUNT'`, authorise_by_business: 'now()', authorise_by: soon },
  ...{ status: `'AWAITING_AUTHORIZATION'`, step: `'AT_BANK'`, ...times, ...values },
}));

const held = {
  ...{ method: `'CARD'`, status: `'AUTHORIZED'`, step: `'AUTHORISED'`, account_key: `'simulated'` },
  ...{ capture_type: `'CAPTURE_BEFORE_EXPIRY'`, initiator: `'CUSTOMER'` },
};

const disputeAnswer = of('dispute_answer', (id, values) => ({
  ...{ answer_id: id, payment_request_id: anyId, attempt_id: anyId, dispute_reference: `'dp_1'` },
  ...{ status: `'SUBMITTING'`, evidence: `'{}'`, files: `'{}'`, ...times, ...values },
}));

const poll = of('attempt_poll', (id, { poll_at = soon, ...values }) => ({
  ...{ attempt_id: id, payment_request_id: anyId, method: `'CARD'`, institution_id: `'card'` },
  ...{ poll_business_at: poll_at, poll_at, watch_from: poll_at, ...values },
}));

const link = of('bank_authorisation', (id, values) => ({
  ...{ authorisation_id: id, status: `'LINKED'`, redirect_url: `'r'`, callback_params: `'{}'` },
  ...{ secret_id: anyId, institution_id: `'bank'`, link_expires_at: 'now()' },
  ...{ due_at: `now() + interval '1 hour'`, ...times, ...values },
}));

const refund = of('refund', (id, values) => ({
  ...{ refund_id: id, payment_request_id: anyId, attempt_id: anyId, store_id: anyId },
  ...{ payment_idempotency_id: `'p'`, order_id: `'o'`, secret_id: anyId, method: `'PAY_BY_BANK'` },
  ...{ amount_pence: '100', paid_pence: '100', status: `'PENDING'`, step: `'WAITING'` },
  ...{ ...times, ...values },
}));

const detachment = of('card_detachment', (id, values) => ({
  ...{ reference_id: id, customer_id: anyId, account_key: `'key'` },
  ...{ reference_encrypted: `'\\x00'`, reason: `'CUSTOMER_DELETED'`, ...values },
}));

const batch = of('transfer_batch', (id, values) => ({
  ...{ message_id: `left(${id}, 30)`, subject: `'REFUND'`, execution_date: 'now()' },
  ...{ debtor: `'{}'`, on_behalf_of: `'m'`, created_at: overdue, ...values },
}));

const payout = of('payout', (id, values) => ({
  ...{ payout_id: id, status: `'PENDING'`, reference: `'r'`, sort_code: `'111111'`, ...times },
  ...{ account_number: `'12345678'`, account_name: `'n'`, period_ends_business_at: 'now()' },
  ...values,
}));

const erasure = of('erasure', (id, values) => ({ customer_id: id, ...values }));

const endpoint = of('webhook_endpoint', (id, values) => ({
  ...{ endpoint_id: id, api_version: '2', url: `'https://shop.example'`, created_at: 'now()' },
  ...values,
}));

const delivery = of('delivery', (id, values) => ({
  ...{ endpoint_id: id, event_id: anyId, due_at: overdue, due_business_at: overdue },
  ...{ deadline_business_at: `now() + interval '1 day'`, created_at: overdue, ...values },
}));

const delivered =
  (made: Plant, values: Values = {}): Plant =>
  (ids) =>
    made(ids) + delivery(values)(ids);

const credit =
  (values: Values): Plant =>
  ({ workId }) =>
    row('account_credit', {
      ...{ environment: `'SANDBOX'`, credit_id: `'${workId}'`, entry_key: `'${workId}'` },
      ...{ amount_pence: '100', is_returned: 'false', ...values },
    });

const debit =
  (values: Values): Plant =>
  ({ workId }) =>
    row('account_debit', {
      ...{ environment: `'SANDBOX'`, entry_key: `'${workId}'`, end_to_end_id: `'${workId}'` },
      ...{ amount_pence: '100', ...values },
    });

const notice =
  (values: Values): Plant =>
  () =>
    row('bank_notice', { noticed: '3', noticed_at: overdue, ...values });

const putOff = (work: string) =>
  of('work_lease', (id, values) => ({
    ...{ subject_id: id, work: `'${work}'`, leased_until: soon, ...values },
  }));
const failed = { failures: '1', last_error: `'it cannot be read'` };

const inHours = `now() + interval '5 hours'`;
const aDayOld = { method: `'CARD'`, created_at: `now() - interval '25 hours'` };

const failedJob: Plant = ({ workId }) =>
  row('failed_job', { job: `'${workId}'`, last_error: `'its claim failed'` });

/** Of each kind work that is stuck, and the same as it is when all is well. */
export const plantedWork: readonly (readonly [string, Plant, Plant])[] = [
  ['EXPIRE', paymentRequest({ expires_at: overdue }), paymentRequest({ expires_at: late })],
  ['ABANDON', attempt({ authorise_by: overdue }), attempt({ authorise_by: late })],
  [
    'ABANDON',
    attempt({ step: `'EXCHANGING'`, leased_until: overdue }),
    attempt({ step: `'EXCHANGING'`, leased_until: soon, authorise_by: overdue }),
  ],
  ['POLL_CARD', poll({ poll_at: overdue }), poll({ poll_at: late })],
  ['POLL_BANK', poll({ poll_at: overdue, method: `'PAY_BY_BANK'` }), poll({ poll_at: soon })],
  ['CAPTURE', attempt({ ...held, capture_at: overdue }), attempt({ ...held, capture_at: late })],
  [
    'ANSWER_DISPUTE',
    disputeAnswer({ due_at: overdue }),
    disputeAnswer({ due_at: late, dispute_reference: `'dp_2'` }),
  ],
  ['CLOSE_PAYOUT', payout({ due_at: overdue }), payout({ due_at: late })],
  ['HAND_OVER_REFUND', refund({ due_at: soon, ...aDayOld }), refund({ due_at: late })],
  [
    'POLL_REFUND',
    refund({ step: `'HANDED_OVER'`, due_at: overdue }),
    refund({ step: `'HANDED_OVER'`, due_at: late }),
  ],
  [
    'SUBMIT_TRANSFERS',
    batch({ due_at: soon, submissions: '6' }),
    batch({ due_at: soon, submissions: '5' }),
  ],
  [
    'DETACH_CARD',
    detachment({ due_at: inHours, attempts: '9' }),
    detachment({ due_at: late, attempts: '5' }),
  ],
  ['ERASE_CUSTOMER', erasure({ due_at: overdue }), erasure({ due_at: late })],
  ['ERASE_OLD_PAYMENT', putOff('ERASE_PAYMENT')(failed), putOff('ERASE_PAYMENT')({})],
  ['TAKE_SNAPSHOT', putOff('SNAPSHOT')(failed), putOff('SNAPSHOT')({})],
  ['HAND_OVER_REFUND', putOff('HAND_OVER')(failed), putOff('HAND_OVER')({})],
  ['FILL_PAYOUT', putOff('FILL_PAYOUT')(failed), putOff('FILL_PAYOUT')({})],
  ['ADD_UP_MONEY', putOff('MONEY_DAY')(failed), putOff('MONEY_DAY')({})],
  ['FOLD_COUNTS', putOff('FOLD')(failed), putOff('FOLD')({})],
  ['MAIL_NOTICE', putOff('NOTICE')(failed), putOff('NOTICE')({})],
  ['MAIL_FAILING_ENDPOINT', putOff('ENDPOINT_MAIL')(failed), putOff('ENDPOINT_MAIL')({})],
  ['MAIL_STATEMENT', putOff('STATEMENT')(failed), putOff('STATEMENT')({})],
  ['RUN_JOB', failedJob, () => 'select'],
  ['END_LINK', link({ due_at: overdue }), link({ due_at: late })],
  [
    'END_LINK',
    link({ status: `'EXCHANGING'`, leased_until: overdue }),
    link({ status: `'EXCHANGING'`, leased_until: soon, due_at: overdue }),
  ],
  [
    'REFRESH_ACCOUNTS',
    link({ refresh_due_at: soon, refresh_failures: '6' }),
    link({ refresh_due_at: late, refresh_failures: '5' }),
  ],
  [
    'REFRESH_ACCOUNTS',
    link({ refresh_due_at: overdue }),
    link({ refresh_due_at: overdue, status: `'REVOKED'` }),
  ],
  [
    'REMOVE_BANK_DATA',
    link({ removal_due_at: soon, removal_failures: '7' }),
    link({ removal_due_at: late, removal_failures: '2' }),
  ],
  [
    'DELIVER_WEBHOOKS',
    delivered(endpoint({})),
    delivered(endpoint({ is_paused: 'true', paused_at: 'now()' })),
  ],
  ['DELIVER_WEBHOOKS', delivered(endpoint({})), delivered(endpoint({}), { due_at: late })],
  ['MATCH_CREDIT', credit({ due_at: soon, tries: '20' }), credit({ due_at: late })],
  ['REVERSE_CREDIT', debit({ due_at: soon, tries: '21' }), debit({ due_at: late, tries: '9' })],
  [
    'READ_BANK_MESSAGES',
    notice({ environment: `'PRODUCTION'`, followed: '2' }),
    notice({ environment: `'SANDBOX'`, followed: '3' }),
  ],
];

export const emptyTables = `truncate work_lease, failed_job,
  payment_request, attempt, attempt_poll, payout, refund, transfer_batch,
  card_detachment, erasure, bank_authorisation, webhook_endpoint, delivery, account_credit, account_debit,
  bank_notice cascade`;

export {
  attempt,
  batch,
  credit,
  debit,
  detachment,
  disputeAnswer,
  erasure,
  held,
  link,
  paymentRequest,
  payout,
  poll,
  refund,
};
