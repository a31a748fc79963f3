import { CallFailure } from '../../call/call-failure.ts';

/** Opens a session, which the browser keeps in a cookie that no script can read. */
export const signIn = async (email: string, password: string): Promise<void> => {
  const reply = await fetch('/dashboard/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'florin-dashboard': '1' },
    body: JSON.stringify({ email, password }),
    credentials: 'same-origin',
  });
  if (reply.ok) return;
  const message =
    reply.status === 429
      ? 'Too many attempts. Wait a minute, then try again.'
      : 'E-mail and password do not belong together.';
  throw new CallFailure({ status: reply.status, failure: 'SIGN_IN_REFUSED', message });
};
