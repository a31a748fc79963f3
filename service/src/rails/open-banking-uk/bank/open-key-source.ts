import type { FlattenedJWSInput, JWSHeaderParameters, JWTPayload } from 'jose';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { DetachedCheck } from '../messages/detached-jws.ts';
import type { Transport } from './transport.ts';

export type KeySource = DetachedCheck['keys'];

const cacheForMs = 600_000;
const retryAfterMs = 5_000;

/**
 * Cached for ten minutes, fetched once for concurrent callers, again when an unknown key appears.
 */
export const openKeySource = (jwksUri: string, transport: Transport): KeySource => {
  const keySet = createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: cacheForMs,
    cooldownDuration: retryAfterMs,
    [customFetch]: transport.fetch,
  });
  return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      throw isAboutTheToken(error) ? error : new KeysUnavailable(error);
    }
  };
};

const isAboutTheToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

export type JwtCheck = {
  readonly keys: KeySource;
  readonly issuer: string;
  readonly audience: string;
  readonly now: Date;
};

/** Null unless it is a current token of this bank for us. Throws KeysUnavailable only. */
export const verifyBankJwt = async (token: string, check: JwtCheck): Promise<JWTPayload | null> => {
  try {
    const verified = await jwtVerify(token, check.keys, {
      issuer: check.issuer,
      audience: check.audience,
      algorithms: ['PS256', 'ES256'],
      requiredClaims: ['exp'],
      clockTolerance: clockToleranceSeconds,
      currentDate: check.now,
    });
    return verified.payload;
  } catch (error) {
    if (error instanceof KeysUnavailable) throw error;
    return null;
  }
};

/** The bank's keys could not be fetched: this decides nothing about the message. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super("the bank's keys could not be fetched", { cause });
    this.name = 'KeysUnavailable';
  }
}

export const clockToleranceSeconds = 30;
