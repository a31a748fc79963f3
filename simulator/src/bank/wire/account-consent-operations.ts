import { consentStanding, createAccountConsent } from '../accounts/account-consents.ts';
import type { AccountConsent, AccountConsentTerms, JsonObject } from '../model.ts';
import type { StatusReason } from '../payments/schedule.ts';
import { badRequest } from '../refusal.ts';
import type { Call, Operation } from './call.ts';
import { admit } from './check-request.ts';
import { parseJsonBody } from './read-body.ts';
import { refuseInvalid } from './schema-reasons.ts';

export const postAccountConsent: Operation = async (call) => {
  const { clientId } = await admit(call, 'client', 'accounts');
  const body = parseJsonBody(call.body);
  refuseInvalid(call.version, 'OBReadConsent1', body);
  const consent = await createAccountConsent(call.bank, clientId, termsOf(call, body));
  return { status: 201, body: replyOf(call, consent) };
};

export const getAccountConsent: Operation = async (call) => ({
  status: 200,
  body: replyOf(call, await findConsent(call)),
});

export const deleteAccountConsent: Operation = async (call) => {
  const { bankId, id } = await findConsent(call);
  await call.bank.tools.store.deleteAccountConsent(bankId, id);
  call.bank.tools.oidcRecords.revokeTokens([id], 'AccessToken|RefreshToken');
  return { status: 204 };
};

const findConsent = async (call: Call): Promise<AccountConsent> => {
  const { bank, id, version } = call;
  const { clientId } = await admit(call, 'client', 'accounts');
  const consent = await bank.tools.store.findAccountConsent(bank.profile.id, id);
  if (consent?.clientId !== clientId || consent.version !== version) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const termsOf = ({ version }: Call, body: JsonObject): AccountConsentTerms => {
  const data = body.Data as Readonly<Record<string, string>> & {
    readonly Permissions: readonly string[];
  };
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return {
    version,
    permissions: data.Permissions,
    expiresAt: timeOf(data.ExpirationDateTime),
    transactionsFrom: timeOf(data.TransactionFromDateTime),
    transactionsTo: timeOf(data.TransactionToDateTime),
  };
};

const replyOf = ({ bank, wire, baseUrl }: Call, consent: AccountConsent): JsonObject => {
  const standing = consentStanding(consent, bank.tools.clock.now());
  const { expiresAt, transactionsFrom, transactionsTo } = consent;
  return {
    Data: {
      ConsentId: consent.id,
      CreationDateTime: iso(consent.createdAt),
      Status: wire.consentStatus(standing),
      ...wire.statusReasons(reasons[standing]),
      StatusUpdateDateTime: iso(consent.statusUpdatedAt),
      Permissions: [...consent.permissions],
      ...(expiresAt !== undefined && { ExpirationDateTime: iso(expiresAt) }),
      ...(transactionsFrom !== undefined && { TransactionFromDateTime: iso(transactionsFrom) }),
      ...(transactionsTo !== undefined && { TransactionToDateTime: iso(transactionsTo) }),
    },
    Risk: {},
    Links: { Self: `${baseUrl}/account-access-consents/${consent.id}` },
    Meta: { TotalPages: 1 },
  };
};

const reasons: Partial<Record<ReturnType<typeof consentStanding>, StatusReason>> = {
  AWAU: { code: 'U036', description: 'The consent awaits the customer.' },
  RJCT: { code: 'U033', description: 'The customer did not authorise the consent.' },
};

const iso = (ms: number): string => new Date(ms).toISOString();
