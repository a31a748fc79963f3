import {
  type BodyOf,
  type searchTransactions as described,
  failures,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { pence, poundsNumber } from '#kernel/money.ts';
import { isTimeout } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { Uses } from '#platform/tools.ts';
import { cardPaymentDetails } from './card-payment-details.ts';
import { readSearchText, textValues } from './read-search-text.ts';
import { searchByBeginnings } from './store/search-by-beginnings.ts';
import type { ItemRow, SearchRow, SearchValues, TextValues } from './store/search-parts.ts';
import {
  countedBeginnings,
  searchByBeginning,
  searchByBeginningAndState,
  searchByCustomer,
  searchByCustomerAndText,
  searchByDay,
  searchByState,
  searchByText,
  searchByWord,
} from './store/search-statements.ts';

type Body = BodyOf<typeof described>;
type Reply = ReplyOf<typeof described>;

/** STATUS-6: one statement, chosen by what is asked. */
export const searchTransactions = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size }: QueryOf<typeof described>,
  body: Body,
): Promise<Reply> => {
  checkDays(body);
  const values: SearchValues = {
    ...tenant,
    fromDay: body.fromDate ?? null,
    toDay: body.toDate ?? null,
    statuses: body.status ? [...new Set(body.status)] : null,
    methods: body.paymentMethod ?? null,
    storeIds: body.storeIds ?? null,
    customerIds: customersOf(body),
    size,
    skipped: page * size,
  };
  const rows = await find(tools, tenant, values, body.search ?? '').catch(explainLate);
  const data = rows.flatMap((row) =>
    row.payment_request_id === null ? [] : [transactionView(tenant, row)],
  );
  return { data, totalCount: Number(rows[0]?.total ?? 0), page, size };
};

const find = (
  { database }: Uses<'database'>,
  tenant: Tenant,
  values: SearchValues,
  search: string,
): Promise<SearchRow[]> => {
  const { merchantId } = tenant;
  const words = readSearchText(search);
  if (words.length > 0) return findText(database, tenant, values, words);
  if (values.customerIds) return database.tenant(merchantId, searchByCustomer, values);
  return database.tenant(merchantId, values.statuses ? searchByState : searchByDay, values);
};

const findText = async (
  database: Database,
  tenant: Tenant,
  values: SearchValues,
  words: readonly string[],
): Promise<SearchRow[]> => {
  const { merchantId } = tenant;
  const known = await database.tenant(merchantId, countedBeginnings, { ...tenant, words });
  const common = new Set(known.map(({ beginning }) => beginning));
  // Of several words one that few have leads.
  const word = words.find((each) => !common.has(each)) ?? words[0] ?? '';
  const text = textValues(word, words.toSpliced(words.indexOf(word), 1));
  const asked = textStatement(values, text, common.has(word));
  return database.tenant(merchantId, asked, { ...values, ...text });
};

/** `isCommon`: so many have each of the words that they are counted. */
const textStatement = (values: SearchValues, text: TextValues, isCommon: boolean) => {
  if (values.customerIds) return isCommon ? searchByCustomerAndText : searchByText;
  const isFiltered = [values.statuses, values.methods, values.storeIds].some(Boolean);
  if (text.otherWords.length > 0)
    return isCommon && !isFiltered ? searchByBeginnings : searchByText;
  if (isCommon && text.idFrom === null)
    return values.statuses ? searchByBeginningAndState : searchByBeginning;
  return isFiltered ? searchByText : searchByWord;
};

/** Some searches must read more than one statement may: better told than left hanging. */
const explainLate = (error: unknown): never => {
  if (!isTimeout(error)) throw error;
  throw new Failure(failures.unavailable, {
    message: 'This search takes too long. Give days, or more of the word, and ask again.',
    retryAfterSeconds: 5,
  });
};

const checkDays = ({ fromDate, toDate }: Body): void => {
  if (fromDate === undefined || toDate === undefined || fromDate <= toDate) return;
  throw new Failure(failures.badRequest, {
    message: 'fromDate must not be after toDate.',
    errors: [{ field: 'fromDate', message: 'fromDate must not be after toDate' }],
  });
};

/** The alias may be given instead, or the same under both names (WIRE-1). */
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

const transactionView = (tenant: Tenant, row: ItemRow): Reply['data'][number] => ({
  paymentIdempotencyId: row.payment_idempotency_id,
  paymentRequestId: row.payment_request_id,
  customerId: row.merchant_customer_reference,
  consumerId: row.application_user_id,
  merchantName: row.business_name,
  merchantId: tenant.merchantId,
  orderId: row.order_id,
  consumerName: row.consumer_name,
  paidAmount: poundsNumber(pence(row.total_pence)),
  currency: 'GBP',
  status: row.status,
  transactionType: row.method === 'CARD' ? 'CARD' : 'OPEN_BANKING',
  notes: row.notes,
  storeDetails: {
    id: row.store_id,
    address: row.store_address,
    locationName: row.location_name,
  },
  ...cardOf(row),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const cardOf = (row: ItemRow): Pick<Reply['data'][number], 'cardPaymentDetails'> =>
  row.capture_type === null || row.initiator === null
    ? {}
    : cardPaymentDetails({
        brand: row.card_brand,
        captureType: row.capture_type,
        initiator: row.initiator,
        cardId: row.card_id,
        expiresAt: row.authorisation_expires_business_at,
      });
