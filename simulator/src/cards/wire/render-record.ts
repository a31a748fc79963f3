import { lastFourOfMagicCard, magicCardByKey, productOfMagicCard } from '../magic-card.ts';
import type {
  CardRecord,
  CustomerRecord,
  EndpointRecord,
  FileRecord,
  IntentRecord,
  MethodRecord,
  SessionRecord,
} from '../model.ts';
import { type Rendered, seconds } from './render-charge.ts';
import { renderIntent } from './render-intent.ts';
import { renderSetup } from './render-setup.ts';

type Surroundings = {
  readonly pagesUrl: string;
  // A session shows the payment of its intent.
  readonly intentOf: (session: SessionRecord) => IntentRecord | undefined;
};

export const renderRecord = (record: CardRecord, around: Surroundings): Rendered => {
  switch (record.kind) {
    case 'customer':
      return renderCustomer(record);
    case 'method':
      return renderMethod(record);
    case 'intent':
      return renderIntent(record, around.pagesUrl);
    case 'session':
      return renderSession(record, around);
    case 'setup':
      return renderSetup(record, around.pagesUrl);
    case 'endpoint':
      return renderEndpoint(record);
    case 'file':
      return renderFile(record);
  }
};

const keptMs = 274 * 24 * 60 * 60 * 1000;

const renderFile = ({ id, createdAt, fileName, bytes, type }: FileRecord): Rendered => ({
  id,
  object: 'file',
  created: seconds(createdAt),
  expires_at: seconds(createdAt + keptMs),
  filename: fileName,
  links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` },
  purpose: 'dispute_evidence',
  size: bytes,
  title: null,
  type,
  url: null,
});

const renderCustomer = (customer: CustomerRecord): Rendered => {
  const { id } = customer;
  if (customer.isDeleted) return { id, object: 'customer', deleted: true };
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: seconds(customer.createdAt),
    currency: null,
    default_source: null,
    delinquent: false,
    description: customer.description,
    email: customer.email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    phone: customer.phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
};

const renderMethod = (method: MethodRecord): Rendered => {
  const row = magicCardByKey(method.card);
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: method.allowRedisplay,
    billing_details: { address: null, email: null, name: method.holderName, phone: null },
    card: {
      brand: row.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: row.country,
      description: productOfMagicCard(row),
      display_brand: row.brand,
      exp_month: method.expiryMonth,
      exp_year: method.expiryYear,
      fingerprint: method.fingerprint,
      funding: row.funding,
      generated_from: null,
      last4: lastFourOfMagicCard(row),
      networks: { available: [row.brand], preferred: null },
      regulated_status: null,
      three_d_secure_usage: { supported: row.authentication !== 'not-supported' },
      wallet: null,
    },
    created: seconds(method.createdAt),
    customer: method.customerId,
    livemode: false,
    metadata: method.metadata,
    type: 'card',
  };
};

const renderSession = (session: SessionRecord, around: Surroundings): Rendered => {
  const isPaid = around.intentOf(session)?.status === 'succeeded';
  const isOpen = session.status === 'open';
  const isEmbedded = session.clientSecret !== null;
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amount,
    amount_total: session.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: isOpen ? session.clientSecret : null,
    created: seconds(session.createdAt),
    currency: session.currency,
    custom_fields: [],
    customer: session.customerId,
    customer_creation: session.customerId === null ? 'if_required' : null,
    customer_email: session.customerEmail,
    expires_at: seconds(session.expiresAt),
    livemode: false,
    locale: null,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: session.intentId,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_options: {
      card: { request_three_d_secure: session.intentParameters.requestThreeDs },
    },
    payment_method_types: ['card'],
    payment_status: isPaid ? 'paid' : 'unpaid',
    ...(isEmbedded && { redirect_on_completion: 'always', return_url: session.successUrl }),
    saved_payment_method_options: {
      allow_redisplay_filters: session.redisplayFilters,
      payment_method_remove: 'disabled',
      payment_method_save: session.offersToSave ? 'enabled' : 'disabled',
    },
    setup_intent: null,
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: isEmbedded ? null : session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: isEmbedded ? 'embedded_page' : 'hosted_page',
    url: isOpen && !isEmbedded ? `${around.pagesUrl}/pay/${session.id}` : null,
  };
};

const renderEndpoint = (endpoint: EndpointRecord): Rendered => ({
  id: endpoint.id,
  object: 'webhook_endpoint',
  api_version: null,
  application: null,
  created: seconds(endpoint.createdAt),
  description: null,
  enabled_events: endpoint.enabledEvents,
  livemode: false,
  metadata: endpoint.metadata,
  status: 'enabled',
  url: endpoint.url,
});
