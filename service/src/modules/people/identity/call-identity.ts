import { type FailureDefinition, failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Call } from '#platform/http/route.ts';
import { acceptCodeOnce } from './accept-code-once.ts';
import { withLibraryCall } from './identity-adapter.ts';
import { addressHeader, type Identity } from './open-identity.ts';

export type Identities = { readonly identity: () => Promise<Identity> };

type Browser = Pick<
  Call<never>,
  'cookies' | 'setCookies' | 'origin' | 'address' | 'userAgent' | 'noteActor'
>;
type Api = Identity['api'];
type Sent = { readonly headers: Headers; readonly asResponse: true };

/**
 * Has the sign-in library answer, for the browser that calls: its cookies go there and come back, and what it
 * refuses is a failure of ours. None of its own addresses is served.
 */
export const callIdentity = async <Answer>(
  { identity }: Identities,
  call: Browser,
  run: (api: Api, sent: Sent) => Promise<Response>,
  byPasskey = false,
): Promise<Answer> => {
  const { api } = await identity();
  const headers = new Headers({
    cookie: call.cookies,
    origin: call.origin ?? '',
    'user-agent': call.userAgent,
    [addressHeader]: call.address,
  });
  const response = await withLibraryCall({ noteActor: call.noteActor, byPasskey }, () =>
    run(api, { headers, asResponse: true }),
  );
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) call.setCookies(cookies);
  const answer = (await response.json()) as Answer & Refused;
  if (response.ok) return answer;
  throw refusal(response.status, answer);
};

/** Of the authenticator app: a code that was accepted once is wrong from then on. */
export const verifyAppCode = (tools: Identities, call: Browser, code: string): Promise<unknown> =>
  acceptCodeOnce(code, () =>
    callIdentity(tools, call, (api, sent) => api.verifyTOTP({ body: { code }, ...sent })),
  );

type Refused = { readonly code?: string; readonly message?: string };

const byStatus: Readonly<Record<number, FailureDefinition>> = {
  400: failures.badRequest,
  401: failures.wrongSignIn,
  403: failures.signInAgain,
  404: failures.notFound,
  409: failures.conflict,
  422: failures.conflict,
  429: failures.rateLimited,
};

// They say what was typed wrong; their status does not.
const wrongCodes = ['INVALID_PASSWORD', 'INVALID_CODE', 'INVALID_BACKUP_CODE'];

// Whatever a device answers that cannot be read, the library calls its own mistake.
const unreadableAnswer = 'FAILED_TO_VERIFY_REGISTRATION';

const refusal = (status: number, { code, message }: Refused): Error => {
  if (code === unreadableAnswer)
    return new Failure(failures.badRequest, {
      message: 'The answer of the device could not be verified.',
    });
  if (code && wrongCodes.includes(code)) return new Failure(failures.wrongSignIn);
  const definition = byStatus[status];
  if (!definition) return new Error(`the sign-in library answered ${status} ${code}`);
  if (definition === failures.rateLimited)
    return new Failure(definition, { retryAfterSeconds: lockedSeconds });
  const sentence = message && definition.status !== 401 ? `${message.replace(/\.$/, '')}.` : null;
  return new Failure(definition, sentence ? { message: sentence } : {});
};

const lockedSeconds = 900;
