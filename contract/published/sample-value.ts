import type { TSchema } from 'typebox';

type Part = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly anyOf?: readonly Part[];
  readonly items?: Part;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
};

/** A value of the schema as it could really be; a request has only what it needs. */
export const sampleValue = (
  schema: TSchema,
  options: { readonly onlyRequired: boolean },
): unknown => sample(schema as Part, '', options.onlyRequired);

const sample = (part: Part, name: string, onlyRequired: boolean): unknown => {
  const known = samplesByName[name];
  if (known !== undefined && takes(part, known)) return known;
  if (part.enum) return part.enum[0];
  if (part.const !== undefined) return part.const;
  if (part.anyOf?.[0]) return sample(part.anyOf[0], name, onlyRequired);
  return sampleOfType([part.type].flat()[0] ?? 'string', part, name, onlyRequired);
};

const sampleOfType = (type: string, part: Part, name: string, onlyRequired: boolean): unknown => {
  if (type === 'object') return sampleMembers(part, onlyRequired);
  if (type === 'array') return sampleItems(part, name, onlyRequired);
  if (type === 'boolean') return part.default ?? false;
  if (type === 'string') return sampleText(part, name);
  return part.default ?? part.minimum ?? 0;
};

const sampleMembers = (part: Part, onlyRequired: boolean): object =>
  Object.fromEntries(
    Object.entries(part.properties ?? {})
      .filter(([name]) => !onlyRequired || part.required?.includes(name))
      .map(([name, member]) => [name, sample(member, name, onlyRequired)]),
  );

const sampleItems = (part: Part, name: string, onlyRequired: boolean): readonly unknown[] =>
  Array.from({ length: Math.max(part.minItems ?? 1, 1) }, () =>
    sample(part.items ?? {}, name.replace(/s$/, ''), onlyRequired),
  );

const sampleText = ({ format, type }: Part, name: string): string | null => {
  if (format === 'uuid' || /(?:Id|Uuid|^id)$/.test(name)) return sampleUuid;
  if (format === 'date' || name === 'date') return '2026-11-20';
  if (format === 'date-time' || /(?:At|Since|By|Date|time|now|from|before)$/i.test(name))
    return '2026-11-20T10:00:00.000Z';
  if (/url$/i.test(name)) return 'https://shop.example/order-1042';
  return [type].flat().includes('null') ? null : name || 'text';
};

const takes = (part: Part, value: unknown): boolean => {
  if (part.enum) return part.enum.includes(value);
  if (part.format === 'uuid') return false;
  const types = [part.type ?? []].flat();
  const type = Array.isArray(value) ? 'array' : typeof value;
  return types.includes(type) || (types.includes('integer') && Number.isInteger(value));
};

export const sampleUuid = '6c1f0f0e-52f5-4d0e-9a4b-0a4f0c6b7a11';

/** One order of one shop, wherever a member of this name takes the value. */
const samplesByName: Readonly<Record<string, unknown>> = {
  accountNumber: '00000190',
  accentColour: '#1d4ed8',
  address: '1 High Street',
  addressLine1: '1 High Street',
  amount: 12.5,
  avatarUrl: null,
  logo: null,
  logoUrl: null,
  supportEmail: 'help@demo-coffee.example',
  supportPhone: '+44 20 7946 0000',
  supportUrl: 'https://demo-coffee.example/help',
  bankAccountNo: '****0190',
  bankName: 'Mock Bank',
  brand: 'VISA',
  businessName: 'Demo Coffee Roasters',
  cardType: 'VISA',
  categoryCode: '5814',
  city: 'London',
  code: 'ACSC',
  country: 'GB',
  currency: 'GBP',
  cursor: '1042',
  cutOff: '17:00',
  options: [10, 15, 20],
  customerId: 'customer-1',
  customerIds: sampleUuid,
  day: '2026-11-20',
  email: 'ada@example.com',
  expMonth: 12,
  expYear: 2030,
  event: 'PAYMENTS_STATUS',
  fullName: 'Ada Lovelace',
  institutionId: 'mock-sandbox-v1',
  last4: '4242',
  label: 'Payment Status',
  locationName: 'High Street',
  merchantName: 'Demo Coffee Roasters',
  name: 'Demo Coffee Roasters',
  orderId: 'order-1042',
  ownerEmail: 'owner@example.com',
  message: 'Test webhook sent.',
  paidAmount: 12.5,
  paymentUrl: 'https://pay.example/pay/6c1f0f0e',
  qrCodeUrl: 'https://pay.example/qr/6c1f0f0e.svg',
  qrCodeUrlPng: 'https://pay.example/qr/6c1f0f0e.png',
  isoStatus: { code: 'ACSC', name: 'AcceptedSettlementCompleted' },
  paymentIdempotencyId: 'FLR7Q2M4K9T1',
  phoneCountryCode: '44',
  phoneNumber: '7700900123',
  postcode: 'SW1A 1AA',
  postalCode: 'SW1A 1AA',
  redirectUrlParams: '{}',
  refundAmount: '5.00',
  shortUrl: 'https://pay.example/p/7Q2M4K9T1',
  signingSecret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  sortCode: '180002',
  status: 'COMPLETED',
  totalCount: 1,
  url: 'https://shop.example/webhooks',
};
