import {
  type BodyOf,
  type searchTransactions as described,
  failures,
  outcomes,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence, penceFromPounds, poundsNumber } from '#kernel/pence.ts';
import { decryptPayer } from '#modules/payments/index.ts';
import {
  addUpTransactions,
  type FoundTransaction,
  findTransactions,
} from '#modules/search/index.ts';
import { totalsOf } from '#platform/database/pages.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { cardPaymentDetails } from './payment-status-view.ts';
import { readShownTransactions, type ShownTransaction } from './store.ts';

type Body = BodyOf<typeof described>;
type Reply = ReplyOf<typeof described>;

/** Search finds the transactions of the page; their details are read after that. */
export const searchTransactions = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof described>,
  body: Body,
): Promise<Reply> => {
  checkDays(body);
  const filter = {
    fromDay: body.fromDate ?? '-infinity',
    toDay: body.toDate ?? 'infinity',
    statuses: body.status ? [...new Set(body.status.flatMap(searchedStatuses))] : null,
    methods: body.paymentMethod ?? null,
    storeIds: body.storeIds ?? null,
    customerIds: customersOf(body),
    ...amountsOf(body),
    institutionIds: body.institutionIds ? [...new Set(body.institutionIds)] : null,
    text: body.search ?? '',
  };
  const sort = body.orderBy ?? 'NEWEST';
  const [found, added] = await Promise.all([
    findTransactions(tools, tenant, { ...filter, sort, size, skipped: page * size }),
    body.totals ? addUpTransactions(tools, tenant, filter) : null,
  ]);
  return {
    data: await show(tools, tenant, found.transactions),
    totalCount: found.total,
    ...(found.totalIsMinimum ? { totalCountIsMinimum: true as const } : {}),
    page,
    size,
    ...(added && { totals: { ...totalsOf(added.rows), isMinimum: added.isMinimum } }),
  };
};

/** As search keeps them: of what is paid and stays so the status is enough. */
const keptAs = (status: string): string => (status === 'PAID' ? 'COMPLETED' : status);

const searchedStatuses = (status: string): readonly string[] =>
  status === 'COMPLETED' ? outcomes.map(keptAs) : [keptAs(status)];

const outcomeOf = ({ status }: FoundTransaction) =>
  outcomes.find((outcome) => keptAs(outcome) === status) ?? null;

const show = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  found: readonly FoundTransaction[],
): Promise<Reply['data']> => {
  if (found.length === 0) return [];
  const shown = await database.tenant(tenant.merchantId, readShownTransactions, {
    ...tenant,
    paymentRequestIds: found.map((each) => each.payment_request_id),
    positions: found.map(({ position }) => position),
  });
  const keyOf = (row: FoundTransaction | ShownTransaction) =>
    `${row.payment_request_id} ${row.position}`;
  const byKey = new Map(shown.map((row) => [keyOf(row), row]));
  return found.flatMap((row) => {
    const more = byKey.get(keyOf(row));
    return more ? [transactionView(secrets, tenant, row, more)] : [];
  });
};

const checkDays = ({ fromDate, toDate }: Body): void => {
  if (fromDate === undefined || toDate === undefined || fromDate <= toDate) return;
  throw new Failure(failures.badRequest, {
    message: 'fromDate must not be after toDate.',
    errors: [{ field: 'fromDate', message: 'fromDate must not be after toDate' }],
  });
};

const amountsOf = ({ minAmount, maxAmount }: Body) => {
  const minPence = penceOf('minAmount', minAmount);
  const maxPence = penceOf('maxAmount', maxAmount);
  if (minPence !== null && maxPence !== null && minPence > maxPence)
    throw badField('minAmount', 'must not be more than maxAmount', 'minAmount');
  return { minPence, maxPence };
};

const penceOf = (field: string, pounds: number | undefined): Pence | null => {
  if (pounds === undefined) return null;
  const amount = penceFromPounds(pounds);
  if (amount === null) throw badField(field, 'must have at most two decimals');
  return amount;
};

/** The alias may be sent instead, or the same under both names (WIRE-1). */
const customersOf = ({ atoaCustomerIds, serviceCustomerIds }: Body): readonly string[] | null => {
  const given = [atoaCustomerIds, serviceCustomerIds].flatMap((ids) =>
    ids ? [[...new Set(ids.map((id) => id.toLowerCase()))].sort()] : [],
  );
  const [first, second] = given;
  if (first && second && first.join() !== second.join())
    throw new Failure(failures.badRequest, {
      message: 'atoaCustomerIds and serviceCustomerIds are the same and were given different.',
      errors: [{ field: 'serviceCustomerIds', message: 'serviceCustomerIds is different' }],
    });
  return first ?? null;
};

const transactionView = (
  secrets: Secrets,
  { merchantId }: Tenant,
  found: FoundTransaction,
  shown: ShownTransaction,
): Reply['data'][number] => ({
  paymentIdempotencyId: shown.payment_idempotency_id,
  paymentRequestId: found.payment_request_id,
  customerId: shown.merchant_customer_reference,
  consumerId: shown.application_user_id,
  merchantName: shown.business_name,
  merchantId,
  orderId: shown.order_id,
  consumerName: shown.consumer_name,
  paidAmount: poundsNumber(pence(found.total_pence)),
  totalRefundAmount: poundsNumber(pence(shown.refund_pence)),
  currency: 'GBP',
  status: outcomeOf(found) ? 'COMPLETED' : found.status,
  outcome: outcomeOf(found),
  transactionType: found.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
  institutionId: found.method === 'CARD' ? null : shown.institution_id,
  lastFourDigits: shown.card_last_four ?? accountLastFour(secrets, shown),
  notes: shown.notes,
  storeDetails: {
    id: found.store_id,
    address: shown.store_address,
    locationName: shown.location_name,
  },
  ...cardOf(shown),
  createdAt: found.created_at.toISOString(),
  updatedAt: shown.updated_at.toISOString(),
});

const accountLastFour = (secrets: Secrets, row: ShownTransaction): string | null => {
  const attempt = { attemptId: row.attempt_id, payerEncrypted: row.payer_encrypted };
  return decryptPayer(secrets, attempt)?.accountNumber.slice(-4) ?? null;
};

const cardOf = (row: ShownTransaction): Pick<Reply['data'][number], 'cardPaymentDetails'> =>
  row.capture_type === null || row.initiator === null
    ? {}
    : cardPaymentDetails({
        brand: row.card_brand,
        captureType: row.capture_type,
        initiator: row.initiator,
        cardId: row.card_id,
        expiresAt: row.authorisation_expires_business_at,
      });
