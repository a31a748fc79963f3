import { type Connection, isDatabaseLost } from '#simulator/store/database.ts';
import type { CardRecord, RecordOf } from './model.ts';
import { dueAt } from './rules/due-at.ts';

type StoredAnswer = {
  readonly parametersHash: string;
  readonly status: number;
  readonly body: string;
};

type EventRow = {
  readonly id: string;
  readonly type: string;
  readonly body: string;
};

export type Commit = {
  readonly saved: readonly CardRecord[];
  readonly events: readonly EventRow[];
  readonly answer: (StoredAnswer & { readonly key: string }) | undefined;
  readonly at: number;
};

export type Committed = 'done' | 'changed-meanwhile' | 'key-taken';

export type ListQuery = {
  readonly kind: CardRecord['kind'];
  readonly customerId?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly status?: string;
  // Of a customer, exactly as it was given.
  readonly email?: string | undefined;
  readonly createdFrom?: number;
  readonly createdBefore?: number;
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
};

const uniqueViolation = '23505';
const changedMeanwhile = '40001';
const dueAtOnce = 100;

export type CardStore = ReturnType<typeof cardStore>;

// `onEvents`: events were committed and wait to be delivered.
export const cardStore = (database: Connection, onEvents: () => void) => ({
  find: async (id: string): Promise<CardRecord | undefined> => {
    const row = await database.row<Row>(`${selectRecord} where id = $1`, id);
    return row && recordOf(row);
  },
  // Newest first.
  list: async <Kind extends CardRecord['kind']>(query: ListQuery & { readonly kind: Kind }) => {
    const { text, values } = listOf(query);
    const rows = await database.rows<Row>(text, ...values);
    const records = rows.map(recordOf) as unknown as readonly RecordOf<Kind>[];
    return query.before === undefined ? records : records.toReversed();
  },
  // All of it in one statement, or nothing.
  commit: async (commit: Commit): Promise<Committed> => {
    try {
      await database.change(commitAll, ...commitValues(commit));
    } catch (error) {
      return refusalOf(error);
    }
    if (commit.events.length > 0) onEvents();
    return 'done';
  },
  answerFor: (key: string) => database.row<StoredAnswer>(selectKey, key),
  due: async (now: number): Promise<readonly CardRecord[]> => {
    const text = `${selectRecord} where due_at <= $1 order by due_at limit ${dueAtOnce}`;
    return (await database.rows<Row>(text, new Date(now))).map(recordOf);
  },
  // The further a record's clock is ahead, the sooner it is due in real time.
  advance: (ids: readonly string[], milliseconds: number) =>
    database.change(advance, ids, milliseconds),
});

const refusalOf = (error: unknown): Committed => {
  if (isDatabaseLost(error)) throw error;
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === changedMeanwhile) return 'changed-meanwhile';
  if (code === uniqueViolation && constraint === 'card_key_pkey') return 'key-taken';
  throw error;
};

type Row = { readonly document: object; readonly customerId?: string };

const recordOf = ({ document, customerId = null as never, ...row }: Row): CardRecord =>
  ({ ...document, ...row, customerId }) as unknown as CardRecord;

const selectRecord = `
  select id, kind, created_at, customer_id, version, clock_offset_ms, document
  from simulator.card_record`;

const selectKey = 'select parameters_hash, status, body from simulator.card_key where key = $1';

// Only what is asked for is a condition, so that each list finds its index.
const listOf = (query: ListQuery) => {
  const edge = (sign: '<' | '>') =>
    `seq ${sign} (select seq from simulator.card_record where id = $value)`;
  const time = (ms: number | undefined) => ms && new Date(ms);
  const possible: readonly (readonly [string, unknown])[] = [
    ['kind = $value', query.kind],
    ['customer_id = $value', query.customerId],
    [`document -> 'metadata' @> $value::jsonb`, query.metadata && JSON.stringify(query.metadata)],
    [`document ->> 'status' = $value`, query.status],
    [edge('<'), query.after],
    [edge('>'), query.before],
    ['created_at >= $value', time(query.createdFrom)],
    ['created_at < $value', time(query.createdBefore)],
    [`document ->> 'isDeleted' = 'false' and document ->> 'email' = $value`, query.email],
  ];
  const conditions = possible.filter(([, value]) => value !== undefined);
  const wanted = conditions.map(([text], index) => text.replace('$value', `$${index + 1}`));
  const order = query.before === undefined ? 'desc' : 'asc';
  const limit = `$${conditions.length + 1}`;
  return {
    text: `${selectRecord} where ${wanted.join(' and ')} order by seq ${order} limit ${limit}`,
    values: [...conditions.map(([, value]) => value), query.limit],
  };
};

const commitValues = ({ saved, events, answer, at }: Commit): unknown[] => {
  const made = saved.filter(({ version }) => version === 0);
  const changed = saved.filter(({ version }) => version > 0);
  return [
    made.map(({ id }) => id),
    made.map(({ kind }) => kind),
    made.map(({ createdAt }) => new Date(createdAt)),
    made.map(({ customerId }) => customerId),
    made.map(dueOf),
    made.map(documentOf),
    changed.map(({ id }) => id),
    changed.map(({ version }) => version),
    changed.map(({ customerId }) => customerId),
    changed.map(dueOf),
    changed.map(documentOf),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ body }) => body),
    new Date(at),
    ...[answer?.key, answer?.parametersHash, answer?.status, answer?.body],
  ];
};

// Stored as the real time at which it becomes due.
const dueOf = (record: CardRecord): Date | null => {
  const due = dueAt(record);
  return due === undefined ? null : new Date(due - record.clockOffsetMs);
};

const documentOf = (record: CardRecord): string => {
  const { id, kind, createdAt, customerId, version, clockOffsetMs, ...document } = record;
  return JSON.stringify(document);
};

// Records, events, deliveries and the stored answer in one statement: a crash leaves all or none.
const commitAll = `
  with made as (
    insert into simulator.card_record (id, kind, created_at, customer_id, due_at, document)
    select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::timestamptz[],
      $6::jsonb[])
  ), changed as (
    update simulator.card_record as record
    set version = record.version + 1, customer_id = new.customer_id, due_at = new.due_at,
      document = new.document
    from unnest($7::text[], $8::int[], $9::text[], $10::timestamptz[], $11::jsonb[])
      as new (id, version, customer_id, due_at, document)
    where record.id = new.id and record.version = new.version
    returning 1
  ), emitted as (
    insert into simulator.card_event (id, type, created_at, body)
    select id, type, $15, body from unnest($12::text[], $13::text[], $14::text[])
      as event (id, type, body)
  ), queued as (
    insert into simulator.card_delivery (event_id, endpoint_id, next_at)
    select event.id, endpoint.id, $15
    from unnest($12::text[], $13::text[]) as event (id, type)
    join simulator.card_record as endpoint on endpoint.kind = 'endpoint'
      and endpoint.document -> 'enabledEvents' ?| array['*', event.type]
  ), stored as (
    insert into simulator.card_key (key, parameters_hash, status, body, created_at)
    select $16, $17, $18::int, $19, $15 where $16::text is not null
  )
  select simulator.demand((select count(*) from changed) = cardinality($7::text[]))`;

const advance = `
  update simulator.card_record
  set clock_offset_ms = clock_offset_ms + $2, version = version + 1,
    due_at = due_at - $2 * interval '1 millisecond'
  where id = any($1::text[]) and kind in ('intent', 'session')`;
