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
    balance_transaction: '',
    customer: 'customer',
    payment_intent: 'payment_intent',
    on_behalf_of: '',
  },
  refund: {
    balance_transaction: '',
    charge: 'charge',
    payment_intent: 'payment_intent',
    source_transfer_reversal: '',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
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
  search: 'payment_intent',
  sessions: 'checkout.session',
};

// The object that an expanded property holds; null: it cannot be expanded.
export const expandableIn = (object: string, name: string): string | null =>
  expandable[object]?.[name] ?? null;

// The object of a list, also of an empty one; null: it is no list.
export const listedIn = (body: { readonly object?: unknown; readonly url?: unknown }) => {
  if (body.object !== 'list' && body.object !== 'search_result') return null;
  return objectOfList[String(body.url).split('/').at(-1) ?? ''] ?? '';
};
