/** The reply as text, with what differs from run to run replaced by its kind. */
export const normaliseReply = ({ headers, body }: RecordedReply): string => {
  const stable = Object.entries(headers)
    .filter(([name]) => !volatileHeaders.has(name))
    .map(([name, value]) => `${name}: ${normaliseText(String(value))}`)
    .sort();
  return [...stable, '', normaliseBody(body)].join('\n');
};

const volatileHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

const normaliseBody = (body: string): string => {
  if (!/^[[{]/.test(body)) return normaliseText(body);
  try {
    return JSON.stringify(normaliseJson('', JSON.parse(body)), null, 1);
  } catch {
    return normaliseText(body);
  }
};

const normaliseJson = (name: string, value: unknown): unknown => {
  if (volatileMembers.has(name) && value !== null) return `<${name}>`;
  if (typeof value === 'string') return normaliseText(value);
  if (typeof value === 'number') return normaliseNumber(name, value);
  if (Array.isArray(value)) return value.map((each) => normaliseJson(name, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      normaliseText(member),
      normaliseJson(member, each),
    ]),
  );
};

const normaliseNumber = (name: string, value: number): unknown => {
  if (value > 1.5e12 && value < 2.5e12) return '<epoch ms>';
  if (value > 1.5e9 && value < 2.5e9) return '<epoch s>';
  return volatileNumbers.test(name) ? '<number>' : value;
};

const volatileMembers = new Set(['lastFour', 'tracingId', 'deliveryId', 'x-service-delivery-id']);

const volatileNumbers = /^(remaining|latency|duration|offset|dns|connect|tls|firstByte|total)Ms$/;

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';

const replacements: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<uuid>'],
  // What a payer quotes to support.
  [/<code>[0-9a-f]{8}-[0-9a-f]{4}<\/code>/g, '<code><reference></code>'],
  [/\bsha256-[\w+/]{43}=/g, '<hash>'],
  [/\bFPY[0-9A-F]{11}\b/g, '<reference of a payout>'],
  [/\bSIM\d{12}\b/g, '<reference of a bank>'],
  [/\b(demo|entry)-[0-9a-f]+\b/g, '$1-<random>'],
  [/\bdata:image\/[^"')\s]+/g, '<image>'],
  [/\bdata-(left|version)="[\w.<> -]*"/g, 'data-$1="<number>"'],
  [/<\d+ bytes>/g, '<bytes>'],
  [/^(florin_process_\w+) \S+$/gm, '$1 <number>'],
  [/\b\d+\.<uuid>/g, '<cursor>'],
  [/\b1[6-9]\d{8}(\d{3})?\b/g, '<epoch>'],
  [/(127\.0\.0\.1|localhost)(:|%3A)\d+/g, '<host>'],
  [/\/p\/[\w-]{17}/g, '/p/<code>'],
  [/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d((:|%3A)\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d\b/g, '<date>'],
  [new RegExp(`\\b\\d{1,2} ${month}( \\d{4})?`, 'g'), '<date>'],
  [/\b\d\d:\d\d(:\d\d)?\b/g, '<clock>'],
  [/\bd="[^"]{200,}"/g, 'd="<drawing>"'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>'],
  [/[A-Za-z0-9+/]{60,}={0,2}/g, '<bytes>'],
  [/\b[a-z]{2,6}_[A-Za-z0-9+/]{24,}={0,2}/g, '<secret>'],
  // A word of random letters and digits.
  [/(?<![\w-])((?:[a-z]{2,6}_)*)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9_-]{16,}/g, '$1<random>'],
];

const normaliseText = (text: string): string =>
  replacements.reduce((changed, [pattern, kind]) => changed.replace(pattern, kind), text);

/** One reply of a server under test, as it was sent. */
export type RecordedReply = {
  /** Method and template of the path, as `GET /api/customers`. */
  readonly operation: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly seenIn: { readonly file: string; readonly test: string };
};

/** Names the folder that the replies of a run are written to. */
export const wireFolderSetting = 'FLORIN_WIRE_FOLDER';
