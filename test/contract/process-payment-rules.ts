import { type AcceptedRule, lineItemRules, long, type RejectedRule } from './line-item-rules.ts';

const unknownId = '7f0c7a3e-0000-4000-8000-000000000001';
const params = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
/** A number that no JSON.stringify would write: the body is put together as text. */
const rawJson = (json: string) => ({ written: json });
type RawJson = ReturnType<typeof rawJson>;

const days400 = 34_560_000_000;
const https = 'https://shop.example/';

const memberColumns = [
  ['atoaCustomerId', 'customer_id'],
  ['serviceCustomerId', 'customer_id'],
  ['paymentMethod', 'payment_methods'],
  ['savePaymentMethod', 'saves_payment_method'],
  ['autoRedirect', 'auto_redirects'],
  ['institutionId', 'institution_id'],
  ['consumerDetails', 'consumer_details'],
  ['callbackParams', 'callback_params'],
  ['notes', 'notes'],
  ['lineItems', 'line_items'],
  ['payerNote', 'payer_note'],
  ['enableTips', 'tips_enabled'],
  ['allowRetry', 'retry_allowed'],
  ['redirectUrl', 'redirect_url'],
  ['splitBill', 'splits_bill'],
  ['template', 'template'],
  ['paymentType', 'payment_type'],
  ['strictExpiry', 'strict_expiry'],
  ['expiresIn', 'expires_in_ms'],
] as const;

/** Defaults of members that are left out. */
const defaults: readonly (readonly [column: string, stored: unknown])[] = [
  ['status', 'OPEN'],
  ['customer_id', null],
  ['payment_methods', null],
  ['saves_payment_method', false],
  ['auto_redirects', false],
  ['institution_id', null],
  ['consumer_details', null],
  ['callback_params', {}],
  ['notes', null],
  ['line_items', null],
  ['payer_note', null],
  ['tips_enabled', true],
  ['retry_allowed', true],
  ['redirect_url', null],
  ['splits_bill', false],
  ['template', null],
  ['payment_type', null],
  ['strict_expiry', false],
  ['expires_in_ms', '180000'],
  ['paid_pence', '0'],
];

const defaultsByMember = memberColumns.map(([member, column]): AcceptedRule => {
  const stored = defaults.find(([each]) => each === column)?.[1];
  return [member, null, column, stored];
});

/** Telephone numbers as existing clients send them: normalised, never a reason to refuse. */
const phones: readonly (readonly [sent: object, stored: object])[] = [
  [{ phoneNumber: long(15, '7') }, { phoneNumber: long(15, '7') }],
  [{ phoneCountryCode: '12345' }, { phoneCountryCode: '12345' }],
  [
    { phoneCountryCode: '+44', phoneNumber: '07700 900-123' },
    { phoneCountryCode: '44', phoneNumber: '7700900123' },
  ],
  [
    { phoneCountryCode: '0044', phoneNumber: '+44 (0)7700 900123' },
    { phoneCountryCode: '44', phoneNumber: '7700900123' },
  ],
  [
    { phoneCountryCode: 44, phoneNumber: 447700900123 },
    { phoneCountryCode: '44', phoneNumber: '7700900123' },
  ],
  [{ phoneNumber: '+447700900123' }, { phoneCountryCode: '44', phoneNumber: '7700900123' }],
  [{ phoneNumber: '00353 87 123 4567' }, { phoneNumber: '353871234567' }],
  [{ phoneCountryCode: '', phoneNumber: 'n/a' }, {}],
  [{ phoneCountryCode: '123456', phoneNumber: long(40, '7') }, {}],
  [{ phoneCountryCode: null, phoneNumber: null, email: null }, {}],
];

/** Null stands for a member that is left out. */
const nullable: readonly AcceptedRule[] = [
  ...defaultsByMember,
  ['currency', null, 'status', 'OPEN'],
  ['storeId', null, 'status', 'OPEN'],
  ['callbackParams', { a: null, b: 'x' }, 'callback_params', { b: 'x' }],
  [
    'consumerDetails',
    { lastName: null, firstName: 'Ada' },
    'consumer_details',
    { firstName: 'Ada' },
  ],
  ['redirectUrl', '', 'redirect_url', null],
];

