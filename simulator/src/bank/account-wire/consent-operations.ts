import { consentStanding, createAccountConsent } from '../accounts/account-consents.ts';
import type { AccountConsent, AccountConsentTerms } from '../accounts/model.ts';
import type { JsonObject } from '../ports.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { checkAccess, checkHeaders } from '../wire/check-request.ts';
import { parseJsonBody } from '../wire/read-body.ts';
import { accountSchemaReasons } from '../wire/schema-reasons.ts';
import type { AccountCall, Operation } from './account-call.ts';

export const postAccountConsent: Operation = async (call) => {
  const { bank, request } = call;
  const access = await checkAccess(bank, request, 'client', 'accounts');
  checkHeaders(bank.profile, request.headers, true);
  const body = parseJsonBody(call.body);
  const reasons = accountSchemaReasons(call.version, 'OBReadConsent1', body);
  if (reasons.length > 0) throw new Refusal(400, reasons);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const consent = await createAccountConsent(bank.tools, caller, termsOf(call, body));
  return { status: 201, body: replyOf(call, consent) };
};

export const getAccountConsent: Operation = async (call) => ({
  status: 200,
  body: replyOf(call, await findConsent(call)),
});

export const deleteAccountConsent: Operation = async (call) => {
  const consent = await findConsent(call);
  await call.bank.tools.store.deleteAccountConsent(consent.bankId, consent.id);
  return { status: 204 };
};

const findConsent = async (call: AccountCall): Promise<AccountConsent> => {
  const { bank, request, id, version } = call;
  const access = await checkAccess(bank, request, 'client', 'accounts');
  checkHeaders(bank.profile, request.headers, false);
  const consent = await bank.tools.store.findAccountConsent(bank.profile.id, id);
  if (consent?.clientId !== access.clientId || consent.version !== version) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const termsOf = ({ version }: AccountCall, body: JsonObject): AccountConsentTerms => {
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

const replyOf = ({ bank, wire, accountsUrl }: AccountCall, consent: AccountConsent): JsonObject => {
  const standing = consentStanding(consent, bank.tools.clock.now());
  const { expiresAt, transactionsFrom, transactionsTo } = consent;
  return {
    Data: {
      ConsentId: consent.id,
      CreationDateTime: iso(consent.createdAt),
      Status: wire.consentStatus(standing),
      ...wire.consentReason(standing),
      StatusUpdateDateTime: iso(consent.statusUpdatedAt),
      Permissions: [...consent.permissions],
      ...(expiresAt !== undefined && { ExpirationDateTime: iso(expiresAt) }),
      ...(transactionsFrom !== undefined && { TransactionFromDateTime: iso(transactionsFrom) }),
      ...(transactionsTo !== undefined && { TransactionToDateTime: iso(transactionsTo) }),
    },
    Risk: {},
    Links: { Self: `${accountsUrl}/account-access-consents/${consent.id}` },
    Meta: { TotalPages: 1 },
  };
};

const iso = (ms: number): string => new Date(ms).toISOString();
