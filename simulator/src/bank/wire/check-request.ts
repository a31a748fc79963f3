import type { IncomingHttpHeaders } from 'node:http';
import type { BankProfile } from '../banks.ts';
import { presentedCertificate } from '../oidc/registered-client.ts';
import { badRequest, forbidden, Refusal, unauthorised } from '../refusal.ts';
import type { Call } from './call.ts';

export type Access = {
  readonly clientId: string;
  // Empty unless the token is based on the customer's authorisation.
  readonly consentId: string;
};

// Whether the caller may make this call, and makes it as the standard wants.
export const admit = async (
  { bank, request }: Pick<Call, 'bank' | 'request'>,
  holder: 'client' | 'customer',
  scope: 'payments' | 'accounts',
): Promise<Access> => {
  const certificate = presentedCertificate(request);
  if (!certificate) throw unauthorised('a client certificate of the directory is required');
  const value = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!value) throw unauthorised('a bearer token is required');
  const { AccessToken, ClientCredentials } = bank.provider;
  const [customers, clients] = await Promise.all([
    AccessToken.find(value),
    ClientCredentials.find(value),
  ]);
  const token = customers ?? clients;
  if (!token?.isValid || !token.clientId) throw unauthorised('the token is expired or not valid');
  if (token['x5t#S256'] !== certificate.thumbprint) {
    throw unauthorised('the token is bound to another certificate');
  }
  if (!token.scopes.has(scope)) throw forbidden(`The access token lacks the scope ${scope}.`);
  refuseWrongHolder(holder, customers !== undefined, scope);
  checkHeaders(bank.profile, request.headers, /^(POST|PUT)$/.test(request.method ?? ''));
  return { clientId: token.clientId, consentId: customers?.accountId ?? '' };
};

const refuseWrongHolder = (
  holder: 'client' | 'customer',
  isCustomers: boolean,
  scope: 'payments' | 'accounts',
): void => {
  if (holder === 'customer' && !isCustomers) {
    // The official suite holds banks to this status for accounts.
    if (scope === 'accounts')
      throw unauthorised('a token that the customer authorised is required');
    throw forbidden('This needs a token that the customer authorised.');
  }
  if (holder === 'client' && isCustomers) {
    throw forbidden('This needs a token of the client itself, not one of the customer.');
  }
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const days = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const longDate = new RegExp(
  `^(${days}), \\d{2} (${months}) \\d{4} \\d{2}:\\d{2}:\\d{2} (GMT|UTC)$`,
);

const checkHeaders = (
  { wire }: BankProfile,
  headers: IncomingHttpHeaders,
  hasBody: boolean,
): void => {
  if (!acceptsJson(headers.accept)) throw new Refusal(406, []);
  if (hasBody && !isJson(headers['content-type'])) throw new Refusal(415, []);
  if (wire.financialId && headers['x-fapi-financial-id'] !== wire.financialId) {
    throw badRequest('U006', 'The header does not name this bank.', 'x-fapi-financial-id');
  }
  refuseUnless(headers, 'x-fapi-interaction-id', (value) => uuid.test(value));
  refuseUnless(headers, 'x-fapi-auth-date', (value) => longDate.test(value));
};

export const idempotencyKeyOf = (headers: IncomingHttpHeaders): string => {
  const name = 'x-idempotency-key';
  const key = headers[name];
  if (typeof key !== 'string') throw badRequest('U007', 'The header is missing.', name);
  if (key.length > 40 || !/^(?!\s)(.*)(\S)$/.test(key)) {
    throw badRequest('U006', 'A key has 1 to 40 characters without blanks around it.', name);
  }
  return key;
};

export const interactionIdOf = (headers: IncomingHttpHeaders, fresh: () => string): string => {
  const given = headers['x-fapi-interaction-id'];
  return typeof given === 'string' && uuid.test(given) ? given : fresh();
};

const refuseUnless = (
  headers: IncomingHttpHeaders,
  name: string,
  isValid: (value: string) => boolean,
): void => {
  const value = headers[name];
  if (value === undefined) return;
  if (typeof value !== 'string' || !isValid(value)) {
    throw badRequest('U006', 'The header is not valid.', name);
  }
};

const acceptsJson = (accept: string | undefined): boolean => {
  if (accept === undefined) return true;
  return accept.split(',').some((part) => {
    const type = part.split(';')[0]?.trim().toLowerCase();
    return type === '*/*' || type === 'application/*' || type === 'application/json';
  });
};

const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(contentType ?? '');
