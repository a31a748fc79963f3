import type { Operation } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { batchCalls } from '#platform/database/batch-calls.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { Uses } from '#platform/tools.ts';
import { insertRecords } from './store.ts';

/** What is recorded of an act before it runs: no secret, and nothing about a payer (PEOPLE-15). */
export type Act = {
  readonly channel: 'API' | 'COMMAND' | 'DASHBOARD';
  readonly actorKind: ActorKind;
  /** The person, or the secret of an operator or a merchant. */
  readonly actorId: string | null;
  /** The name of an operator secret, or a user of the operating system; a person has an id alone. */
  readonly actor: string | null;
  /** From where: an address, a network or a host. */
  readonly address: string;
  /** The operation or the command. */
  readonly action: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly detail: Detail;
};

export type ActorKind = 'OPERATOR' | 'MEMBER' | 'PERSON' | 'SECRET';

export type Detail = Readonly<Record<string, unknown>>;

type Schema = {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
};

type Input = { readonly params: unknown; readonly body: unknown };

/**
 * What is recorded of a call's input: ids, amounts, switches and words of our own lists, as its schema
 * describes them. Text that somebody wrote is never among it.
 */
export const detailOf = (operation: Operation, { params, body }: Input): Detail => ({
  ...recordable(operation.params, params),
  ...recordable(operation.body, body),
});

const recordable = (schema: unknown, given: unknown): Detail => {
  const { properties = {} } = (schema ?? {}) as Schema;
  return entriesOf(given, (name, value) => {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return described !== undefined && isRecordable(described, value);
  });
};

/** A number where text is described may be a telephone number. */
const isRecordable = (described: Schema, value: unknown): boolean => {
  if (described.anyOf) return described.anyOf.some((each) => isRecordable(each, value));
  const types = [described.type].flat();
  if (typeof value === 'boolean') return types.includes('boolean');
  if (typeof value === 'number')
    return Number.isFinite(value) && (types.includes('number') || types.includes('integer'));
  if (typeof value !== 'string') return false;
  return isUuid(value) || (described.enum ?? []).includes(value);
};

/** Which described members were given beside those that are recorded. */
export const namesOfOthers = (operation: Operation, body: unknown): readonly string[] => {
  const { properties = {} } = (operation.body ?? {}) as Schema;
  const recorded = recordable(operation.body, body);
  return Object.keys(properties).filter(
    (name) => Object.hasOwn(Object(body), name) && !Object.hasOwn(recorded, name),
  );
};

/** The ids that an answer names: of what was made. */
export const idsOf = (answer: unknown): Detail =>
  entriesOf(answer, (name, value) => /^id$|Id$/.test(name) && isUuid(String(value)));

const entriesOf = (
  given: unknown,
  isRecorded: (name: string, value: unknown) => boolean,
): Detail =>
  typeof given === 'object' && given !== null
    ? Object.fromEntries(Object.entries(given).filter(([name, value]) => isRecorded(name, value)))
    : {};

type NewRecord =
  | (Act & { readonly kind: 'ACT'; readonly recordId: string; readonly outcome: string | null })
  | {
      readonly kind: 'OUTCOME';
      readonly recordId: string;
      readonly merchantId: string | null;
      readonly detail: Detail;
      readonly outcome: string;
    };

type Append = (record: NewRecord) => Promise<void>;
type System = Pick<Database, 'system'>;

const maxBatchSize = 200;
const maxWaiting = 5_000;
const maxWaitMs = 5_000;

/**
 * Adds a record to the chain. All records of a process go in by one statement after the other, each with
 * what waited meanwhile: the lock of the chain never takes more than one connection of a program.
 */
export const appendRecord = (database: System, record: NewRecord): Promise<void> => {
  const append = queues.get(database) ?? startQueue(database);
  queues.set(database, append);
  return append(record);
};

const queues = new WeakMap<System, Append>();

const startQueue = (database: System): Append =>
  batchCalls<NewRecord, void>({
    run: async (records) => {
      const written = records.map((record) => ({
        ...record,
        detail: JSON.stringify(record.detail),
      }));
      await database.system(insertRecords, { records: JSON.stringify(written) });
      return [];
    },
    keysOf: () => [],
    ...{ maxConcurrent: 1, maxBatchSize, maxWaiting, maxWaitMs },
  });

export type AuditTools = Uses<'database' | 'ids' | 'log'>;

/** Runs an act, with a record before it and its outcome after it: no record, no run. */
export const audited = async <Result>(
  tools: AuditTools,
  act: Act,
  run: () => Promise<Result>,
  detailOf: (result: Result) => Detail = () => ({}),
): Promise<Result> => {
  const end = await beginAct(tools, act);
  try {
    const result = await run();
    await end('DONE', detailOf(result));
    return result;
  } catch (error) {
    await end(outcomeOf(error));
    throw error;
  }
};

export type EndAct = (outcome: string, detail?: Detail) => Promise<void>;

/** Records an act that begins now; answers what records its outcome. */
export const beginAct = async (tools: AuditTools, act: Act): Promise<EndAct> => {
  const recordId = tools.ids.uuid();
  await appendRecord(tools.database, { ...act, kind: 'ACT', recordId, outcome: null });
  const { merchantId } = act;
  return async (outcome, detail = {}) => {
    const record = { kind: 'OUTCOME', recordId, merchantId, detail, outcome } as const;
    // What was done stays done if this fails: the record without an outcome says that it was started.
    await appendRecord(tools.database, record).catch((error: Error) => {
      tools.log.error({ recordId, outcome, error: error.message }, 'an audit outcome is lost');
    });
  };
};

/** An act that was refused before it began is one record. */
export const recordRefusal = ({ database, ids }: AuditTools, act: Act, error: unknown) => {
  const outcome = outcomeOf(error);
  return appendRecord(database, { ...act, kind: 'ACT', recordId: ids.uuid(), outcome });
};

/** The name of the failure. */
export const outcomeOf = (error: unknown): string =>
  error instanceof Failure ? error.definition.name : 'FAILED';

/** What a check throws, so that it is recorded first; null: nothing. */
export const caught = (check: () => void): { readonly error: unknown } | null => {
  try {
    check();
    return null;
  } catch (error) {
    return { error };
  }
};
