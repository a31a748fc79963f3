import type { Static, TSchema } from 'typebox';
import type { FailureId } from './failures.ts';

type Described<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
> = {
  readonly id: string;
  readonly access: Access;
  readonly summary: string;
  /** Rules of `docs/rules` that describe it. */
  readonly rules: readonly [string, ...string[]];
  /** Creates or moves something: honours `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Creates a secret that is shown once: it changes something, but its reply cannot be stored. */
  readonly showsSecret?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** How large its body may be; absent: `limits.bodyBytes`. */
  readonly bodyBytes?: number;
  /** The body may be left out. */
  readonly bodyOptional?: boolean;
  /**
   * The one member of the body that accepts a card number: a test number, with a sandbox secret.
   */
  readonly cardNumberIn?: string;
  readonly reply: Reply;
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the wire, described once: validation, reply filter, types and docs read it. */
export type Operation<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> = Described<Params, Query, Body, Reply> & {
  readonly method: Method;
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly failsWith: readonly FailureId[];
};

/**
 * Who may call: a merchant's secret, a sandbox secret only, a secret if there is one, anyone, or who
 * runs the installation, with an operator secret.
 */
export type ApiAccess = 'secret' | 'sandboxSecret' | 'optionalSecret' | 'open' | 'operator';

/**
 * Only in the dashboard: a member of a merchant, whose role permits it; anyone who is signed in; a
 * visitor of its pages who is not.
 */
export type DashboardAccess = 'member' | 'person' | 'visitor';

export type Access = ApiAccess | DashboardAccess;

/** `route` is method and path; without `failsWith` it has no failure of its own. */
export const operation = <
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
>({
  route,
  failsWith = [],
  ...described
}: Described<Params, Query, Body, Reply> & {
  readonly route: `${Method} /${string}`;
  readonly failsWith?: readonly FailureId[];
}): Operation<Params, Query, Body, Reply> => {
  const [method, path = ''] = route.split(' ');
  return { ...described, method: method as Method, path, failsWith };
};

export type ParamsOf<O> =
  O extends Operation<infer P, TSchema, TSchema, TSchema> ? Static<P> : never;
export type QueryOf<O> =
  O extends Operation<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never;
export type BodyOf<O> = O extends Operation<TSchema, TSchema, infer B, TSchema> ? Static<B> : never;
export type ReplyOf<O> =
  O extends Operation<TSchema, TSchema, TSchema, infer R> ? Static<R> : never;
