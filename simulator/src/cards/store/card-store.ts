import { isDatabaseLost, type Pool } from '#simulator/store/open-pool.ts';
import type { CardRecord, RecordOf } from '../model.ts';
import type { CardStore, Commit, Committed, ListQuery, StoredAnswer } from '../ports.ts';
import { dueAt } from '../rules/due-at.ts';

const uniqueViolation = '23505';
const changedMeanwhile = '40001';
const dueAtOnce = 100;

// `onEvents`: events were committed and wait to be delivered.
export const cardStore = (pool: Pool, onEvents: () => void = () => undefined): CardStore => ({
  find: async (id) => {
    const { rows } = await pool.query<Row>(`${selectRecord} where id = $1`, [id]);
    return rows[0] && recordOf(rows[0]);
  },
  list: async <Kind extends CardRecord['kind']>(query: ListQuery & { readonly kind: Kind }) => {
    const { rows } = await pool.query<Row>(listOf(query), valuesOf(query));
    const records = rows.map(recordOf) as unknown as readonly RecordOf<Kind>[];
    return query.before === undefined ? records : records.toReversed();
  },
  commit: async (commit) => {
    try {
      await pool.query({ name: 'card-commit', text: commitAll, values: commitValues(commit) });
    } catch (error) {
      return refusalOf(error);
    }
    if (commit.events.length > 0) onEvents();
    return 'done';
  },
  answerFor: async (key) => {
    const { rows } = await pool.query<KeyRow>(selectKey, [key]);
    const [row] = rows;
    return row && storedAnswer(row);
  },
  due: async (now) => {
    const text = `${selectRecord} where due_at <= $1 order by due_at limit ${dueAtOnce}`;
    const { rows } = await pool.query<Row>(text, [new Date(now)]);
    return rows.map(recordOf);
  },
});

const refusalOf = (error: unknown): Committed => {
  if (isDatabaseLost(error)) throw error;
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === changedMeanwhile) return 'changed-meanwhile';
  if (code === uniqueViolation && constraint === 'card_key_pkey') return 'key-taken';
  throw error;
};

type Row = {
  readonly id: string;
  readonly kind: CardRecord['kind'];
  readonly created_at: Date;
  readonly customer_id: string | null;
  readonly version: number;
  readonly clock_offset_ms: bigint;
  readonly document: object;
};

type KeyRow = {
  readonly parameters_hash: string;
  readonly status: number;
  readonly body: string;
};

const recordOf = (row: Row): CardRecord =>
  ({
    ...row.document,
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.getTime(),
    customerId: row.customer_id,
    version: row.version,
    clockOffsetMs: Number(row.clock_offset_ms),
  }) as CardRecord;

const storedAnswer = (row: KeyRow): StoredAnswer => ({
  parametersHash: row.parameters_hash,
  status: row.status,
  body: row.body,
});

const selectRecord = `
  select id, kind, created_at, customer_id, version, clock_offset_ms, document
  from simulator.card_record`;

const selectKey = 'select parameters_hash, status, body from simulator.card_key where key = $1';

const listOf = (query: ListQuery): string => {
  const isBackwards = query.before !== undefined;
  return `${selectRecord} where kind = $1
    and ($2::text is null or customer_id = $2)
    and ($3::jsonb is null or document -> 'metadata' @> $3::jsonb)
    and ($4::text is null or document ->> 'status' = $4)
    and ($5::text is null or document ->> 'intentId' = $5)
    and ($6::text is null or seq < (select seq from simulator.card_record where id = $6))
    and ($7::text is null or seq > (select seq from simulator.card_record where id = $7))
    and ($9::timestamptz is null or created_at >= $9)
    and ($10::timestamptz is null or created_at < $10)
    and ($11::text is null
      or (document ->> 'email' = $11 and document ->> 'isDeleted' = 'false'))
    order by seq ${isBackwards ? 'asc' : 'desc'} limit $8`;
};

const valuesOf = (query: ListQuery): unknown[] => {
  const metadata = query.metadata && JSON.stringify(query.metadata);
  const filters = [
    query.customerId,
    metadata,
    query.status,
    query.sessionOf,
    query.after,
    query.before,
  ];
  const times = [query.createdFrom, query.createdBefore];
  return [
    query.kind,
    ...filters.map((value) => value ?? null),
    query.limit,
    ...times.map((time) => (time === undefined ? null : new Date(time))),
    query.email ?? null,
  ];
};

const commitValues = ({ saved, events, answer, at }: Commit): unknown[] => {
  const offset = (record: CardRecord) => dueOf(record);
  const made = saved.filter(({ version }) => version === 0);
  const changed = saved.filter(({ version }) => version > 0);
  return [
    made.map(({ id }) => id),
    made.map(({ kind }) => kind),
    made.map(({ createdAt }) => new Date(createdAt)),
    made.map(({ customerId }) => customerId),
    made.map(offset),
    made.map(documentOf),
    changed.map(({ id }) => id),
    changed.map(({ version }) => version),
    changed.map(({ customerId }) => customerId),
    changed.map(offset),
    changed.map(documentOf),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ body }) => body),
    new Date(at),
    answer?.key ?? null,
    answer?.parametersHash ?? null,
    answer?.status ?? null,
    answer?.body ?? null,
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

// The further a record's clock is ahead, the sooner it is due in real time.
export const advanceRecords = async (
  pool: Pool,
  ids: readonly string[],
  milliseconds: number,
): Promise<number> => {
  const { rowCount } = await pool.query(advance, [ids, milliseconds]);
  return rowCount ?? 0;
};

const advance = `
  update simulator.card_record
  set clock_offset_ms = clock_offset_ms + $2, version = version + 1,
    due_at = due_at - $2 * interval '1 millisecond'
  where id = any($1::text[]) and kind in ('intent', 'session')`;
