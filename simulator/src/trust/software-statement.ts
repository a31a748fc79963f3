import { jwtVerify, SignJWT } from 'jose';
import type { Credentials } from './credentials.ts';

const lifetimeSeconds = 30 * 24 * 60 * 60;

/** What the directory says of its registered firm, as banks want it when a firm registers itself. */
export const issueSoftwareStatement = async (
  { identity, directoryKey }: Credentials,
  redirectUris: readonly string[],
  nowMs: number,
): Promise<string> => {
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT({
    iss: directoryName,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    org_id: identity.organisationId,
    software_id: identity.softwareStatementId,
    software_client_name: 'Florin',
    software_roles: ['PISP', 'AISP'],
    software_redirect_uris: [...redirectUris],
  })
    .setProtectedHeader({ alg: 'PS256', kid: directoryKey.kid, typ: 'JWT' })
    .sign(directoryKey.privateKey);
};

type SoftwareStatement = {
  readonly softwareId: string;
  readonly redirectUris: readonly string[];
};

/** Undefined unless the directory signed it and it has not run out. */
export const readSoftwareStatement = async (
  { directoryKey }: Credentials,
  text: string,
  nowMs: number,
): Promise<SoftwareStatement | undefined> => {
  try {
    const { payload } = await jwtVerify(text, directoryKey.publicJwk, {
      issuer: directoryName,
      algorithms: ['PS256'],
      currentDate: new Date(nowMs),
    });
    return {
      softwareId: String(payload.software_id),
      redirectUris: payload.software_redirect_uris as readonly string[],
    };
  } catch {
    return undefined;
  }
};

const directoryName = 'Simulated directory';
