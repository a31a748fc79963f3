import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { clockToleranceSeconds } from '../bank/open-key-source.ts';
import type { HttpAnswer } from '../bank/transport.ts';
import { callbackUrlAt, readSubscription } from '../bank-events.ts';
import { oauthRefusalCode } from '../consents/read-return.ts';
import { parseJson } from '../messages/read-values.ts';
import { explainConnectionFault, type Finding, findingsOf } from './finding.ts';

type Findings = ReturnType<typeof findingsOf>;
type Metadata = Readonly<Record<string, unknown>>;

/** Whether a payment could be started at a bank now. It reads, and starts nothing. */
export const checkBank = async (
  bank: Bank,
  /** Where notifications of banks come in; null: not known here. */
  eventsBaseUrl: string | null = null,
): Promise<readonly Finding[]> => {
  const found = findingsOf(bank.profile.id);
  const answer = await read(bank, bank.profile.wellKnown, 'discovery', found);
  if (!answer) return found.findings;
  checkClock(bank, answer, found);
  const metadata = parseJson(answer.body);
  if (answer.status !== 200 || typeof metadata !== 'object' || metadata === null) {
    found.fault(
      'discovery',
      `${bank.profile.wellKnown} answered with status ${answer.status}`,
      'Compare wellKnown with the address on the developer portal of the bank.',
    );
    return found.findings;
  }
  checkMetadata(bank, metadata as Metadata, found);
  await checkKeys(bank, metadata as Metadata, found);
  const hasToken = await checkToken(bank, found);
  if (hasToken && bank.profile.eventsUrl !== undefined)
    await checkSubscription(bank, eventsBaseUrl, found);
  return found.findings;
};

const read = async (
  bank: Bank,
  url: string,
  check: string,
  found: Findings,
): Promise<HttpAnswer | null> => {
  try {
    return await bank.transport.send(url, { method: 'GET', headers: {} });
  } catch (error) {
    const name = faultName(error);
    found.fault(check, `${url}: ${name}`, explainConnectionFault(name));
    return null;
  }
};

const checkClock = (bank: Bank, { headers }: HttpAnswer, found: Findings): void => {
  const bankMs = Date.parse(headers.date ?? '');
  if (Number.isNaN(bankMs)) return;
  const seconds = Math.round((bank.tools.clock.now().getTime() - bankMs) / 1000);
  const detail = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the bank's`;
  if (Math.abs(seconds) <= 2) found.ok('clock', "equals the bank's");
  else if (Math.abs(seconds) < clockToleranceSeconds)
    found.warn('clock', detail, 'Synchronise the clock of this machine (NTP).');
  else
    found.fault(
      'clock',
      detail,
      'Synchronise the clock of this machine (NTP): signatures carry the time and are refused.',
    );
};

const checkMetadata = ({ profile }: Bank, metadata: Metadata, found: Findings): void => {
  if (metadata.issuer === profile.issuer) found.ok('issuer', profile.issuer);
  else
    found.fault(
      'issuer',
      `the bank names ${String(metadata.issuer)}, the settings ${profile.issuer}`,
      'Set issuer to what the bank names, if its portal confirms it.',
    );
  const needed = [
    'token_endpoint',
    'authorization_endpoint',
    'jwks_uri',
    ...(profile.authorisation === 'par' ? ['pushed_authorization_request_endpoint'] : []),
  ];
  const missing = needed.filter((name) => typeof metadata[name] !== 'string');
  if (missing.length === 0) found.ok('endpoints', needed.join(', '));
  else
    found.fault(
      'endpoints',
      `discovery does not name ${missing.join(', ')}`,
      missing.includes('pushed_authorization_request_endpoint')
        ? 'Set authorisation to "jar": the bank takes no pushed requests.'
        : 'Compare wellKnown with the developer portal of the bank.',
    );
  const methods = metadata.token_endpoint_auth_methods_supported;
  if (Array.isArray(methods) && !methods.includes(profile.tokenAuth))
    found.fault(
      'client authentication',
      `the bank takes ${methods.join(', ')}, not ${profile.tokenAuth}`,
      'Set tokenAuth to one of these, as the client was registered.',
    );
};

const checkKeys = async (bank: Bank, metadata: Metadata, found: Findings): Promise<void> => {
  const addresses = [metadata.jwks_uri, bank.profile.bankSigning?.jwksUri].filter(
    (address): address is string => typeof address === 'string',
  );
  for (const address of new Set(addresses)) {
    const answer = await read(bank, address, 'keys', found);
    const count = answer ? countUsableKeys(parseJson(answer.body)) : null;
    if (count === 0)
      found.fault(
        'keys',
        `${address} holds no key for PS256 or ES256`,
        'Compare jwksUri with the directory entry of the bank.',
      );
    if (count) found.ok('keys', `${count} at ${address}`);
  }
};

const countUsableKeys = (text: unknown): number => {
  try {
    const set = text as JSONWebKeySet;
    createLocalJWKSet(set);
    return set.keys.filter(({ kty, use }) => (kty === 'RSA' || kty === 'EC') && use !== 'enc')
      .length;
  } catch {
    return 0;
  }
};

/** Our id, keys and certificate at once: only the bank can say whether it accepts them. */
const checkToken = async (bank: Bank, found: Findings): Promise<boolean> => {
  try {
    await bank.clientToken.get();
    found.ok('access', 'the bank gave a token for payments');
    return true;
  } catch (error) {
    const code = oauthRefusalCode(error);
    found.fault(
      'access',
      `the bank gave no token: ${code ?? faultName(error)}`,
      refusalFixes.get(code ?? '') ??
        'Read what the log says of this bank, and compare the registration on its portal.',
    );
    return false;
  }
};

const refusalFixes: ReadonlyMap<string, string> = new Map([
  [
    'invalid_client',
    'Compare clientId, tokenAuth, signingKeyId and the transport certificate with the registration.',
  ],
  ['unauthorized_client', 'Register the client for the grant client_credentials.'],
  ['invalid_scope', 'Set tokenScope to the scopes for which the client was registered.'],
]);

const check = 'notifications';

/** Whether the bank tells us what changes. Without it payments are polled, so nothing is a fault. */
const checkSubscription = async (
  bank: Bank,
  baseUrl: string | null,
  found: ReturnType<typeof findingsOf>,
): Promise<void> => {
  const read = await readSubscription(bank);
  if (read.kind === 'NOT_READ')
    return found.warn(
      check,
      `the subscription cannot be read: ${read.why}`,
      'Compare eventsUrl with the portal of the bank, or leave it out: payments are polled.',
    );
  const { subscription } = read;
  if (subscription === null)
    return found.warn(
      check,
      'there is no subscription',
      'Start the worker with PUBLIC_URL: it subscribes at once.',
    );
  const leadsTo = subscription.callbackUrl ?? 'no address';
  if (baseUrl !== null && leadsTo !== callbackUrlAt(bank.profile, baseUrl))
    return found.warn(
      check,
      `they are sent to ${leadsTo}`,
      'Start the worker with the PUBLIC_URL of this installation: it changes the address.',
    );
  found.ok(check, `they are sent to ${leadsTo}`);
};
