import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { schemaReasons } from '#simulator/bank/wire/schema-reasons.ts';
import { systemClock } from '../../system-clock.ts';
import { accountClient, accountSchemaOf } from '../account-client.ts';
import { checkReply, type Seen } from '../check-reply.ts';
import type { HonestClient } from '../honest-client.ts';
import { exchange } from '../payment-steps.ts';
import { visitBank } from '../visit-bank.ts';
import { type Answer, type Context, fillIn, findCaseFaults, memberAt } from './find-case-faults.ts';
import { bodyTemplates, type Case, type Version } from './read-cases.ts';

type Api = 'accounts' | 'payments';
type Run = { readonly faults: readonly string[] };

/** The official suite's cases against one bank: what one answers, later ones use. */
export const openSuite = async (client: HonestClient, api: Api, version: Version) => {
  const suite: Suite = {
    ...{ client, api, version },
    base: client.bank[api === 'accounts' ? 'accountsUrl' : 'paymentsUrl'].replace(
      /\/v[\d.]+\//,
      `/v${version}/`,
    ),
    clientToken: await client.clientToken(api),
    customerTokens: new Map(),
    context: { ...givenFor(version), client_access_token: await client.clientToken(api) },
  };
  return { run: (one: Case): Promise<Run> => runCase(suite, one) };
};

type Suite = {
  readonly client: HonestClient;
  readonly api: Api;
  readonly version: Version;
  readonly base: string;
  readonly clientToken: string;
  /** By permissions, or by the consent of a payment. */
  readonly customerTokens: Map<string, string>;
  readonly context: Context;
};

/** What the person who runs the official suite fills in. */
const givenFor = (version: Version): Context => ({
  instructedAmountCurrency: 'GBP',
  instructedAmountValue: '1.00',
  currencyOfTransfer: 'USD',
  creditorScheme: 'UK.OBIE.SortCodeAccountNumber',
  creditorIdentification: '18000200000190',
  creditorName: 'Corner Coffee Ltd',
  requestedExecutionDateTime: '2030-01-01T00:00:00+00:00',
  firstPaymentDateTime: '2030-01-01T00:00:00+00:00',
  payment_frequency: { '3.1': 'EvryDay', '4.0': 'DAIL' }[version],
});

const runCase = async (suite: Suite, one: Case): Promise<Run> => {
  const { context } = suite;
  const { parameters } = one;
  // An instruction has one id in its consent and in its payment.
  const generated = Object.keys(parameters).filter((name) => parameters[name]?.startsWith('$fn:'));
  for (const name of generated) context[name] = generate(parameters[name] ?? '');
  context['x-fapi-interaction-id'] = randomUUID();
  for (const [name, value] of Object.entries(parameters))
    if (!generated.includes(name)) context[name] = fillIn(value, context);
  const token = await tokenFor(suite, one);
  const path = fillIn(one.uri, context);
  const answer = await send(suite, one, path, token);
  const faults = [
    ...findCaseFaults(one, answer, context),
    ...(one.schemaCheck || one.validateSignature
      ? await findMessageFaults(suite, one, answer, path)
      : []),
  ];
  if (faults.length === 0) await storeValue(suite, one, answer);
  return { faults };
};

const nextDay = /^\$fn:nextDayDate\((.*)\)$/;

/** An id, or the time in a day in the form that the suite's language would give it. */
const generate = (rule: string): string => {
  const [, layout] = nextDay.exec(rule) ?? [];
  if (!layout) return randomUUID().slice(0, 30);
  const time = new Date(systemClock.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 19);
  return `${time}${layout.endsWith('Z07:00') ? 'Z' : '+00:00'}`;
};

