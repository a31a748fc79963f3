import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { FlattenedSign, flattenedVerify } from 'jose';

/** The standard's x-jws-signature: a detached JWS over exactly the bytes of the body. */
const iat = 'http://openbanking.org.uk/iat';
const iss = 'http://openbanking.org.uk/iss';
const tan = 'http://openbanking.org.uk/tan';
const critical = [iat, iss, tan];
const usualMembers = new Set(['alg', 'kid', 'typ', 'cty', 'crit', ...critical]);

export type SignatureIdentity = {
  readonly keyId: string;
  readonly issuer: string;
  readonly trustAnchor: string;
};

/** One form of the signature: what its header says of the payload, and what is signed. */
export type DetachedForm = {
  readonly members: Readonly<Record<string, unknown>>;
  readonly critical: readonly string[];
  readonly payloadOf: (body: Uint8Array) => string | Uint8Array;
};

/** Since version 3.1.4: the payload is encoded, and the header does not speak of it. */
export const encodedPayload: DetachedForm = {
  members: {},
  critical,
  payloadOf: (body) => Buffer.from(body).toString('base64url'),
};

/** The older form, which some banks have kept. */
export const rawPayload: DetachedForm = {
  members: { b64: false },
  critical: ['b64', ...critical],
  payloadOf: (body) => body,
};

export const signDetached = async (
  body: string,
  key: CryptoKey,
  identity: SignatureIdentity,
  now: Date,
  form: DetachedForm = encodedPayload,
): Promise<string> => {
  const header = {
    alg: 'PS256',
    kid: identity.keyId,
    typ: 'JOSE',
    cty: 'application/json',
    [iat]: Math.floor(now.getTime() / 1000),
    [iss]: identity.issuer,
    [tan]: identity.trustAnchor,
    ...form.members,
    crit: [...form.critical],
  };
  const signed = await new FlattenedSign(Buffer.from(body))
    .setProtectedHeader(header)
    .sign(key, { crit: understood });
  return `${signed.protected}..${signed.signature}`;
};

export type DetachedCheck = {
  readonly keys: (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
  readonly issuer?: string;
  readonly trustAnchor: string;
  readonly now: Date;
  readonly clockToleranceSeconds: number;
  readonly form?: DetachedForm;
};

const understood = Object.fromEntries(critical.map((name) => [name, true]));

/** Null when the signature is valid; else the reason. Throws only what fetching the keys throws. */
export const findSignatureFault = async (
  signature: string,
  body: Uint8Array,
  check: DetachedCheck,
): Promise<string | null> => {
  const parts = signature.split('.');
  const [protectedHeader, payload, bytes] = parts;
  if (parts.length !== 3 || payload !== '' || !protectedHeader || !bytes) return 'malformed';
  const header = readHeader(protectedHeader);
  if (!header) return 'malformed';
  const form = check.form ?? encodedPayload;
  const fault = findFormFault(header, form) ?? findHeaderFault(header, check);
  if (fault) return fault;
  await flattenedVerify(
    {
      protected: protectedHeader,
      payload: form.payloadOf(body),
      signature: bytes,
    },
    check.keys,
    { algorithms: ['PS256'], crit: understood },
  );
  return null;
};

type Header = Readonly<Record<string, unknown>>;

const findFormFault = (header: Header, { members, critical: expected }: DetachedForm) => {
  const isKnown = (name: string): boolean => usualMembers.has(name) || name in members;
  if (!Object.keys(header).every(isKnown)) return 'unknown member';
  if (Object.entries(members).some(([name, value]) => header[name] !== value)) return 'b64';
  const { crit } = header;
  const isSame = Array.isArray(crit) && crit.length === expected.length;
  return isSame && expected.every((name) => crit.includes(name)) ? null : 'crit';
};

const findHeaderFault = (header: Header, check: DetachedCheck): string | null => {
  const at = header[iat];
  const latest = check.now.getTime() / 1000 + check.clockToleranceSeconds;
  if (typeof at !== 'number' || at > latest) return 'iat';
  if (typeof header[iss] !== 'string' || (check.issuer && header[iss] !== check.issuer))
    return 'iss';
  if (header[tan] !== check.trustAnchor) return 'tan';
  return null;
};

const readHeader = (encoded: string): Readonly<Record<string, unknown>> | null => {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null && !Array.isArray(header)
      ? (header as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};
