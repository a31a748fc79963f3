import { limits } from '#simulator/limits.ts';
import type { IntentRecord } from '../model.ts';
import { invalid, missing } from '../rules/api-error.ts';
import { type BalanceEntry, balanceEntriesOf } from '../rules/balance.ts';
import { intentAt } from '../rules/due-at.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import { refuseUnknownParams, textParam } from '../wire/parameters.ts';
import type { Call, Operation } from './call.ts';
import { createdOf, listBody, pageOf, paging, showAll } from './lists.ts';

// What belongs to a payment and is stored in it: charges, refunds, disputes, entries of the balance.
type Part = { readonly id: string; readonly at: number };

type PartList = {
  readonly url: string;
  // The oldest first.
  readonly partsOf: (intent: IntentRecord) => readonly Part[];
  readonly filters: readonly string[];
  readonly isWanted?: (part: Part, call: Call) => boolean;
};

const listParts =
  ({ url, partsOf, filters, isWanted = () => true }: PartList): Operation =>
  async (call) => {
    refuseUnknownParams(call.params, [...paging, ...filters]);
    const intents = await intentsWanted(call);
    const { createdFrom = 0, createdBefore = Number.MAX_SAFE_INTEGER } = createdOf(call);
    const found = intents
      .flatMap((intent) => partsOf(intent).toReversed())
      .filter((part) => part.at >= createdFrom && part.at < createdBefore && isWanted(part, call))
      .toSorted((one, other) => other.at - one.at);
    const { some, hasMore } = pageIn(found, call);
    return { body: listBody(url, await showAll(call, some), hasMore) };
  };

export const pageIn = (found: readonly Part[], call: Call) => {
  const { limit, after, before } = pageOf(call);
  const edge = after ?? before;
  const at = edge === undefined ? -1 : found.findIndex(({ id }) => id === edge);
  if (edge !== undefined && at < 0)
    throw missing(kindOf(edge), edge, after ? 'starting_after' : 'ending_before');
  const rest = before === undefined ? found.slice(at + 1) : found.slice(0, at);
  const some = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
  return { some, hasMore: rest.length > limit };
};

// That of the part that is named, else those of the customer or of all, the newest first.
const intentsWanted = async (call: Call): Promise<readonly IntentRecord[]> => {
  const intentId = textParam(call.params, 'payment_intent');
  if (intentId !== null) return [await call.transaction.get('intent', intentId, 'payment_intent')];
  for (const name of ['charge', 'source']) {
    const part = textParam(call.params, name);
    if (part !== null) return [await call.transaction.get('intent', intentIdOfPart(part), name)];
  }
  return newestIntents(call, { customerId: textParam(call.params, 'customer') ?? undefined });
};

// As they are now, also where time alone has changed them.
export const newestIntents = async (
  { tools, transaction, now }: Call,
  query: {
    readonly customerId?: string | undefined;
    readonly metadata?: Readonly<Record<string, string>>;
  } = {},
): Promise<readonly IntentRecord[]> => {
  const { customerId, metadata } = query;
  const stored = await tools.store.list({
    kind: 'intent',
    limit: limits.recordsSearched,
    ...(customerId !== undefined && { customerId }),
    ...(metadata && { metadata }),
  });
  const intents = stored.map((each) => intentAt(each, now + each.clockOffsetMs).intent);
  transaction.put(intents);
  return intents;
};

export const listCharges = listParts({
  url: '/v1/charges',
  partsOf: ({ attempts }) => attempts,
  filters: ['payment_intent', 'customer'],
});

export const listRefunds = listParts({
  url: '/v1/refunds',
  partsOf: ({ refunds }) => refunds,
  filters: ['payment_intent', 'charge'],
});

export const listDisputes = listParts({
  url: '/v1/disputes',
  partsOf: ({ attempts }) => attempts.flatMap(({ dispute }) => (dispute ? [dispute] : [])),
  filters: ['payment_intent', 'charge'],
});

const listEntries = listParts({
  url: '/v1/balance_transactions',
  partsOf: balanceEntriesOf,
  filters: ['source', 'type', 'currency'],
  isWanted: (part, { params }) => {
    const { type, source } = part as BalanceEntry;
    const [ofType, ofSource] = [textParam(params, 'type'), textParam(params, 'source')];
    return (ofType ?? type) === type && (ofSource ?? source) === source;
  },
});

// There is one balance, in pounds sterling, and no payout of it.
export const listBalanceEntries: Operation = (call) => {
  if (textParam(call.params, 'payout') !== null)
    throw invalid(
      `No such payout: '${textParam(call.params, 'payout')}'`,
      'payout',
      'resource_missing',
    );
  return listEntries(call);
};

// It is available at once, and reserves nothing.
export const readBalance: Operation = async (call) => {
  refuseUnknownParams(call.params, []);
  const entries = (await newestIntents(call)).flatMap(balanceEntriesOf);
  const amount = entries.reduce((sum, entry) => sum + entry.amount, 0);
  const available = [{ amount, currency: 'gbp', source_types: { card: amount } }];
  return { body: { object: 'balance', available, livemode: false, pending: [] } };
};

export const readPart: Operation = async (call) => {
  const intent = await call.transaction.find('intent', intentIdOfPart(call.id));
  const body = intent && (await call.transaction.render(call.id));
  if (!body) throw missing(kindOf(call.id), call.id);
  return { body };
};

const kinds: Readonly<Record<string, string>> = {
  re: 'refund',
  dp: 'dispute',
  txn: 'balance transaction',
  we: 'endpoint',
};

const kindOf = (id: string): string => kinds[id.split('_')[0] ?? ''] ?? 'charge';
