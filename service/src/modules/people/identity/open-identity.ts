import { limits } from '@florin/contract';
import { peopleUrl } from '#platform/config.ts';
import type { Uses } from '#platform/tools.ts';
import { hashPassword, isPassword } from '../access/hash-password.ts';
import { sessionCookie } from '../access/sessions.ts';
import { libraryKey } from './accept-code-once.ts';
import { identityAdapter } from './identity-adapter.ts';
import { recoveryCodeStore } from './recovery-codes.ts';

type IdentityTools = Uses<'database' | 'ids' | 'clock' | 'secrets' | 'log' | 'config'>;

export type Identity = Awaited<ReturnType<typeof loadIdentity>>;

/** The sign-in library, read at the first use: it takes a second that a start does not have to wait. */
export const openIdentity = (tools: IdentityTools): (() => Promise<Identity>) => {
  let loading: Promise<Identity> | null = null;
  return () => {
    loading ??= loadIdentity(tools).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
};

const appName = 'Florin';

const loadIdentity = async (tools: IdentityTools) => {
  const [{ betterAuth }, { createAdapterFactory }, { twoFactor }, { passkey }, { renewal }] =
    await Promise.all([
      import('better-auth/minimal'),
      import('better-auth/adapters'),
      import('better-auth/plugins/two-factor'),
      import('@better-auth/passkey'),
      import('./renew-session.ts'),
    ]);
  const url = new URL(peopleUrl(tools.config) ?? 'http://localhost');
  const database = createAdapterFactory({
    config: {
      ...{ adapterId: 'florin', adapterName: 'Florin', supportsNumericIds: false },
      transaction: false,
    },
    adapter: () => identityAdapter(tools),
  });
  return betterAuth({
    ...{ appName, database, baseURL: url.origin, basePath: '/dashboard/auth' },
    secret: libraryKey(tools),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_, message) => tools.log.warn({ message }, 'sign-in') },
    // Ours: by address and by e-mail address, for all ways to sign in together.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.passwordLengthMin,
      maxPasswordLength: limits.passwordLengthMax,
      password: {
        hash: (password) => hashPassword(password),
        verify: ({ password, hash }) => isPassword(password, hash),
      },
    },
    session: {
      expiresIn: limits.sessionMs / 1000,
      disableSessionRefresh: true,
      freshAge: limits.stepUpMs / 1000,
    },
    verification: { storeIdentifier: 'hashed' },
    advanced: {
      ...cookiesOf(tools.config, url.protocol === 'https:'),
      database: { generateId: () => tools.ids.uuid() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      renewal,
      twoFactor({
        issuer: appName,
        backupCodeOptions: {
          ...{ amount: limits.recoveryCodes, storeBackupCodes: recoveryCodeStore },
        },
      }),
      passkey({
        ...{ rpID: url.hostname, rpName: appName },
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: {
          afterVerification: ({ verification }) =>
            requireVerified(verification.registrationInfo?.userVerified),
        },
        authentication: {
          afterVerification: ({ verification }) =>
            requireVerified(verification.authenticationInfo.userVerified),
        },
      }),
    ],
  });
};

/** Named as `sessionCookie` says; the library puts `__Secure-` before the names, and knows no `__Host-`. */
const cookiesOf = (config: Uses<'config'>['config'], isHttps: boolean) => {
  const attributes = { httpOnly: true, sameSite: 'strict', secure: isHttps } as const;
  const session = sessionCookie(config);
  if (!session.startsWith('__Host-'))
    return {
      cookiePrefix: 'florin',
      useSecureCookies: isHttps,
      defaultCookieAttributes: { ...attributes, path: '/dashboard' },
      cookies: { session_token: { name: session.replace('__Secure-', '') } },
    };
  return {
    cookiePrefix: '__Host-florin',
    useSecureCookies: false,
    defaultCookieAttributes: { ...attributes, path: '/' },
    cookies: { session_token: { name: session } },
  };
};

/** A passkey signs in alone, so its device has to have checked who holds it. */
const requireVerified = (isVerified: boolean | undefined): void => {
  if (isVerified !== true) throw new Error('the device did not check its person');
};

/** Ours: what a caller sends under this name is not passed on. */
export const addressHeader = 'x-florin-address';
