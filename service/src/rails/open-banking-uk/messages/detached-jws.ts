import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { FlattenedSign, flattenedVerify } from 'jose';

/** The standard's x-jws-signature: a detached JWS over exactly the bytes of the body. */
const iat = 'http://openbanking.org.uk/iat';
const iss = 'http://openbanking.org.uk/iss';
const tan = 'http://openbanking.org.uk/tan';
const critical = [iat, iss, tan];
const allowedMembers = new Set(['alg', 'kid', 'typ', 'cty', 'crit', ...critical]);

export type SignatureIdentity = {
  readonly keyId: string;
  readonly issuer: string;
  readonly trustAnchor: string;
};

export const signDetached = async (
  body: string,
  key: CryptoKey,
  identity: SignatureIdentity,
  now: Date,
): Promise<string> => {
  const header = {
    alg: 'PS256',
    kid: identity.keyId,
    typ: 'JOSE',
    cty: 'application/json',
    [iat]: Math.floor(now.getTime() / 1000),
    [iss]: identity.issuer,
    [tan]: identity.trustAnchor,
    crit: critical,
  };
  const signed = await new FlattenedSign(Buffer.from(body))
    .setProtectedHeader(header)
    .sign(key, { crit: Object.fromEntries(critical.map((name) => [name, true])) });
  return `${signed.protected}..${signed.signature}`;
};

export type DetachedCheck = {
  readonly keys: (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;
  readonly issuer?: string;
  readonly trustAnchor: string;
  readonly now: Date;
  readonly clockToleranceSeconds: number;
};

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
  const fault = findHeaderFault(header, check);
  if (fault) return fault;
  await flattenedVerify(
    {
      protected: protectedHeader,
      payload: Buffer.from(body).toString('base64url'),
      signature: bytes,
    },
    check.keys,
    { algorithms: ['PS256'], crit: Object.fromEntries(critical.map((name) => [name, true])) },
  );
  return null;
};

const findHeaderFault = (
  header: Readonly<Record<string, unknown>>,
  check: DetachedCheck,
): string | null => {
  if (Object.keys(header).some((name) => !allowedMembers.has(name))) return 'unknown member';
  const crit = header.crit;
  if (!Array.isArray(crit) || crit.length !== 3 || !critical.every((name) => crit.includes(name)))
    return 'crit';
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
