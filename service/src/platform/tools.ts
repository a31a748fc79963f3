import type { Clock, Ids } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/open-database.ts';
import type { Log } from './log.ts';
import type { Secrets } from './secrets/open-secrets.ts';

/** The tools a use case may receive; it declares the ones it uses with `Uses`. */
export type Tools = {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly config: Config;
  /** After a commit: these endpoints have something to be delivered. Losing it costs a moment only. */
  readonly wakeDispatcher: (endpointIds: readonly string[]) => void;
};

export type Uses<Name extends keyof Tools> = Pick<Tools, Name>;
