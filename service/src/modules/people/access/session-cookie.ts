/** The cookie of a session; on https its name begins with `__Secure-`. */
export const sessionCookie = 'florin_session';

const pattern = new RegExp(`^(?:__Secure-)?${sessionCookie}=(.+)$`);
// The library that sets it appends a signature; the token alone is long enough to be unguessable.
const tokenPattern = /^[A-Za-z0-9]{32,64}$/;

/** Of the last cookie that holds one; null: none. */
export const readSessionToken = (cookies: string | undefined): string | null => {
  const values = (cookies ?? '').split(';').flatMap((pair) => pattern.exec(pair.trim())?.[1] ?? []);
  const token = values.at(-1)?.split('.')[0] ?? '';
  return tokenPattern.test(token) ? token : null;
};
