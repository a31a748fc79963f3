import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import type { Fuzzed } from './open-fuzzed.ts';

type Tenant = { readonly merchantId: string; readonly environment: 'SANDBOX' | 'PRODUCTION' };
type Ids = Readonly<Record<string, string>>;
type CallAsOwner = (
  method: string,
  path: string,
  body: object,
) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>;

/**
 * One row of each kind that an address of the dashboard or of the API can name, made by calls where a
 * call can make it. Answers their ids by the names that addresses have for them.
 */
export const makeRows = async (fuzzed: Fuzzed, tenant: Tenant, call: CallAsOwner): Promise<Ids> => {
  const post = async (path: string, body: object, name: string, method = 'POST') => {
    const reply = await call(method, path, body);
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(200);
    return String(reply.body[name]);
  };
  const { merchantId } = tenant;
  const colleague = await signIn(fuzzed.tools, { merchantId, role: 'cashier' });
  const order = { orderId: 'o-1', customerId: 'c-1', amount: 12.5, expiresIn: 3_600_000 };
  const url = 'https://hooks.example.com/in';
  const hook = { url, event: 'PAYMENTS_STATUS' };
  const redirectUrl = 'https://shop.example/linked';
  const view = { page: 'payments', name: 'Mine', query: '?a=1' };
  const names = ['cardId', 'refundId', 'payoutId', 'accountId', 'approvalId', 'eventId'];
  const disputeReference = `dp_${randomUUID()}`;
  const paid = await post('/api/payments/process-payment', order, 'paymentRequestId');
  const made: Record<string, string> = {
    ...Object.fromEntries(names.map((name) => [name, randomUUID()])),
    ...{ disputeReference, fileKind: 'receipt' },
    ...{ personId: colleague.personId, paymentRequestId: paid, id: paid },
    saleId: await post('/till/sales', { amount: 7.4, tillName: 'Till 1' }, 'paymentRequestId'),
    customerId: await post('/api/customers', { fullName: 'Grace', email: 'g@example.com' }, 'id'),
    endpointId: await post('/api/webhook/v2/endpoints', { url, events: ['PAYMENTS_STATUS'] }, 'id'),
    webhookId: await post('/api/webhook/merchant', hook, 'webhookId'),
    secretId: await post('/secrets', { name: 'Till' }, 'secretId'),
    storeId: await post('/stores', { locationName: 'Leeds' }, 'storeId'),
    inviteId: await post('/team/invites', { email: 'i@example.com', role: 'cashier' }, 'inviteId'),
    // No bank that shows accounts is configured for production.
    accountAuthId:
      tenant.environment === 'PRODUCTION'
        ? randomUUID()
        : await post('/api/bank/auth/initiate', { redirectUrl }, 'accountAuthId'),
    codeId: await post('/codes', { label: 'Table 7' }, 'codeId'),
    viewId: await post('/views', view, 'viewId', 'PUT'),
  };
  const client = await fuzzed.connect();
  await client.query(fakeRows(tenant, made));
  const { rows } = await client.query(
    'select delivery_id from florin.delivery where event_id = $1',
    [made.eventId],
  );
  return { ...made, deliveryId: String(rows[0].delivery_id) };
};

/** Rows that only a paid payment or a linked bank would have, as the tables hold them. */
const fakeRows = ({ merchantId, environment }: Tenant, made: Ids): string => {
  const tenant = `'${merchantId}', '${environment}'`;
  const { customerId, paymentRequestId, accountAuthId, endpointId } = made;
  return `
    set search_path = florin; set session_replication_role = replica;
    insert into card (merchant_id, environment, card_id, customer_id, account_key, reference_id,
      reference_encrypted, brand, funding, last_four, expiry, saved_by_attempt_id,
      authenticated_at, created_at, updated_at)
    values (${tenant}, '${made.cardId}', '${customerId}', 'key', gen_random_uuid(), '\\x00', 'VISA', 'DEBIT',
      '4242', '12/2030', gen_random_uuid(), now(), now(), now());
    insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
      payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
      paid_pence, created_at, updated_at)
    values (${tenant}, '${made.refundId}', '${paymentRequestId}', gen_random_uuid(), 'p', 'o',
      gen_random_uuid(), gen_random_uuid(), 'PAY_BY_BANK', 'INITIATED', 'WAITING', 100, 100, now(), now());
    insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
      account_number, account_name, period_ends_business_at, created_at, updated_at)
    values (${tenant}, '${made.payoutId}', 'PENDING', 'r', '180002', '00000190', 'n', now(), now(), now());
    insert into bank_account (merchant_id, environment, account_id, institution_id, bank_name, currency,
      created_at)
    values (${tenant}, '${made.accountId}', 'mock-sandbox-v1', 'Bank', 'GBP', now());
    insert into bank_account_link (merchant_id, environment, authorisation_id, account_id,
      bank_account_reference, position)
    values (${tenant}, '${accountAuthId}', '${made.accountId}', 'r', 1);
    update bank_authorisation set status = 'LINKED', linked_at = now()
      where (merchant_id, environment) = (${tenant});
    insert into event (merchant_id, environment, event_id, event_type, resource_id, sequence, dedupe_key,
      occurred_at)
    values (${tenant}, '${made.eventId}', 'PAYMENTS_STATUS', '${paymentRequestId}', 1, 'k', now());
    insert into event_body (merchant_id, environment, event_id, body, event_type, sequence)
    values (${tenant}, '${made.eventId}', '{}', 'PAYMENTS_STATUS', 1);
    insert into delivery (merchant_id, environment, endpoint_id, event_id, due_business_at,
      deadline_business_at, created_at)
    values (${tenant}, '${endpointId}', '${made.eventId}', now(), now(), now());
    insert into refund_approval (merchant_id, environment, approval_id, payment_request_id, attempt_id,
      payment_idempotency_id, order_id, amount_pence, status, proposed_by, proposed_by_name, created_at,
      updated_at)
    values (${tenant}, '${made.approvalId}', '${paymentRequestId}', gen_random_uuid(), 'p', 'o', 100,
      'WAITING', '${made.personId}', 'n', now(), now());
    insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
      payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor, settles_to,
      authorise_by_business, authorise_by, capture_type, initiator, account_key, disputes, created_at,
      updated_at)
    values (${tenant}, '${made.approvalId}', '${paymentRequestId}', 1, left('${made.approvalId}', 30),
      'CARD', 'CANCELLED', 'ENDED', 'card', 1250, '{}', 'PROCESSOR', now(), now(), 'AUTO_CAPTURE',
      'CUSTOMER', 'key', jsonb_build_array(jsonb_build_object('reference', '${made.disputeReference}',
        'status', 'OPEN', 'amountPence', '1250', 'reason', 'general', 'respondBy', null)), now(), now());
    insert into dispute_answer (merchant_id, environment, answer_id, payment_request_id, attempt_id,
      dispute_reference, status, evidence, files, created_at, updated_at)
    values (${tenant}, gen_random_uuid(), '${paymentRequestId}', '${made.approvalId}',
      '${made.disputeReference}', 'DRAFT', '{"other": "Sent."}', '{}', now(), now())`;
};
