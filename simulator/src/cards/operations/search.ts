import { limits } from '#simulator/limits.ts';
import { invalid } from '../rules/api-error.ts';
import { integerParam, refuseUnknownParams, requiredParam } from '../wire/parameters.ts';
import type { Rendered } from '../wire/render-charge.ts';
import type { Call, Operation } from './call.ts';
import { pageOf, showAll } from './lists.ts';
import { newestIntents } from './parts.ts';

// Stripe's search language: clauses of a field, an operator and a value, all of them or any.
type Clause = {
  readonly isNegated: boolean;
  readonly path: readonly string[];
  readonly operator: ':' | '~' | '>' | '<' | '>=' | '<=';
  // Null: the field has no value.
  readonly value: string | null;
};

type Query = { readonly clauses: readonly Clause[]; readonly isAny: boolean };

const clauseText =
  /^(-?)\s*([a-z_.0-9]+)(?:\[(["'])(.+?)\3\])?\s*(>=|<=|:|~|>|<)\s*(?:(["'])(.*)\6|(null|-?\d+))$/is;

// A joining word within quotes joins nothing.
const joints = /\s+(AND|OR)\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/gi;

const parseQuery = (text: string, fields: readonly string[]): Query => {
  const words = new Set([...text.matchAll(joints)].map(([, word = '']) => word.toUpperCase()));
  if (words.size > 1) throw unparsed(text, 'AND and OR cannot be combined');
  const parts = text.split(new RegExp(joints, 'i')).filter((_, at) => at % 2 === 0);
  return { isAny: words.has('OR'), clauses: parts.map((part) => parseClause(part, fields)) };
};

const parseClause = (text: string, fields: readonly string[]): Clause => {
  const parsed = clauseText.exec(text.trim());
  const [, minus, field = '', , key, operator = ':', , quoted, bare = ''] = parsed ?? [];
  if (!parsed || (field === 'metadata') !== (key !== undefined)) throw unparsed(text);
  if (!fields.includes(field)) throw unparsed(text, `${field} is not a field that can be searched`);
  return {
    isNegated: minus === '-',
    path: key === undefined ? field.split('.') : [field, key],
    operator: operator as Clause['operator'],
    value: quoted ?? (bare === 'null' ? null : bare),
  };
};

const unparsed = (text: string, why = 'it is not a clause') =>
  invalid(`We were unable to parse your search query: ${text} (${why}).`, 'query');

const isFound = (object: object, { clauses, isAny }: Query): boolean =>
  isAny
    ? clauses.some((clause) => holds(object, clause))
    : clauses.every((clause) => holds(object, clause));

const holds = (object: object, { path, isNegated, ...comparison }: Clause): boolean => {
  const found = path.reduce<unknown>(
    (inside, name) => (inside as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    object,
  );
  return compares(found, comparison) !== isNegated;
};

const compares = (found: unknown, { operator, value }: Pick<Clause, 'operator' | 'value'>) => {
  if (value === null) return found === null || found === undefined;
  if (found === null || found === undefined) return false;
  const [text, wanted] = [String(found).toLowerCase(), value.toLowerCase()];
  switch (operator) {
    case ':':
      return text === wanted;
    case '~':
      return text.includes(wanted);
    case '>':
      return Number(found) > Number(value);
    case '<':
      return Number(found) < Number(value);
    case '>=':
      return Number(found) >= Number(value);
    case '<=':
      return Number(found) <= Number(value);
  }
};

type Search = {
  readonly url: string;
  readonly fields: readonly string[];
  readonly list: (call: Call, query: Query) => Promise<readonly { readonly id: string }[]>;
};

// Results are immediate here; at Stripe they take a while.
const searchIn =
  ({ url, fields, list }: Search): Operation =>
  async (call) => {
    refuseUnknownParams(call.params, ['query', 'limit', 'page']);
    const query = parseQuery(requiredParam(call.params, 'query'), [...fields, 'metadata']);
    const { limit } = pageOf(call);
    const start = integerParam(call.params, 'page') ?? 0;
    const shown = (await showAll(call, await list(call, query))).filter((each) =>
      isFound(each, query),
    );
    const end = start + limit;
    const hasMore = shown.length > end;
    const data: readonly Rendered[] = shown.slice(start, end);
    const next_page = hasMore ? String(end) : null;
    return { body: { object: 'search_result', data, has_more: hasMore, next_page, url } };
  };

// What the index of the metadata finds; null: it does not apply.
const metadataIn = ({ clauses, isAny }: Query): Readonly<Record<string, string>> | undefined => {
  const exact = clauses.flatMap(({ path, operator, value, isNegated }) =>
    path[0] === 'metadata' && operator === ':' && value !== null && !isNegated && !isAny
      ? [[path[1] ?? '', value] as const]
      : [],
  );
  return exact.length === 0 ? undefined : Object.fromEntries(exact);
};

const intentsFor = (call: Call, query: Query) => {
  const metadata = metadataIn(query);
  return newestIntents(call, metadata ? { metadata } : {});
};

export const searchIntents = searchIn({
  url: '/v1/payment_intents/search',
  fields: ['amount', 'created', 'currency', 'customer', 'status'],
  list: intentsFor,
});

export const searchCharges = searchIn({
  url: '/v1/charges/search',
  fields: [
    ...['amount', 'created', 'currency', 'customer', 'disputed', 'refunded', 'status'],
    ...['brand', 'exp_month', 'exp_year', 'fingerprint', 'last4'].map(
      (name) => `payment_method_details.card.${name}`,
    ),
  ],
  list: async (call, query) =>
    (await intentsFor(call, query)).flatMap(({ attempts }) => attempts.toReversed()),
});

export const searchCustomers = searchIn({
  url: '/v1/customers/search',
  fields: ['created', 'email', 'name', 'phone'],
  list: async ({ tools, transaction }) => {
    const found = await tools.store.list({ kind: 'customer', limit: limits.recordsSearched });
    transaction.put(found);
    return found.filter(({ isDeleted }) => !isDeleted);
  },
});