const accepted: readonly AcceptedRule[] = [
  ...nullable,
  ['customerId', 'c', 'merchant_customer_reference', 'c'],
  ['customerId', long(50), 'merchant_customer_reference', long(50)],
  ['customerId', long(50, '🙂'), 'merchant_customer_reference', long(50, '🙂')],
  ['customerId', ' padded ', 'merchant_customer_reference', ' padded '],
  ['orderId', '1', 'order_id', '1'],
  ['orderId', 1042, 'order_id', '1042'],
  ['orderId', -7, 'order_id', '-7'],
  ['orderId', rawJson('9007199254740991'), 'order_id', '9007199254740991'],
  ['customerId', 7, 'merchant_customer_reference', '7'],
  ['customerId', 0, 'merchant_customer_reference', '0'],
  ['orderId', long(50), 'order_id', long(50)],
  ['orderId', '<b>"&\'\\', 'order_id', '<b>"&\'\\'],
  ['amount', 1, 'amount_pence', '100'],
  ['amount', 1.1, 'amount_pence', '110'],
  ['amount', 19.99, 'amount_pence', '1999'],
  ['amount', 15_000, 'amount_pence', '1500000'],
  ['amount', rawJson('1e2'), 'amount_pence', '10000'],
  ['amount', rawJson('12.500'), 'amount_pence', '1250'],
  ['amount', '1', 'amount_pence', '100'],
  ['amount', '12.5', 'amount_pence', '1250'],
  ['amount', '12.50', 'amount_pence', '1250'],
  ['amount', '15000.00', 'amount_pence', '1500000'],
  ['amount', '12.5000', 'amount_pence', '1250'],
  ['amount', '12.000', 'amount_pence', '1200'],
  ['paymentMethod', ['PAY_BY_BANK'], 'payment_methods', ['PAY_BY_BANK']],
  ['paymentMethod', ['CARD', 'PAY_BY_BANK'], 'payment_methods', ['CARD', 'PAY_BY_BANK']],
  ['savePaymentMethod', false, 'saves_payment_method', false],
  ['autoRedirect', true, 'auto_redirects', true],
  ['autoRedirect', false, 'auto_redirects', false],
  ['institutionId', 'mock-sandbox-v1', 'institution_id', 'mock-sandbox-v1'],
  ['consumerDetails', {}, 'consumer_details', {}],
  ['consumerDetails', { email: '' }, 'consumer_details', { email: '' }],
  ...phones.map(([sent, stored]) => ['consumerDetails', sent, 'consumer_details', stored] as const),
  ['consumerDetails', { firstName: long(100) }, 'consumer_details', { firstName: long(100) }],
  ['consumerDetails', { lastName: long(100) }, 'consumer_details', { lastName: long(100) }],
  ['callbackParams', {}, 'callback_params', {}],
  ['callbackParams', { a: 'b', c: 1.5, d: false }, 'callback_params', { a: 'b', c: 1.5, d: false }],
  ['callbackParams', params(50), 'callback_params', params(50)],
  ['callbackParams', { [long(100)]: 1 }, 'callback_params', { [long(100)]: 1 }],
  ['callbackParams', { a: long(1000) }, 'callback_params', { a: long(1000) }],
  ['callbackParams', { constructor: 'x' }, 'callback_params', { constructor: 'x' }],
  ['expiresIn', 1, 'expires_in_ms', '1'],
  ['expiresIn', '1', 'expires_in_ms', '1'],
  ['expiresIn', '180000', 'expires_in_ms', '180000'],
  ['expiresIn', days400, 'expires_in_ms', String(days400)],
  ['expiresIn', rawJson('1e3'), 'expires_in_ms', '1000'],
  ['strictExpiry', true, 'strict_expiry', true],
  ['notes', '', 'notes', ''],
  ['notes', long(30), 'notes', long(30)],
  ['notes', long(30, '🙂'), 'notes', long(30, '🙂')],
  ...lineItemRules.accepted,
  ['enableTips', false, 'tips_enabled', false],
  ['allowRetry', false, 'retry_allowed', false],
  ['redirectUrl', `${https}a?b=c#d`, 'redirect_url', `${https}a?b=c#d`],
  ['redirectUrl', 'http://localhost:3000/', 'redirect_url', 'http://localhost:3000/'],
  ['redirectUrl', 'com.example.shop://paid', 'redirect_url', 'com.example.shop://paid'],
  ['redirectUrl', 'uk.co.my-shop.app:/paid', 'redirect_url', 'uk.co.my-shop.app:/paid'],
  [
    'redirectUrl',
    https + long(2048 - https.length),
    'redirect_url',
    https + long(2048 - https.length),
  ],
  ['splitBill', true, 'splits_bill', true],
  ['template', 'EXTERNAL_DISPLAY', 'template', 'EXTERNAL_DISPLAY'],
  ['template', 'EXTERNAL_DISPLAY_PNG', 'template', 'EXTERNAL_DISPLAY_PNG'],
  ['template', 'RECEIPT', 'template', 'RECEIPT'],
  ['template', 'RECEIPT_PNG', 'template', 'RECEIPT_PNG'],
  ['currency', 'GBP', 'status', 'OPEN'],
  ['paymentType', 'DOMESTIC', 'payment_type', 'DOMESTIC'],
  ['paymentType', long(50), 'payment_type', long(50)],
  ['memberOfTomorrow', { is: 'ignored' }, 'status', 'OPEN'],
  ['authentication', null, 'status', 'OPEN'],
];

