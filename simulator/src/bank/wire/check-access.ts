import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Bank } from '../bank.ts';
import { presentedCertificate } from '../oidc/presented-certificate.ts';
import { forbidden, unauthorised } from '../refusal.ts';

export type Access = {
  readonly clientId: string;
  // Only when the token is based on the customer's authorisation.
  readonly consentId: string | undefined;
};

type Holder = 'client' | 'customer';

export const checkAccess = async (
  bank: Bank,
  request: IncomingMessage,
  holder: Holder,
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
  if (token['x5t#S256'] !== thumbprintOf(certificate)) {
    throw unauthorised('the token is bound to another certificate');
  }
  if (!token.scopes.has(scope)) throw forbidden(`The access token lacks the scope ${scope}.`);
  refuseWrongHolder(holder, customers !== undefined);
  return { clientId: token.clientId, consentId: customers?.accountId };
};

const refuseWrongHolder = (holder: Holder, isCustomers: boolean): void => {
  if (holder === 'customer' && !isCustomers) {
    throw forbidden('This needs a token that the customer authorised.');
  }
  if (holder === 'client' && isCustomers) {
    throw forbidden('This needs a token of the client itself, not one of the customer.');
  }
};

const thumbprintOf = (pem: string): string => {
  const hex = new X509Certificate(pem).fingerprint256.replaceAll(':', '');
  return Buffer.from(hex, 'hex').toString('base64url');
};
