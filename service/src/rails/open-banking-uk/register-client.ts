import { randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SignJWT } from 'jose';
import { type Bank, openBank, openConnector } from './bank/bank.ts';
import { faultName, plainCode } from './bank/call-bank.ts';
import type { HttpAnswer } from './bank/transport.ts';
import { parseJson } from './messages/read-values.ts';
import type { OpenBankingSettings, OpenBankingTools } from './settings/settings.ts';

const lifetimeSeconds = 300;

type RegisteredClient = { readonly clientId: string; readonly clientSecret?: string };

/**
 * Registers the firm at a bank by its software statement (dynamic client registration 3.2 and 3.3 of the
 * standard), and answers what the bank gave. Throws one sentence. Each call makes another client.
 */
const registerClient = async (bank: Bank, softwareStatement: string): Promise<RegisteredClient> => {
  const { id, name } = bank.profile;
  const address = await registrationEndpoint(bank);
  if (address === null)
    throw new Error(
      `${name} has no dynamic registration: register on its portal, then set ` +
        `banks["${id}"].clientId.`,
    );
  const answer = await send(bank, address, await signedRequest(bank, softwareStatement));
  const body = parseJson(answer.body) as Readonly<Record<string, unknown>> | null;
  if (answer.status !== 201 && answer.status !== 200)
    throw new Error(`${name} refused the registration: ${reasonIn(body)} (${answer.status}).`);
  if (typeof body?.client_id !== 'string' || body.client_id === '')
    throw new Error(`${name} answered without a client id: see its portal.`);
  const { client_id: clientId, client_secret: clientSecret } = body;
  return { clientId, ...(typeof clientSecret === 'string' && { clientSecret }) };
};

const registrationEndpoint = async (bank: Bank): Promise<string | null> => {
  const { configuration } = await bank.discovered.get().catch((error: unknown) => {
    throw new Error(
      `${bank.profile.name} cannot be reached (${faultName(error)}): npm run doctor says why.`,
    );
  });
  const { registration_endpoint: address } = configuration.serverMetadata();
  return address ?? null;
};

const send = async (bank: Bank, address: string, body: string): Promise<HttpAnswer> => {
  try {
    return await bank.transport.send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/jose', accept: 'application/json' },
      body,
    });
  } catch (error) {
    throw new Error(
      `${bank.profile.name} gave no answer (${faultName(error)}). It may have registered the ` +
        'client: look at its portal before you try again.',
    );
  }
};

const signedRequest = async (bank: Bank, softwareStatement: string): Promise<string> => {
  const { client, profile, tools } = bank;
  const issuedAt = Math.floor(tools.clock.now().getTime() / 1000);
  const isFragment = profile.responseMode === 'fragment';
  const usesCertificate = profile.tokenAuth === 'tls_client_auth';
  return new SignJWT({
    iss: client.softwareStatementId,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    aud: profile.issuer,
    jti: tools.ids.uuid(),
    software_id: client.softwareStatementId,
    software_statement: softwareStatement,
    redirect_uris: [client.redirectUri, client.accountRedirectUri],
    application_type: 'web',
    scope: 'openid payments accounts',
    response_types: [isFragment ? 'code id_token' : 'code'],
    grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
    token_endpoint_auth_method: profile.tokenAuth,
    ...(profile.tokenAuth === 'private_key_jwt' && { token_endpoint_auth_signing_alg: 'PS256' }),
    ...(usesCertificate && {
      tls_client_auth_subject_dn: clientSubject(client.transportCertificatePem),
    }),
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: 'PS256',
  })
    .setProtectedHeader({ alg: 'PS256', kid: client.signingKeyId, typ: 'JWT' })
    .sign(await bank.clientKeys.signingKey());
};

/** A code of the standard, never a text that may carry more. */
const reasonIn = (body: Readonly<Record<string, unknown>> | null): string =>
  typeof body?.error === 'string' ? plainCode(body.error) : 'no reason given';

type Requested = {
  readonly bankId: string;
  /** The operator's file: the client id is stored beside it. */
  readonly settingsPath: string;
  readonly mayRepeat: boolean;
};

/** Registers the firm at one bank and stores what the bank gave (BANK-21). Throws one sentence. */
export const registerAtBank = async (
  settings: OpenBankingSettings,
  tools: OpenBankingTools,
  { bankId, settingsPath, mayRepeat }: Requested,
): Promise<{ readonly clientId: string; readonly path: string }> => {
  const profile = settings.banks.find(({ id }) => id === bankId);
  if (!profile) throw new Error(`No bank of the file has the id ${bankId}.`);
  if (profile.clientId && !mayRepeat)
    throw new Error(`${bankId} has the client id ${profile.clientId} already.`);
  const { softwareStatement } = settings.client;
  if (!softwareStatement)
    throw new Error('client.softwareStatementFile is missing: download it from the directory.');
  const connector = openConnector(settings, tools);
  const bank = openBank({ ...profile, ...notRegistered }, connector);
  try {
    const registered = await registerClient(bank, softwareStatement.trim());
    const path = writeRegistrationOf(settingsPath, bankId, registered);
    return { clientId: registered.clientId, path };
  } finally {
    await connector.transport.close();
  }
};

// A registration needs neither; the library that reads the bank's addresses does.
const notRegistered = { clientId: 'not-registered', clientSecret: 'not-registered' };

type Registrations = Readonly<Record<string, RegisteredClient>>;

/** Beside the operator's file, so that a registration never rewrites what a person wrote. */
const registrationsPath = (settingsPath: string): string =>
  join(dirname(settingsPath), 'bank-registrations.json');

/** The clients that banks gave by dynamic registration. Throws if the file is there and broken. */
export const readRegistrations = (settingsPath: string): Registrations => {
  const path = registrationsPath(settingsPath);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${path} cannot be read`);
  }
  try {
    return JSON.parse(text) as Registrations;
  } catch {
    throw new Error(`${path} is not JSON`);
  }
};

/** Renamed into place, so that a running program never reads half of it; answers its path. */
const writeRegistrationOf = (
  settingsPath: string,
  bankId: string,
  client: RegisteredClient,
): string => {
  const path = registrationsPath(settingsPath);
  const all = { ...readRegistrations(settingsPath), [bankId]: client };
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(beside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, path);
  return path;
};

/** The subject of a certificate as RFC 4514 writes it: the most specific part first. */
export const clientSubject = (certificatePem: string): string =>
  new X509Certificate(certificatePem).subject
    .split('\n')
    .reverse()
    .map((part) =>
      part.replace(/^([^=]*=)(.*)$/, (_, name: string, value: string) => name + escaped(value)),
    )
    .join(',');

const escaped = (value: string): string =>
  value.replace(/[\\",+;<>]/g, (character) => `\\${character}`);
