import type { OutboundHttp } from '#platform/outbound-http/open-outbound-http.ts';
import type { EndpointAuthentication } from '../../endpoints/endpoint-authentication.ts';

type OAuth = Extract<EndpointAuthentication, { kind: 'OAUTH2' }>;

export class TokenRefused extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'TokenRefused';
  }
}

type Token = { readonly value: string; readonly until: number };
type Place = 'HEADER' | 'BODY';
type Kept = {
  readonly of: OAuth;
  readonly token: Promise<Token>;
  /** While it is being fetched, nobody else fetches; after a failure, for a moment neither. */
  until: number;
  place: Place;
};

const timeoutMs = 5_000;
const responseBytes = 65_536;
// Shorter than the shortest pause before a second attempt, which would be lost without asking.
const failureKeptMs = 3_000;
const keptMsDefault = 5 * 60_000;
const keptMsMax = 60 * 60_000;
const keptMost = 5_000;

/** Client credentials tokens, one per endpoint, fetched once for all that wait for it. */
export const oauthTokens = () => {
  const kept = new Map<string, Kept>();
  const fetchFor = (http: OutboundHttp, endpointId: string, of: OAuth): Promise<string> => {
    const entry: Kept = {
      of,
      place: kept.get(endpointId)?.place ?? 'HEADER',
      until: Number.POSITIVE_INFINITY,
      token: Promise.resolve().then(() => fetchToken(http, entry)),
    };
    const [oldest] = kept.keys();
    if (kept.size >= keptMost && oldest !== undefined) kept.delete(oldest);
    kept.set(endpointId, entry);
    entry.token.then(
      ({ until }) => {
        entry.until = until;
      },
      () => {
        entry.until = performance.now() + failureKeptMs;
      },
    );
    return entry.token.then(({ value }) => value);
  };
  return {
    /** Throws TokenRefused. */
    tokenFor: (http: OutboundHttp, endpointId: string, of: OAuth): Promise<string> => {
      const known = kept.get(endpointId);
      const isSame = known !== undefined && JSON.stringify(known.of) === JSON.stringify(of);
      if (isSame && known.until > performance.now()) return known.token.then(({ value }) => value);
      return fetchFor(http, endpointId, of);
    },
    /** The receiver refused it: the next one is fetched, unless somebody has done so. */
    drop: async (endpointId: string, value: string): Promise<void> => {
      const known = kept.get(endpointId);
      const token = await known?.token.catch(() => null);
      if (known && token?.value === value) known.until = 0;
    },
  };
};

/** RFC 6749 4.4, the client in the header; servers that refuse that get it in the body. */
const fetchToken = async (http: OutboundHttp, entry: Kept): Promise<Token> => {
  const first = await ask(http, entry.of, entry.place);
  if (![400, 401].includes(first.status)) return tokenOf(first);
  const other = entry.place === 'HEADER' ? 'BODY' : 'HEADER';
  const second = await ask(http, entry.of, other);
  if (second.status === 200) entry.place = other;
  return tokenOf(second.status === 200 ? second : first);
};

type Reply = { readonly status: number; readonly body: Buffer };

const ask = async (http: OutboundHttp, of: OAuth, place: Place): Promise<Reply> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (place === 'HEADER')
    headers.authorization = basicHeader(formText(of.clientId), formText(of.clientSecret));
  else {
    form.set('client_id', of.clientId);
    form.set('client_secret', of.clientSecret);
  }
  const url = new URL(of.authUrl);
  const answer = await http.post({ url, headers, body: form.toString(), timeoutMs, responseBytes });
  if (answer.kind === 'FAILED')
    throw new TokenRefused(`token endpoint: ${answer.errorClass} ${answer.detail}`);
  return answer;
};

const tokenOf = ({ status, body }: Reply): Token => {
  if (status !== 200) throw new TokenRefused(`token endpoint answered ${status}`);
  const { access_token: value, expires_in: expiresIn } = parsed(body);
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(value))
    throw new TokenRefused('token endpoint answered without a usable access_token');
  const seconds = Number(expiresIn);
  const lifeMs = seconds > 0 ? Math.min(seconds * 1000, keptMsMax) : keptMsDefault;
  const earlyMs = Math.min(Math.max(30_000, lifeMs / 10), lifeMs / 2);
  return { value, until: performance.now() + lifeMs - earlyMs };
};

const parsed = (body: Buffer): { access_token?: unknown; expires_in?: unknown } => {
  try {
    return (JSON.parse(body.toString('utf8')) ?? {}) as object;
  } catch {
    throw new TokenRefused('token endpoint answered no JSON');
  }
};

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
const formText = (text: string): string => new URLSearchParams({ t: text }).toString().slice(2);

export const basicHeader = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
