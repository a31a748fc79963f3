import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '@florin/contract';
import type { Role } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import type { RequestTrace } from './request-trace.ts';

export type Route = {
  readonly operation: Operation;
  /** Keeps key and reply by its own statement, in one step with the effect. */
  readonly handlesIdempotency: boolean;
  readonly handle: (call: Call<Operation>, caller: Caller | null) => Promise<unknown>;
};

/** The caller: a merchant in one environment, by one of its access secrets or by a member. */
export type Caller = {
  readonly tenant: Tenant;
  /**
   * Of the secret, or of the person: what the caller makes is recorded and rate limited under it. What a
   * person makes is signed with the merchant's oldest secret (WEBHOOK-8).
   */
  readonly secretId: string;
  readonly redirectUrl: string | null;
  readonly isReadOnly: boolean;
  readonly by: Principal;
};

/** Who acts for the merchant: a program that has a secret, or a person who is signed in. */
export type Principal = { readonly kind: 'secret' } | Member;

export type Member = {
  readonly kind: 'person';
  readonly personId: string;
  readonly name: string;
  readonly role: Role;
};

/** The person who calls an operation that only members may call. */
export const memberOf = ({ by }: Pick<Caller, 'by'>): Member => {
  if (by.kind !== 'person') throw new Error('an operation of members was called by a program');
  return by;
};

/** Who is signed in to the dashboard. */
export type Person = {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  /** An authenticator app, or a passkey by which this session began. */
  readonly hasSecondFactor: boolean;
  readonly isOperator: boolean;
  readonly sessionId: string;
  readonly authenticatedAt: Date;
  readonly usedAt: Date;
};

/** Who runs this installation, known by an operator secret or signed in. */
export type Operator = {
  readonly operatorSecretId: string | null;
  readonly personId: string | null;
  readonly name: string;
};

export type IdempotencyKey = { readonly key: string; readonly bodySha256: Buffer };

/**
 * What an operation decides before its first effect, such as an id. Under an Idempotency-Key a repeat after
 * a crash gets what was decided first, so it goes on with that and does nothing twice.
 */
export type DecideOnce = (decide: () => Promise<string>) => Promise<string>;

export type Call<O> = RequestTrace & {
  readonly requestId: string;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly address: string;
  readonly userAgent: string;
  /** Of the web page that calls; null where no browser does. */
  readonly origin: string | null;
  readonly idempotencyKey: IdempotencyKey | null;
  /** Of operations with access `operator` only. */
  readonly operator: Operator | null;
  /** Who is signed in, where a person calls. */
  readonly person: Person | null;
  /** What the browser sent of its cookies, and how it gets more: a sign-in needs both. */
  readonly cookies: string;
  readonly setCookies: (cookies: readonly string[]) => void;
  readonly decideOnce: DecideOnce;
  /** Says who a visitor is, once that is known and before anything of theirs is changed: it is recorded. */
  readonly noteActor: NoteActor;
};

export type NoteActor = (personId: string) => Promise<void>;

/** The answer of a handler with its own idempotent statement when the key was used before. */
export type Replay = { readonly replayed: { readonly statusCode: number; readonly reply: string } };

/** Runs an operation once per key, or answers its saved reply (WIRE-9). */
export type SaveReply = (
  tenant: Tenant,
  operation: string,
  requested: IdempotencyKey,
  execute: (decideOnce: DecideOnce) => Promise<string>,
) => Promise<string | Replay>;

type Handle<O, C> = (call: Call<O>, caller: C) => Promise<ReplyOf<O>>;

/** An operation of a merchant's program or members: the handler always has a caller. */
export const route = <const O extends Operation>(
  operation: O,
  handle: Handle<O, Caller>,
): Route => ({
  operation,
  handlesIdempotency: false,
  handle: handle as Route['handle'],
});

/** An open operation; with a secret the handler knows the caller. */
export const openRoute = <const O extends Operation>(
  operation: O,
  handle: Handle<O, Caller | null>,
): Route => ({
  operation,
  handlesIdempotency: false,
  handle: handle as Route['handle'],
});

/** An operation of the operator's: the handler always knows which one. */
export const operatorRoute = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>, operator: Operator) => Promise<ReplyOf<O>>,
): Route => ({
  operation,
  handlesIdempotency: false,
  handle: async (call) => {
    if (!call.operator) throw new Error(`${operation.id} is served without an operator`);
    return handle(call as Call<O>, call.operator);
  },
});

/** An operation of anyone who is signed in: the handler always knows who. */
export const personRoute = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>, person: Person) => Promise<ReplyOf<O>>,
): Route => ({
  operation,
  handlesIdempotency: false,
  handle: async (call) => {
    if (!call.person) throw new Error(`${operation.id} is served without a person`);
    return handle(call as Call<O>, call.person);
  },
});

export const routeHandlingIdempotency = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>, caller: Caller) => Promise<ReplyOf<O> | Replay>,
): Route => ({ operation, handlesIdempotency: true, handle: handle as Route['handle'] });

export const isReplay = (answer: unknown): answer is Replay =>
  typeof answer === 'object' && answer !== null && 'replayed' in answer;
