import { SignJWT } from 'jose';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { plainCode } from '../bank/classify-refusal.ts';
import type { HttpAnswer } from '../bank/transport.ts';
import { parseJson } from '../messages/read-json.ts';
import { clientSubject } from './client-subject.ts';

const lifetimeSeconds = 300;

export type RegisteredClient = { readonly clientId: string; readonly clientSecret?: string };

/**
 * Registers the firm at a bank by its software statement (dynamic client registration 3.2 and 3.3 of the
 * standard), and answers what the bank gave. Throws one sentence. Each call makes another client.
 */
export const registerClient = async (
  bank: Bank,
  softwareStatement: string,
): Promise<RegisteredClient> => {
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
