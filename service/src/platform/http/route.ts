import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';

export type Route = {
  readonly operation: Operation;
  /** Keeps key and reply by its own statement, in one step with the effect. */
  readonly handlesIdempotency: boolean;
  readonly handle: (call: Call<Operation>, caller: Caller | null) => Promise<unknown>;
};

/** The caller: a merchant in one environment, by one of its access secrets. */
export type Caller = {
  readonly tenant: Tenant;
  readonly secretId: string;
  readonly redirectUrl: string | null;
  readonly isReadOnly: boolean;
};

/** Who runs this installation, known by an operator secret. */
export type Operator = { readonly operatorSecretId: string; readonly name: string };

export type IdempotencyKey = { readonly key: string; readonly bodySha256: Buffer };

/**
 * What an operation decides before its first effect, such as an id. Under an Idempotency-Key a repeat after
 * a crash gets what was decided first, so it goes on with that and does nothing twice.
 */
export type DecideOnce = (decide: () => Promise<string>) => Promise<string>;

export type Call<O> = {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string;
  /** Of the web page that calls; null where no browser does. */
  readonly origin: string | null;
  readonly idempotencyKey: IdempotencyKey | null;
  /** Of operations with access `operator` only. */
  readonly operator: Operator | null;
  readonly decideOnce: DecideOnce;
};

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

/** An operation for which a secret is required: the handler always has a caller. */
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

export const routeHandlingIdempotency = <const O extends Operation>(
  operation: O,
  handle: (call: Call<O>, caller: Caller) => Promise<ReplyOf<O> | Replay>,
): Route => ({ operation, handlesIdempotency: true, handle: handle as Route['handle'] });

export const isReplay = (answer: unknown): answer is Replay =>
  typeof answer === 'object' && answer !== null && 'replayed' in answer;