/** A case without permissions has no token, unless it says which. */
const tokenFor = async (suite: Suite, one: Case): Promise<string | null> => {
  if (suite.api === 'payments') {
    const isCustomers = /funds-confirmation$|-payments$|-orders$/.test(one.uri);
    const consentId = fillIn('$consentId', suite.context);
    return (isCustomers && suite.customerTokens.get(consentId)) || suite.clientToken;
  }
  if (!one.permissions) return null;
  const permissions = completed(one.permissions);
  const key = permissions.join(' ');
  const known = suite.customerTokens.get(key) ?? (await linkWith(suite, permissions));
  suite.customerTokens.set(key, known);
  const reader = accountClient(suite.client, suite.version);
  const [account] = await reader.accountsOf(known);
  suite.context.consentedAccountId = account.AccountId;
  return known;
};

const offered = /^Read(?!Products|PAN)/;

/** A consent needs an account permission, and transactions a level and a side. */
const completed = (permissions: readonly string[]): readonly string[] => {
  const has = (part: string) => permissions.some((each) => each.startsWith(part));
  const wanted = permissions.filter((each) => offered.test(each));
  return [
    ...(has('ReadAccounts') ? [] : ['ReadAccountsBasic']),
    ...wanted,
    ...(has('ReadTransactions') && !wanted.some((each) => /Credits|Debits/.test(each))
      ? ['ReadTransactionsCredits', 'ReadTransactionsDebits']
      : []),
  ].sort();
};

const linkWith = async (suite: Suite, permissions: readonly string[]): Promise<string> => {
  const reader = accountClient(suite.client, suite.version);
  return (await reader.link({ account: 0 }, { Permissions: permissions })).token;
};

const send = async (
  suite: Suite,
  one: Case,
  path: string,
  token: string | null,
): Promise<Answer> => {
  const { client, context, base } = suite;
  const query = new URLSearchParams(one.queryParameters).toString();
  const body = one.body === undefined ? undefined : bodyOf(one, context);
  const given = Object.fromEntries(
    Object.entries(one.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      fillIn(value, context),
    ]),
  );
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-fapi-financial-id': client.bank.id,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      'x-jws-signature': client.signBody(body, (header) => withoutClaims(header, one)),
    }),
    ...given,
  };
  for (const name of one.removeHeaders ?? []) delete headers[name];
  const reply = await request(`${base}${path}${query && `?${query}`}`, {
    method: one.method.toUpperCase() as 'GET',
    dispatcher: client.agent,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await reply.body.text();
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: text === '' ? undefined : JSON.parse(text),
    text,
  };
};

const bodyOf = ({ body = '' }: Case, context: Context): string => {
  const name = fillIn(body, context).slice(1);
  return fillIn(JSON.stringify(bodyTemplates[name]?.body ?? {}), context);
};

const withoutClaims = (header: Record<string, unknown>, one: Case): void => {
  for (const claim of one.removeSignatureClaims ?? [])
    delete header[`http://openbanking.org.uk/${claim}`];
};

/** The schema of the standard, and for payments the bank's signature. */
const findMessageFaults = async (
  { client, api, version }: Suite,
  one: Case,
  answer: Answer,
  path: string,
): Promise<readonly string[]> => {
  if (answer.text === '') return [`status ${answer.status} without a body`];
  if (api === 'accounts') {
    const schema = answer.status >= 400 ? 'OBErrorResponse1' : accountSchemaOf(path);
    return schemaReasons(version, schema, answer.body).map(({ message }) => message);
  }
  const seen: Seen = { ...answer, method: one.method.toUpperCase(), path, version };
  return checkReply(client.bank, seen).then(
    () => [],
    (error: Error) => [error.message],
  );
};

const storeValue = async (suite: Suite, one: Case, { body }: Answer): Promise<void> => {
  const { client, context } = suite;
  const { name, value } = one.keepContextOnSuccess ?? {};
  const stored = value && String(memberAt(body, value));
  if (!name || !stored) return;
  context[name] = stored;
  if (one.parameters.requestConsent !== 'true') return;
  const visit = await client.authorisationUrl(stored);
  const returned = await visitBank(visit.url);
  suite.customerTokens.set(stored, (await exchange(client, visit, returned.url)).access_token);
};
