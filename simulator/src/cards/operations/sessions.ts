import { type LineItem, type SessionRecord, unsaved } from '../model.ts';
import { ApiError, invalid } from '../rules/api-error.ts';
import { expireSession } from '../rules/due-at.ts';
import {
  integerParam,
  listParam,
  metadataParam,
  type Params,
  paramAt,
  paramOneOf,
  refuseUnknownParams,
  requiredParam,
  textParam,
  textsParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, replyWith } from './call.ts';
import { livingCustomer } from './customers.ts';
import { chargeable, currencyOf } from './intents.ts';
import { readIntentParameters } from './read-intent-parameters.ts';

const known = [
  'mode',
  'line_items',
  'success_url',
  'cancel_url',
  'return_url',
  'customer',
  'customer_email',
  'customer_creation',
  'client_reference_id',
  'metadata',
  'expires_at',
  'payment_intent_data',
  'payment_method_data',
  'payment_method_options',
  'payment_method_types',
  'allowed_payment_method_types',
  'saved_payment_method_options',
  'submit_type',
  'locale',
  'ui_mode',
  'branding_settings',
  'billing_address_collection',
  'phone_number_collection',
  'custom_text',
  'consent_collection',
  'allow_promotion_codes',
  'adaptive_pricing',
];
const minuteMs = 60_000;
const longestMs = 24 * 60 * minuteMs;

export const createSession: Operation = async (call) => {
  const { params, tools, now } = call;
  refuseUnknownParams(params, known);
  if (requiredParam(params, 'mode') !== 'payment')
    throw invalid('Only mode payment is simulated.', 'mode');
  const named = textParam(params, 'customer');
  const customer = named === null ? null : await livingCustomer(call, named, 'customer');
  const { lineItems, currency } = lineItemsOf(call);
  const amount = lineItems.reduce((sum, each) => sum + each.unitAmount * each.quantity, 0);
  const id = `cs_test_${tools.random.text(58)}`;
  const session: SessionRecord = {
    ...{ kind: 'session', id },
    ...unsaved(now),
    customerId: customer?.id ?? null,
    ...{ status: 'open', currency, lineItems, intentId: null },
    amount: chargeable(amount, String(amount)),
    ...waysOn(call, id),
    look: lookOf(params),
    clientReferenceId: textParam(params, 'client_reference_id'),
    customerEmail: textParam(params, 'customer_email'),
    metadata: metadataParam(params),
    expiresAt: expiryOf(params, now),
    intentParameters: intentParametersOf(params),
    offersToSave:
      paramOneOf(params, 'saved_payment_method_options.payment_method_save', [
        'enabled',
        'disabled',
      ]) === 'enabled',
    hidesAgreement: paramOneOf(params, agreement, ['auto', 'hidden']) === 'hidden',
    redisplayFilters: filtersOf(params),
  };
  return replyWith(call, session.id, [session]);
};

const agreement = 'consent_collection.payment_method_reuse_agreement.position';

// Where the customer goes next. Fields in the shop's page have one way on and a secret to open them.
const waysOn = (
  { params, tools }: Call,
  id: string,
): Pick<SessionRecord, 'successUrl' | 'cancelUrl' | 'clientSecret'> => {
  const mode = paramOneOf(params, 'ui_mode', ['hosted_page', 'embedded_page']) ?? 'hosted_page';
  const isEmbedded = mode === 'embedded_page';
  const name = isEmbedded ? 'return_url' : 'success_url';
  const foreign = isEmbedded ? ['success_url', 'cancel_url'] : ['return_url'];
  for (const other of foreign)
    if (paramAt(params, other) !== undefined)
      throw invalid(`${other} is not allowed with ui_mode ${mode}.`, other);
  return {
    successUrl: addressOf(params, name) ?? requiredParam(params, name),
    cancelUrl: addressOf(params, 'cancel_url'),
    clientSecret: isEmbedded ? `${id}_secret_${tools.random.text(32)}` : null,
  };
};

const lookOf = (params: Params): SessionRecord['look'] => {
  const background = colourOf(params, 'branding_settings.background_color');
  const button = colourOf(params, 'branding_settings.button_color');
  return background && button ? { background, button } : null;
};

const colourOf = (params: Params, name: string): string | null => {
  const colour = textParam(params, name);
  if (colour === null || /^#[0-9a-f]{6}$/i.test(colour)) return colour;
  throw invalid('Not a hex color.', name);
};

const intentParametersOf = (params: Params) => {
  const data = paramAt(params, 'payment_intent_data') ?? {};
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw invalid('Invalid object', 'payment_intent_data');
  }
  const options = paramAt(params, 'payment_method_options');
  return readIntentParameters({
    ...(data as Params),
    ...(options && { payment_method_options: options }),
  });
};

const filtersOf = (params: Params): readonly string[] => {
  const filters = textsParam(params, 'saved_payment_method_options.allow_redisplay_filters');
  return filters.length === 0 ? ['always'] : filters;
};

const addressOf = (params: Params, name: string): string | null => {
  const value = textParam(params, name);
  if (value === null || /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')) {
    return value;
  }
  throw invalid('Not a valid URL', name, 'url_invalid');
};

const expiryOf = (params: Params, now: number): number => {
  const at = integerParam(params, 'expires_at');
  if (at === undefined) return now + longestMs;
  const expiresAt = at * 1000;
  // A whole second of grace, as the caller counts in seconds.
  if (expiresAt >= now + 30 * minuteMs - 1000 && expiresAt <= now + longestMs + 1000) {
    return expiresAt;
  }
  const message = 'expires_at must be from 30 minutes to 24 hours from now.';
  throw invalid(message, 'expires_at');
};

const lineItemsOf = (call: Call): { lineItems: readonly LineItem[]; currency: string } => {
  const items = listParam(call.params, 'line_items') as readonly Params[];
  if (items.length === 0)
    throw invalid('line_items is required.', 'line_items', 'parameter_missing');
  const currencies = new Set(items.map((item) => currencyOf(item, 'price_data.currency')));
  if (currencies.size > 1) throw invalid('All line items must have one currency.', 'line_items');
  const lineItems = items.map((item) => ({
    id: `li_1${call.tools.random.text(23)}`,
    name: requiredParam(item, 'price_data.product_data.name'),
    unitAmount: integerParam(item, 'price_data.unit_amount') ?? Number.NaN,
    quantity: integerParam(item, 'quantity') ?? 1,
  }));
  if (lineItems.some((each) => Number.isNaN(each.unitAmount))) {
    throw invalid(
      'Missing required param.',
      'line_items[price_data][unit_amount]',
      'parameter_missing',
    );
  }
  return { lineItems, currency: [...currencies][0] ?? 'gbp' };
};

export const expireSessionNow: Operation = async (call) => {
  refuseUnknownParams(call.params, []);
  const session = await call.transaction.get('session', call.id);
  if (session.status !== 'open') {
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message:
        'Only Checkout Sessions with a status in ["open"] can be expired. ' +
        `This Checkout Session has a status of ${session.status}.`,
    });
  }
  const intent = session.intentId
    ? await call.transaction.find('intent', session.intentId)
    : undefined;
  const change = expireSession(session, intent, call.now + session.clockOffsetMs);
  return replyWith(call, session.id, change.saved, change.eventDrafts);
};
