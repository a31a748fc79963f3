import { invalid } from '../rules/api-error.ts';
import type { RenderById } from '../transaction/render-by-id.ts';

type Tree = { [name: string]: unknown };

const ids = /^(pi|ch|re|cs_test|pm|cus|dp|txn|seti)_/;
const expandDepthMax = 4;

// expand[]=latest_charge or data.payment_intent: that id is replaced by its object.
export const expand = async (
  body: object,
  paths: readonly string[],
  render: RenderById,
): Promise<object> => {
  const tree = structuredClone(body) as Tree;
  if (isPlainError(tree)) return tree;
  for (const path of paths) {
    requireExpandable(tree, path);
    await expandPath(tree, path.split('.'), render);
  }
  return tree;
};

// An outage or a refused key names no object: the error stands as it is.
const isPlainError = (body: Tree): boolean => body.error !== undefined && shownBy(body) === body;

const requireExpandable = (body: Tree, path: string): void => {
  const names = path.split('.');
  if (names.length > expandDepthMax)
    throw invalid(`You cannot expand more than ${expandDepthMax} levels of a property.`, 'expand');
  const shown = shownBy(body);
  const listed = listedIn(shown);
  const beginsWell = listed === null || (names[0] === 'data' && names.length > 1);
  const inObject = listed === null ? names : names.slice(1);
  if (!beginsWell || !isExpandable(listed ?? String(shown.object), inObject))
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
};

// An error shows the payment or the card that it is about.
const shownBy = (body: Tree): Tree => {
  const { payment_intent: intent, setup_intent: setup } = (body.error ?? {}) as Tree;
  return ((intent ?? setup) as Tree | undefined) ?? body;
};

const isExpandable = (object: string, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return true;
  const inside = expandableIn(object, name);
  return inside !== null && isExpandable(inside, rest);
};

const expandPath = async (
  tree: Tree,
  path: readonly string[],
  render: RenderById,
): Promise<void> => {
  const [head = '', ...rest] = path;
  const value = tree[head];
  if (typeof value === 'string' && ids.test(value)) tree[head] = (await render(value)) ?? value;
  const inside = tree[head];
  if (rest.length === 0 || typeof inside !== 'object' || inside === null) return;
  const branches = Array.isArray(inside) ? inside : [inside];
  for (const branch of branches) await expandPath(branch as Tree, rest, render);
};

// Expandable properties of each object, with the object they hold; empty: always null here.
const expandable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment_intent: {
    application: '',
    customer: 'customer',
    latest_charge: 'charge',
    on_behalf_of: '',
    payment_method: 'payment_method',
  },
  charge: {
    application: '',
    balance_transaction: 'balance_transaction',
    customer: 'customer',
    payment_intent: 'payment_intent',
    on_behalf_of: '',
  },
  refund: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
    charge: 'charge',
    payment_intent: 'payment_intent',
    source_transfer_reversal: '',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  balance_transaction: { source: 'charge' },
  setup_intent: {
    application: '',
    customer: 'customer',
    latest_attempt: '',
    mandate: '',
    on_behalf_of: '',
    payment_method: 'payment_method',
    single_use_mandate: '',
  },
  payment_method: { customer: 'customer' },
  customer: { default_source: '', test_clock: '' },
  'checkout.session': {
    customer: 'customer',
    payment_intent: 'payment_intent',
    payment_link: '',
    setup_intent: '',
    subscription: '',
  },
};

const objectOfList: Readonly<Record<string, string>> = {
  charges: 'charge',
  customers: 'customer',
  disputes: 'dispute',
  payment_intents: 'payment_intent',
  payment_methods: 'payment_method',
  refunds: 'refund',
  setup_intents: 'setup_intent',
  balance_transactions: 'balance_transaction',
  sessions: 'checkout.session',
};

// The object that an expanded property holds; null: it cannot be expanded.
const expandableIn = (object: string, name: string): string | null =>
  expandable[object]?.[name] ?? null;

// The object of a list, also of an empty one; null: it is no list.
const listedIn = (body: { readonly object?: unknown; readonly url?: unknown }) => {
  if (body.object !== 'list' && body.object !== 'search_result') return null;
  const [named = ''] = String(body.url)
    .replace(/\/search$/, '')
    .split('/')
    .slice(-1);
  return objectOfList[named] ?? '';
};
