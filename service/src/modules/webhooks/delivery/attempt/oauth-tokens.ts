import { setBounded } from '#kernel/set-bounded.ts';
import type { OutboundHttp } from '#platform/outbound-http/open-outbound-http.ts';
import type { EndpointAuthentication } from '../../endpoints/endpoint-authentication.ts';

type OAuth = Extract<EndpointAuthentication, { kind: 'OAUTH2' }>;

/** Client credentials tokens, one per endpoint, fetched once for all that wait for it. */
export const oauthTokens = () => {
  const cache = new Map<string, CachedToken>();
  const fetchFor = (http: OutboundHttp, endpointId: string, of: OAuth): Promise<string> => {
    const entry: CachedToken = {
      of,
      credentialsIn: cache.get(endpointId)?.credentialsIn ?? 'HEADER',
      until: Number.POSITIVE_INFINITY,
      token: Promise.resolve().then(() => fetchToken(http, entry)),
    };
    setBounded(cache, endpointId, entry, maxCached);
    entry.token.then(
      ({ until }) => {
        entry.until = until;
      },
      () => {
        entry.until = performance.now() + failureCachedMs;
      },
    );
    return entry.token.then(({ value }) => value);
  };
  return {
    /** Throws TokenRefused. */
    tokenFor: (http: OutboundHttp, endpointId: string, of: OAuth): Promise<string> => {
      const known = cache.get(endpointId);
      const isSame = known !== undefined && JSON.stringify(known.of) === JSON.stringify(of);
      if (isSame && known.until > performance.now()) return known.token.then(({ value }) => value);
      return fetchFor(http, endpointId, of);
    },
    /**
     * The receiver rejected it: the next one is fetched, unless a concurrent attempt has done so.
     */
    drop: async (endpointId: string, value: string): Promise<void> => {
      const known = cache.get(endpointId);
      const token = await known?.token.catch(() => null);
      if (known && token?.value === value) known.until = 0;
    },
  };
};

export class TokenRefused extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'TokenRefused';
  }
}

type Token = { readonly value: string; readonly until: number };
type CredentialsIn = 'HEADER' | 'BODY';
type CachedToken = {
  readonly of: OAuth;
  readonly token: Promise<Token>;
  /** One fetch at a time; after a failure the next one waits for a moment. */
  until: number;
  credentialsIn: CredentialsIn;
};

const timeoutMs = 5_000;
const responseBytes = 65_536;
// Shorter than the shortest pause before a second attempt, which would be lost without asking.
const failureCachedMs = 3_000;
const cachedMsDefault = 5 * 60_000;
const cachedMsMax = 60 * 60_000;
const maxCached = 5_000;

/** RFC 6749 4.4, the client in the header; servers that refuse that get it in the body. */
const fetchToken = async (http: OutboundHttp, entry: CachedToken): Promise<Token> => {
  const first = await requestToken(http, entry.of, entry.credentialsIn);
  if (![400, 401].includes(first.status)) return tokenOf(first);
  const other = entry.credentialsIn === 'HEADER' ? 'BODY' : 'HEADER';
  const second = await requestToken(http, entry.of, other);
  if (second.status === 200) entry.credentialsIn = other;
  return tokenOf(second.status === 200 ? second : first);
};

type Reply = { readonly status: number; readonly body: Buffer };

const requestToken = async (
  http: OutboundHttp,
  of: OAuth,
  credentialsIn: CredentialsIn,
): Promise<Reply> => {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (credentialsIn === 'HEADER')
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
  const lifeMs = seconds > 0 ? Math.min(seconds * 1000, cachedMsMax) : cachedMsDefault;
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
