import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/** The OAuth error of the bank's refusal; null when it is not definite. */
export const oauthRefusalCode = (error: unknown): string | null => {
  if (error instanceof ResponseBodyError && error.status >= 400 && error.status < 500)
    return error.status === 429 ? null : plainOauthCode(error.error);
  if (error instanceof WWWAuthenticateChallengeError && error.status === 401)
    return 'invalid_client';
  return null;
};

/** Codes are stored and shown, so only the alphabet that OAuth's own codes use. */
export const plainOauthCode = (code: string): string =>
  /^[a-z_]{1,60}$/.test(code) ? code : 'unknown_error';
