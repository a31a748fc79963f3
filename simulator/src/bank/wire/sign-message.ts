import { constants, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { limits } from '#simulator/limits.ts';
import type { Signer, Verifier } from '../bank.ts';
import { badRequest } from '../refusal.ts';
import type { Call } from './call.ts';

// The standard's detached JWS over the body: PS256, three critical claims, nothing else in the header.
const claims = {
  iat: 'http://openbanking.org.uk/iat',
  iss: 'http://openbanking.org.uk/iss',
  tan: 'http://openbanking.org.uk/tan',
} as const;
const critical: readonly string[] = Object.values(claims);
const required = ['alg', 'kid', ...critical, 'crit'];
const allowed = new Set([...required, 'typ', 'cty']);
const path = 'x-jws-signature';
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };

const signAsync = promisify(
  (input: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
    sign('sha256', input, { key, ...pss }, done),
);

export const signMessage = async (
  body: Buffer,
  signer: Signer,
  now: number,
  isRaw: boolean,
): Promise<string> => {
  const header = {
    alg: 'PS256',
    kid: signer.kid,
    typ: 'JOSE',
    cty: 'application/json',
    ...(isRaw && { b64: false }),
    // A second back, so that a client whose clock is a little slow does not see the future.
    [claims.iat]: Math.floor(now / 1000) - 1,
    [claims.iss]: signer.issuer,
    [claims.tan]: signer.trustAnchor,
    crit: criticalIn(isRaw),
  };
  const head = base64url(JSON.stringify(header));
  const signature = await signAsync(signingInput(head, body, isRaw), signer.privateKey);
  return `${head}..${signature.toString('base64url')}`;
};

// A JWT whose kind its header names.
export const signToken = async (
  typ: string,
  claims: object,
  { kid, privateKey }: Pick<Signer, 'kid' | 'privateKey'>,
): Promise<string> => {
  const head = base64url(JSON.stringify({ alg: 'PS256', typ, kid }));
  const input = `${head}.${base64url(JSON.stringify(claims))}`;
  const signature = await signAsync(Buffer.from(input), privateKey);
  return `${input}.${signature.toString('base64url')}`;
};

export const verifyMessage = ({ bank, request, body }: Pick<Call, 'bank' | 'request' | 'body'>) => {
  const { verifier, profile, tools } = bank;
  const isRaw = profile.wire.signsRawBody;
  const text = request.headers['x-jws-signature']?.toString();
  if (text === undefined || text === '') {
    throw badRequest('U019', 'The x-jws-signature header is missing.', path);
  }
  const { head, header, signature } = parse(text);
  const missing = required.find((name) => header[name] === undefined);
  if (missing) throw badRequest('U017', `The signature has no ${missing}.`, missing);
  const wrong = firstWrongClaim(header, verifier, tools.clock.now(), isRaw);
  if (wrong) throw badRequest('U016', `The signature has a wrong ${wrong}.`, wrong);
  const key = verifier.keyOf(String(header.kid));
  if (!key) throw badRequest('U016', 'The signature names an unknown key.', 'kid');
  if (!verify('sha256', signingInput(head, body, isRaw), { key, ...pss }, signature)) {
    throw badRequest('U015', 'The signature does not fit the body.', path);
  }
};

type Header = Readonly<Record<string, unknown>>;

const parse = (text: string): { head: string; header: Header; signature: Buffer } => {
  const malformed = () => badRequest('U018', 'The x-jws-signature is not a detached JWS.', path);
  const parts = /^([A-Za-z0-9_-]+)\.\.([A-Za-z0-9_-]+)$/.exec(text);
  const [, head, signature] = parts ?? [];
  if (!head || !signature) throw malformed();
  try {
    const header: unknown = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
    if (typeof header !== 'object' || header === null || Array.isArray(header)) throw malformed();
    return { head, header: header as Header, signature: Buffer.from(signature, 'base64url') };
  } catch {
    throw malformed();
  }
};

const firstWrongClaim = (
  header: Header,
  verifier: Verifier,
  now: number,
  isRaw: boolean,
): string | undefined => {
  const issuedAt = header[claims.iat];
  const latest = now / 1000 + limits.signatureClockSkewSeconds;
  const checks: Readonly<Record<string, boolean>> = {
    alg: header.alg === 'PS256',
    typ: header.typ === undefined || header.typ === 'JOSE',
    cty: header.cty === undefined || /^(application\/)?json$/.test(String(header.cty)),
    [claims.iat]: typeof issuedAt === 'number' && issuedAt <= latest,
    [claims.iss]: header[claims.iss] === verifier.issuer,
    [claims.tan]: header[claims.tan] === verifier.trustAnchor,
    b64: header.b64 === (isRaw ? false : undefined),
    crit: listsExactly(header.crit, criticalIn(isRaw)),
  };
  const unknown = Object.keys(header).find((name) => !allowed.has(name) && !(name in checks));
  return unknown ?? Object.keys(checks).find((name) => !checks[name]);
};

const listsExactly = (value: unknown, names: readonly string[]): boolean => {
  if (!Array.isArray(value) || value.length !== names.length) return false;
  return names.every((name) => value.includes(name));
};

const criticalIn = (isRaw: boolean): readonly string[] => (isRaw ? ['b64', ...critical] : critical);

const signingInput = (head: string, body: Buffer, isRaw: boolean): Buffer =>
  isRaw
    ? Buffer.concat([Buffer.from(`${head}.`), body])
    : Buffer.from(`${head}.${body.toString('base64url')}`);

const base64url = (text: string): string => Buffer.from(text).toString('base64url');
