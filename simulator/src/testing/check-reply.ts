import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose';
import { expect } from 'vitest';
import { type SchemaName, schemaReasons } from '#simulator/bank/wire/schema-reasons.ts';
import type { RegisteredBank } from '../trust/write-registration.ts';
import { findChainFaults } from './find-chain-faults.ts';

export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly version?: '3.1' | '4.0';
};

const keySets = new Map<string, ReturnType<typeof createLocalJWKSet>>();
const critical = ['iat', 'iss', 'tan'].map((name) => `http://openbanking.org.uk/${name}`);

// Checks every reply that a test gets: schema of the standard, signature, interaction id.
export const checkReply = async (bank: RegisteredBank, seen: Seen): Promise<void> => {
  expect(seen.headers['x-fapi-interaction-id']).toMatch(/^[0-9a-f-]{36}$/i);
  if (seen.text === '') {
    expect([401, 404, 405, 406, 413, 415, 429]).toContain(seen.status);
    return;
  }
  const where = `${seen.method} ${seen.path} ${seen.status}`;
  expect(
    schemaReasons(seen.version ?? '4.0', schemaOf(seen), JSON.parse(seen.text)),
    where,
  ).toEqual([]);
  const [head = '', , signature = ''] = String(seen.headers['x-jws-signature']).split('.');
  const payload = Buffer.from(seen.text).toString('base64url');
  const { protectedHeader } = await flattenedVerify(
    { protected: head, payload, signature },
    await keysOf(bank),
    { crit: Object.fromEntries(critical.map((name) => [name, true])), algorithms: ['PS256'] },
  );
  const issuer = String(protectedHeader?.['http://openbanking.org.uk/iss']);
  expect(issuer).toBe(bank.bankSigning.organisationId);
  expect(issuer, 'an organisation id of the standard').toMatch(/^[0-9A-Za-z]{18}$/);
};

const schemaOf = ({ method, path, status }: Seen): SchemaName => {
  if (status >= 400) return 'OBErrorResponse1';
  if (path.endsWith('/funds-confirmation')) return 'OBWriteFundsConfirmationResponse1';
  if (path.endsWith('/payment-details')) return 'OBWritePaymentDetailsResponse1';
  expect(method === 'POST' ? 201 : 200).toBe(status);
  const known = schemas.find(([resources]) => path.split(/[/?]/)[1] === resources);
  if (!known) throw new Error(`no schema for ${path}`);
  return known[1];
};

const schemas = [
  ['domestic-payment-consents', 'OBWriteDomesticConsentResponse5'],
  ['domestic-payments', 'OBWriteDomesticResponse5'],
  ['domestic-scheduled-payment-consents', 'OBWriteDomesticScheduledConsentResponse5'],
  ['domestic-scheduled-payments', 'OBWriteDomesticScheduledResponse5'],
  ['domestic-standing-order-consents', 'OBWriteDomesticStandingOrderConsentResponse6'],
  ['domestic-standing-orders', 'OBWriteDomesticStandingOrderResponse6'],
] as const satisfies readonly (readonly [string, SchemaName])[];

const keysOf = async ({ bankSigning }: RegisteredBank) => {
  const known = keySets.get(bankSigning.jwksUri);
  if (known) return known;
  const reply = await fetch(bankSigning.jwksUri);
  const shown = (await reply.json()) as JSONWebKeySet;
  for (const key of shown.keys) expect(findChainFaults(key).join('; ')).toBe('');
  const keySet = createLocalJWKSet(shown);
  keySets.set(bankSigning.jwksUri, keySet);
  return keySet;
};