const text = /must be a string/;
const flag = /must be a boolean/;
const flags = [
  'savePaymentMethod',
  'autoRedirect',
  'strictExpiry',
  'enableTips',
  'allowRetry',
  'splitBill',
];
const notFlags = ['true', 1, []];

const texts = [
  'customerId',
  'orderId',
  'notes',
  'payerNote',
  'redirectUrl',
  'paymentType',
  'institutionId',
];
const notTexts = [7.5, true, ['x'], { x: 1 }];
const references = ['customerId', 'orderId'];

const rejected: readonly RejectedRule[] = [
  ...flags.flatMap((field) => notFlags.map((sent) => [field, sent, field, flag] as const)),
  ...texts.flatMap((field) => notTexts.map((sent) => [field, sent, field, text] as const)),
  ...references.flatMap((field): RejectedRule[] => [
    [field, null, field, text],
    [field, rawJson('9007199254740993'), field, text],
    [field, undefined, field, /is required/],
    [field, '', field, /must not be empty/],
    [field, ' \t\n', field, /must not be blank/],
    [field, long(51), field, /at most 50 characters/],
  ]),
  ['amount', undefined, 'amount', /is required/],
  ...[null, true, [], {}].map((sent) => ['amount', sent, 'amount', /number or/] as const),
  ...['', ' 5', '5 ', '+5', '5.', '.5', '1e3', '0x10', '£5', '$123', '123Pound', '١٢', 'NaN'].map(
    (sent) => ['amount', sent, 'amount', /two decimals/] as const,
  ),
  ...[12.345, -5, 0.001, 1e21, '12.345', '-5', '99999999999999'].map(
    (sent) => ['amount', sent, 'amount', /two decimals/] as const,
  ),
  ...['1e400', '-1e400', '1e-7'].map(
    (json) => ['amount', rawJson(json), 'amount', /two decimals|number or/] as const,
  ),
  ['amount', '12,50', 'amount', /use a point: 12\.50/],
  ['amount', 0, 'amount', /at least 1\.00/],
  ['amount', rawJson('-0'), 'amount', /at least 1\.00/],
  ['amount', 0.99, 'amount', /at least 1\.00/],
  ['amount', '0.99', 'amount', /at least 1\.00/],
  ['amount', 15_000.01, 'amount', /at most 15000\.00/],
  ['amount', '9999999999999', 'amount', /at most 15000\.00/],
  ['storeId', 'DEFAULT', 'storeId', /valid UUID/],
  ['storeId', `urn:uuid:${unknownId}`, 'storeId', /valid UUID/],
  ['storeId', `{${unknownId}}`, 'storeId', /valid UUID/],
  ['storeId', unknownId, 'storeId', /not an enabled store/],
  ['paymentMethod', 'CARD', 'paymentMethod', /must be an array/],
  ['paymentMethod', [], 'paymentMethod', /at least 1 item/],
  ['paymentMethod', ['CASH'], 'paymentMethod.0', /one of PAY_BY_BANK, CARD/],
  ['paymentMethod', ['card'], 'paymentMethod.0', /one of PAY_BY_BANK, CARD/],
  ['paymentMethod', ['PAY_BY_BANK', 'PAY_BY_BANK'], 'paymentMethod', /twice/],
  ['savePaymentMethod', true, 'atoaCustomerId', /is required/],
  ['savePaymentMethod', true, 'paymentMethod', /must include CARD/],
  ['atoaCustomerId', 'x', 'atoaCustomerId', /valid UUID/],
  ['atoaCustomerId', `urn:uuid:${unknownId}`, 'atoaCustomerId', /valid UUID/],
  ['atoaCustomerId', unknownId, 'atoaCustomerId', /not found or does not belong to this business/],
  ['serviceCustomerId', unknownId, 'atoaCustomerId', /not found or does not belong/],
  ['institutionId', 'no-such-bank', 'institutionId', /is not a bank/],
  ['institutionId', long(65), 'institutionId', /at most 64/],
  ...['x', [], 7].map((sent) => ['consumerDetails', sent, 'consumerDetails', /an object/] as const),
  ['consumerDetails', { phoneCountryCode: ['44'] }, 'consumerDetails.phoneCountryCode', text],
  ['consumerDetails', { phoneNumber: true }, 'consumerDetails.phoneNumber', text],
  ['consumerDetails', { email: long(255) }, 'consumerDetails.email', /at most 254/],
  ['consumerDetails', { firstName: long(101) }, 'consumerDetails.firstName', /at most 100/],
  ['consumerDetails', { lastName: 7 }, 'consumerDetails.lastName', text],
  ...['a=b', [], 7].map((sent) => ['callbackParams', sent, 'callbackParams', /an object/] as const),
  ['callbackParams', { a: [1] }, 'callbackParams.a', /must be/],
  ['callbackParams', rawJson('{"a":1e400}'), 'callbackParams.a', /must be/],
  ['callbackParams', { a: long(1001) }, 'callbackParams.a', /at most 1000/],
  ['callbackParams', { '': 'a' }, 'callbackParams', /names of 1 to 100/],
  ['callbackParams', { [long(101)]: 'a' }, 'callbackParams', /names of 1 to 100/],
  ['callbackParams', params(51), 'callbackParams', /at most 50 members/],
  ...[0, -1, 1.5, days400 + 1, '', '3m', ' 5', '1e3', '-1', '1.0'].map(
    (sent) => ['expiresIn', sent, 'expiresIn', /whole milliseconds/] as const,
  ),
  ['expiresIn', rawJson('1e400'), 'expiresIn', /number or/],
  ...[true, [], {}].map((sent) => ['expiresIn', sent, 'expiresIn', /number or/] as const),
  ['notes', long(31), 'notes', /at most 30 characters/],
  ...lineItemRules.rejected,
  ...['/done', 'shop.example', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'].map(
    (sent) => ['redirectUrl', sent, 'redirectUrl', /https address/] as const,
  ),
  ...[
    'feed:javascript:alert(1)',
    'smb://host/share',
    'ms-settings:privacy',
    'mypaymentapp:x',
    'blob:https://a.example/x',
    'intent://x#Intent;end',
    'about:blank',
    'JaVaScRiPt:x',
    ' javascript:x',
  ].map((sent) => ['redirectUrl', sent, 'redirectUrl', /https address/] as const),
  ['redirectUrl', https + long(2049 - https.length), 'redirectUrl', /at most 2048/],
  ...['', 'POSTER', 'receipt', 7].map(
    (sent) => ['template', sent, 'template', /one of|must be/] as const,
  ),
  ...['', 'EUR', 'gbp', 826].map(
    (sent) => ['currency', sent, 'currency', /one of|must be/] as const,
  ),
  ['paymentType', '', 'paymentType', /must not be empty/],
  ['paymentType', long(51), 'paymentType', /at most 50/],
];

export const processPaymentRules = { accepted, rejected, defaults };

export type { RawJson };
export { unknownId };
