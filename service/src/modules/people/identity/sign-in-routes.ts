import { failures, limits } from '@florin/contract';
import {
  readSignIn,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
  signUp,
  startPasskeySignIn,
  stepUp,
} from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { badField } from '#platform/http/error-reply.ts';
import { addressPrefix } from '#platform/http/log-requests.ts';
import { addressKey } from '#platform/http/rate/open-buckets.ts';
import {
  type Call,
  openRoute,
  type Person,
  personRoute,
  type Route,
} from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { addOwner, type SignUpTools } from '../access/add-person.ts';
import { manageSessions } from '../access/manage-sessions.ts';
import { refuseCommonPassword } from '../access/refuse-common-password.ts';
import { queueLinkMail } from '../mails/queue-link-mail.ts';
import { callIdentity, type Identities, verifyAppCode } from './call-identity.ts';
import { withTypedCode } from './recovery-codes.ts';

type Window = { readonly endsMs: number; count: number };

const windowMs = 60_000;
const windowsMax = 50_000;

export type LimitAttempts = (attempt: {
  readonly address: string;
  /** Whose sign-in is tried: an e-mail address or a person. */
  readonly account?: string;
}) => void;

/** Guesses a minute, from one address and at one person, whatever else is limited (PEOPLE-1). */
export const limitAttempts = ({ clock }: Uses<'clock'>): LimitAttempts => {
  const windows = new Map<string, Window>();
  const count = (key: string, max: number): void => {
    const nowMs = clock.now().getTime();
    const known = windows.get(key);
    const window = known && known.endsMs > nowMs ? known : { endsMs: nowMs + windowMs, count: 0 };
    setBounded(windows, key, window, windowsMax);
    window.count += 1;
    const retryAfterSeconds = Math.ceil((window.endsMs - nowMs) / 1000);
    if (window.count > max) throw new Failure(failures.rateLimited, { retryAfterSeconds });
  };
  return ({ address, account }) => {
    count(`address ${addressKey(address)}`, limits.signInsPerMinutePerAddress);
    if (account !== undefined) count(`account ${account.toLowerCase()}`, limits.signInsPerMinute);
  };
};

export type SignInTools = SignUpTools &
  Identities &
  Uses<'clock' | 'config' | 'log'> & {
    readonly limitAttempts: LimitAttempts;
    readonly catchesMail?: boolean;
  };

/** Before a person is known: the pages of signing up and in. */
export const signInRoutes = (tools: SignInTools): readonly Route[] => [
  openRoute(readSignIn, async () => ({
    operatorName: tools.config.operatorName,
    openSignUp: tools.openSignUp,
    mail: mailOf(tools),
  })),
  openRoute(signUp, async (call) => {
    if (!tools.openSignUp) throw signUpClosed();
    tools.limitAttempts({ address: call.address });
    const { email, password, name, businessName } = call.body;
    await refuseCommonPassword(tools, 'password', password, { email, names: [name, businessName] });
    const merchantId = await addOwner(tools, call.body, call.noteActor);
    await queueLinkMail(tools, 'VERIFY_EMAIL', email);
    await callIdentity(tools, call, (api, sent) =>
      api.signInEmail({ body: { email, password }, ...sent }),
    );
    await manageSessions(tools).endThis(call.cookies);
    return { merchantId };
  }),
  openRoute(signIn, async (call) => {
    const { email, password } = call.body;
    tools.limitAttempts({ address: call.address, account: email });
    const answer = await logRefusal(tools, call, () =>
      callIdentity<SignedIn>(tools, call, (api, sent) =>
        api.signInEmail({ body: { email, password }, ...sent }),
      ),
    );
    await manageSessions(tools).endThis(call.cookies);
    return { codeRequired: answer.twoFactorRedirect === true };
  }),
  openRoute(signInWithCode, async (call) => {
    tools.limitAttempts({ address: call.address });
    const { code } = call.body;
    await logRefusal(tools, call, () =>
      isAppCode(code)
        ? verifyAppCode(tools, call, code)
        : withTypedCode(code, () =>
            callIdentity(tools, call, (api, sent) =>
              api.verifyBackupCode({ body: { code }, ...sent }),
            ),
          ),
    );
    return {};
  }),
  openRoute(startPasskeySignIn, async (call) => {
    tools.limitAttempts({ address: call.address });
    const options = await callIdentity<Record<string, unknown>>(tools, call, (api, sent) =>
      api.generatePasskeyAuthenticationOptions(sent),
    );
    return { options };
  }),
  openRoute(signInWithPasskey, async (call) => {
    tools.limitAttempts({ address: call.address });
    const { response } = call.body;
    await logRefusal(tools, call, () =>
      callIdentity(
        tools,
        call,
        (api, sent) =>
          api.verifyPasskeyAuthentication({ body: { response: response as never }, ...sent }),
        true,
      ),
    );
    await manageSessions(tools).endThis(call.cookies);
    return {};
  }),
];

/** Of an address that nobody has signed up with there is no audit record (PEOPLE-15). */
const logRefusal = <Answer>(
  { log }: Uses<'log'>,
  { requestId, address }: Pick<Call<never>, 'requestId' | 'address'>,
  run: () => Promise<Answer>,
): Promise<Answer> =>
  run().catch((error: unknown) => {
    if (error instanceof Failure && error.definition === failures.wrongSignIn)
      log.warn({ requestId, address: addressPrefix(address) }, 'a sign-in was refused');
    throw error;
  });

/** Where a mail to a person can be read. */
const mailOf = ({ config, catchesMail = false }: SignInTools) => {
  if (config.smtpUrl) return 'SENT' as const;
  return catchesMail ? ('CAUGHT' as const) : ('NONE' as const);
};

type SignedIn = { readonly twoFactorRedirect?: boolean };

const signUpClosed = (): Failure =>
  new Failure(failures.notEnabled, {
    message: 'This installation takes no sign-ups. Ask the owner of a business for an invite.',
  });

/** Six digits are of an app; a recovery code is longer. */
const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Of the session itself. */
export const sessionRoutes = (tools: SignInTools): readonly Route[] => [
  personRoute(signOut, async (call) => {
    await callIdentity(tools, call, (api, sent) => api.signOut(sent));
    await manageSessions(tools).endThis(call.cookies);
    return {};
  }),
  personRoute(stepUp, async (call, person) => {
    tools.limitAttempts({ address: call.address, account: person.personId });
    const { password, code } = call.body;
    if ((password === undefined) === (code === undefined))
      throw badField('password', 'or code', 'Send either password or code.');
    if (code === undefined)
      await callIdentity(tools, call, (api, sent) =>
        api.verifyPassword({ body: { password: password ?? '' }, ...sent }),
      );
    else {
      requireAuthenticator(person);
      await verifyAppCode(tools, call, code);
    }
    await callIdentity(tools, call, (api, sent) => api.renewSession(sent));
    return { steppedUpUntil: await manageSessions(tools).confirm(person) };
  }),
];

const requireAuthenticator = ({ twoFactorEnabled }: Person): void => {
  if (!twoFactorEnabled) throw new Failure(failures.wrongSignIn);
};
