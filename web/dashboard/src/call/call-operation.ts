import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '@florin/contract';
import { noteLost, noteReached } from './connection.ts';
import { sessionEnd } from './session.ts';
import { type Tenant, tenantOfPath } from './tenant.ts';
import { forgetTyped } from './typed.ts';
import { idleSeconds } from './watch-use.ts';

export type Input<O> = {
  readonly params?: ParamsOf<O>;
  readonly query?: Partial<QueryOf<O>>;
  readonly body?: BodyOf<O>;
};

type CallOptions = {
  /** Of the page in view, where it is left out. */
  readonly tenant?: Tenant | null;
  /** A call that repeats an act carries the key of the first one, so that the act happens once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

/** Calls an operation of the contract as the signed-in person; throws a `CallFailure`. */
export const callOperation = async <const O extends Operation>(
  operation: O,
  input: Input<O> = {},
  options: CallOptions = {},
): Promise<ReplyOf<O>> => {
  const { tenant = tenantOfPath(location.pathname), signal } = options;
  const { params, query, body } = input as { params?: object; query?: object; body?: unknown };
  const address = addressOf(operation, tenant, { params: { ...params }, query: { ...query } });
  const init = {
    method: operation.method,
    headers: headersOf(operation, body, options.idempotencyKey),
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    credentials: 'same-origin',
    cache: 'no-store',
  } as const;
  const { reply, text } = await answerInSession(address, init);
  if (reply.ok) {
    wasSignedIn ||= operation.access !== 'visitor';
    if (operation.method !== 'GET' && !onlyReads.test(operation.id)) forgetTyped();
    return (text === '' ? null : JSON.parse(text)) as ReplyOf<O>;
  }
  const failure = failureOf(reply, text);
  if (failure.isSignedOut) sessionEnd.write(true);
  throw failure;
};

/** Operations that send what they look for, and change nothing. */
const onlyReads = /^(?:read|search|list|preview)/;

const headersOf = (
  { method, idempotent }: Operation,
  body: unknown,
  idempotencyKey: string = crypto.randomUUID(),
): Record<string, string> => ({
  accept: 'application/json',
  // No form of another site can send it: with the origin it shows that our page calls.
  ...(method !== 'GET' && { 'florin-dashboard': '1' }),
  'florin-idle-seconds': String(idleSeconds()),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(idempotent && { 'idempotency-key': idempotencyKey }),
});

// Who confirms it, in any tab, has another token. What came with the last one is sent again, once the answer
// with the next is likely to be here: on a busy machine that took longer than a second try at once.
const pausesMs = [300, 1_500];
let wasSignedIn = false;

const answerInSession = async (address: string, init: RequestInit): Promise<Answer> => {
  let answer = await answerTo(address, init);
  for (const pauseMs of wasSignedIn ? pausesMs : []) {
    if (answer.reply.ok || !failureOf(answer.reply, answer.text).isSignedOut) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    answer = await answerTo(address, init);
  }
  return answer;
};

type Answer = { readonly reply: Response; readonly text: string };

const answerTo = async (address: string, init: RequestInit): Promise<Answer> => {
  const reply = await send(address, init);
  return { reply, text: await reply.text() };
};

const send = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    const reply = await fetch(address, init);
    noteReached();
    return reply;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteLost();
    throw new CallFailure({
      status: 0,
      failure: 'UNREACHABLE',
      message: 'The server cannot be reached. Check your connection and try again.',
    });
  }
};

const failureOf = ({ status, headers }: Response, text: string): CallFailure => {
  const said = readFailure(text);
  return new CallFailure({
    status,
    failure: said.name ?? 'UNEXPECTED_REPLY',
    message: said.message ?? (isBusy(status) ? busy : `The server answered with status ${status}.`),
    errors: said.errors ?? [],
    requestId: headers.get('x-request-id'),
  });
};

/** From before the server: what stands there has words of its own, which say nothing to a person. */
const isBusy = (status: number): boolean => status >= 502 && status <= 504;
const busy = 'The server did not answer. Nothing is lost: try again in a moment.';

type Said = {
  readonly name?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

const readFailure = (text: string): Said => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** What of an operation decides its address. The server's schemas are not in the browser. */
type Addressed = Pick<Operation, 'method' | 'path'> & { readonly access: string };

type Values = Readonly<Record<string, unknown>>;

/** Where a person calls an operation: below the merchant, as operator, or at its own path. */
export const addressOf = (
  { path, access }: Addressed,
  tenant: Tenant | null,
  { params = {}, query = {} }: { readonly params?: Values; readonly query?: Values },
): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  return `${prefixOf(access, tenant)}${filled}${queryText(query)}`;
};

// Operations of a person without a merchant, and of visitors: their path is the whole address.
const ownPath: readonly string[] = ['person', 'visitor', 'open'];

const prefixOf = (access: string, tenant: Tenant | null): string => {
  if (ownPath.includes(access)) return '';
  if (access === 'operator') return '/dashboard/api/operator';
  if (!tenant) throw new Error('This page does not belong to a merchant.');
  return `/dashboard/api/merchants/${encodeURIComponent(tenant.merchantId)}/${tenant.environment}`;
};

const queryText = (query: Values): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const each of values) {
      if (each !== undefined && each !== null && each !== '') text.append(name, String(each));
    }
  }
  const written = text.toString();
  return written === '' ? '' : `?${written}`;
};

type BadField = { readonly field: string; readonly message: string };

type FailureReply = {
  readonly status: number;
  readonly failure: string;
  readonly message: string;
  readonly errors?: readonly BadField[];
  readonly requestId?: string | null;
};

/** What a call came back with instead of its reply. `failure` is the name in the contract. */
export class CallFailure extends Error {
  readonly status: number;
  readonly failure: string;
  readonly errors: readonly BadField[];
  readonly requestId: string | null;

  constructor({ status, failure, message, errors = [], requestId = null }: FailureReply) {
    super(message);
    this.name = 'CallFailure';
    this.status = status;
    this.failure = failure;
    this.errors = errors;
    this.requestId = requestId;
  }

  /** Not signed in, or no longer. */
  get isSignedOut(): boolean {
    return this.failure === 'SIGN_IN_REQUIRED';
  }

  /** The session is too old for this act: sign in again, then it is sent again. */
  get needsStepUp(): boolean {
    return this.failure === 'SIGN_IN_AGAIN';
  }

  /** The outcome is unknown or the server is busy: the same may succeed later. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
