import type { Environment } from '#kernel/environment.ts';

/** An app's own scheme in reverse-domain form, as RFC 8252 (7.1) requires: `com.example.shop:`. */
const appScheme = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** REQUEST-10: where a customer may be returned to. */
export const isAllowedRedirectUrl = (text: string, environment: Environment): boolean => {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'http:') return environment === 'SANDBOX';
  return protocol === 'https:' || appScheme.test(protocol);
};

/** Any port of the developer's own machine, in the sandbox only. */
const isAllowedLocally = (text: string, environment: Environment): boolean =>
  environment === 'SANDBOX' && /^http:\/\/(localhost|127\.0\.0\.1):\*$/.test(text);

/** An origin exactly as a browser sends it, or `http://localhost:*` in the sandbox. */
export const isAllowedOrigin = (text: string, environment: Environment): boolean => {
  if (isAllowedLocally(text, environment)) return true;
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  const isOffered = protocol === 'https:' || (protocol === 'http:' && environment === 'SANDBOX');
  return isOffered && origin === text;
};
