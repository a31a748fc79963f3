import { createAuthEndpoint, sessionMiddleware } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { generateRandomString } from 'better-auth/crypto';

/** As the library makes them. */
const tokenLength = 32;

const renewSession = createAuthEndpoint.serverOnly(
  { method: 'POST', use: [sessionMiddleware] },
  async (context) => {
    const { session, user } = context.context.session;
    const token = generateRandomString(tokenLength, 'a-z', 'A-Z', '0-9');
    // The row is found by the token before: of two that renew it at once one finds none.
    const renewed = await context.context.internalAdapter.updateSession(session.token, { token });
    if (!renewed) throw context.error('UNAUTHORIZED');
    await setSessionCookie(context, { session: { ...session, token }, user });
    return context.json({});
  },
);

/** For who has confirmed who they are: the last token is nobody's any more. */
export const renewal = { id: 'renewal', endpoints: { renewSession } };
