import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';

type ColumnType = 'uuid' | 'text' | 'boolean' | 'bigint' | 'integer' | 'timestamptz' | 'bytea';

type Described = {
  readonly table: string;
  /** The columns by the names that the sign-in library gives them; `id` is the primary key. */
  readonly columns: Readonly<Record<string, readonly [string, ColumnType]>>;
  /** What rows are found by: `name` for equality, `name!` for another, `name<`, `name>`. */
  readonly filters: readonly string[];
};

type Filtered = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

export type IdentityTable = Pick<Described, 'columns' | 'filters'> & {
  readonly insert: Statement<{ readonly row: string }, Row>;
  readonly find: Statement<Filtered, Row>;
  readonly update: Statement<Filtered, Row>;
  readonly remove: Statement<Filtered, Row>;
};

/**
 * The four statements of a table that the sign-in library writes: it says which columns it wants, these
 * say how. A filter that is not described here is refused before any statement.
 */
const identityTable = ({ table, columns, filters }: Described): IdentityTable => {
  const entries = Object.entries(columns);
  const names = entries.map(([, [column]]) => column);
  const shown = entries.map(([name, [column]]) => `${column} as "${name}"`).join(', ');
  const [key = ''] = columns.id ?? [];
  const where = sql(...filters.map(valueName))`${filters.map(filterSql(columns)).join(' and ')}`;
  const record = `jsonb_populate_record(null::${table}, :row::jsonb) r`;
  const perCall = { isPlannedPerCall: true } as const;
  const statements = {
    insert: statement<{ readonly row: string }, Row>(
      `${table}_identity_insert`,
      sql('row')`
   insert into ${table} (${names.join(', ')})
   select ${names.map((name) => `r.${name}`).join(', ')} from ${record} returning ${shown}`,
      { guardedBy: 'primary key and unique columns' },
    ),
    find: statement<Filtered, Row>(
      `${table}_identity_find`,
      sql('limit')`
   select ${shown} from ${table} t where ${where} order by ${newestFirst(names, key)} limit :limit`,
      perCall,
    ),
    update: statement<Filtered, Row>(
      `${table}_identity_update`,
      sql('row')`
   update ${table} t set ${names.map(changed).join(', ')} from ${record}
   where ${where} returning ${names.map((name, at) => `t.${name} as "${entries[at]?.[0]}"`).join(', ')}`,
      { ...perCall, guardedBy: 'one statement: the filters are looked at again under its lock' },
    ),
    remove: statement<Filtered, Row>(
      `${table}_identity_remove`,
      sql('limit')`
   delete from ${table} where ${key} in (select t.${key} from ${table} t where ${where} limit :limit)
   returning ${shown}`,
      { ...perCall, guardedBy: 'what two want to take only one of them is given' },
    ),
  };
  return { columns, filters, ...statements };
};

/** Values are named by letters and digits alone. */
export const valueName = (filter: string): string =>
  filter.replace('<', 'Before').replace('>', 'After').replace('!', 'Not');

const comparisons: Readonly<Record<string, string>> = { '<': '<=', '>': '>=', '!': '<>' };

const filterSql =
  (columns: Described['columns']) =>
  (filter: string): string => {
    const name = filter.replace(/[<>!]$/, '');
    const [column, type] = columns[name] ?? ['', ''];
    const given = `:${valueName(filter)}::${type}`;
    return `(${given} is null or t.${column} ${comparisons[filter.at(-1) ?? ''] ?? '='} ${given})`;
  };

const newestFirst = (names: readonly string[], key: string): string =>
  names.includes('created_at') ? `t.created_at desc, t.${key}` : `t.${key}`;

/** A column that the row does not name stays. */
const changed = (name: string): string =>
  `${name} = case when :row::jsonb ? '${name}' then r.${name} else t.${name} end`;

const times = {
  createdAt: ['created_at', 'timestamptz'],
  updatedAt: ['updated_at', 'timestamptz'],
} as const;

/** What the sign-in library stores, by the names of its models. */
export const identityTables: Readonly<Record<string, IdentityTable>> = {
  user: identityTable({
    table: 'person',
    columns: {
      id: ['person_id', 'uuid'],
      name: ['name', 'text'],
      email: ['email', 'text'],
      emailVerified: ['email_verified', 'boolean'],
      twoFactorEnabled: ['two_factor_enabled', 'boolean'],
      ...times,
    },
    filters: ['id', 'email'],
  }),
  session: identityTable({
    table: 'person_session',
    columns: {
      id: ['session_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      token: ['token_sha256', 'bytea'],
      expiresAt: ['expires_at', 'timestamptz'],
      ipAddress: ['address', 'text'],
      userAgent: ['user_agent', 'text'],
      byPasskey: ['by_passkey', 'boolean'],
      // What counts as a fresh session is one whose person proved who they are a short while ago.
      createdAt: ['authenticated_at', 'timestamptz'],
      updatedAt: ['updated_at', 'timestamptz'],
    },
    filters: ['id', 'userId', 'token', 'expiresAt<', 'expiresAt>'],
  }),
  account: identityTable({
    table: 'person_credential',
    columns: {
      id: ['credential_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      providerId: ['provider', 'text'],
      accountId: ['account', 'text'],
      password: ['password_hash', 'text'],
      ...times,
    },
    filters: ['id', 'userId', 'providerId', 'accountId'],
  }),
  verification: identityTable({
    table: 'person_verification',
    columns: {
      id: ['verification_id', 'uuid'],
      identifier: ['identifier', 'text'],
      value: ['value', 'text'],
      expiresAt: ['expires_at', 'timestamptz'],
      ...times,
    },
    filters: ['id', 'id!', 'identifier', 'expiresAt<', 'createdAt<'],
  }),
  passkey: identityTable({
    table: 'person_passkey',
    columns: {
      id: ['passkey_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      name: ['name', 'text'],
      publicKey: ['public_key', 'text'],
      credentialID: ['credential', 'text'],
      counter: ['counter', 'bigint'],
      deviceType: ['device_type', 'text'],
      backedUp: ['backed_up', 'boolean'],
      transports: ['transports', 'text'],
      aaguid: ['aaguid', 'text'],
      createdAt: ['created_at', 'timestamptz'],
    },
    filters: ['id', 'userId', 'credentialID'],
  }),
  twoFactor: identityTable({
    table: 'person_two_factor',
    columns: {
      id: ['two_factor_id', 'uuid'],
      userId: ['person_id', 'uuid'],
      secret: ['secret_sealed', 'text'],
      backupCodes: ['recovery_code_digests', 'text'],
      verified: ['verified', 'boolean'],
      failedVerificationCount: ['failed_count', 'integer'],
      lockedUntil: ['locked_until', 'timestamptz'],
    },
    filters: ['id', 'userId', 'backupCodes', 'lockedUntil<', 'failedVerificationCount>'],
  }),
};

/** No row: a code of this time step, or of a later one, was accepted before. */
export const acceptStep = statement<{ readonly id: string; readonly step: number }, object>(
  'person_two_factor_accept_step',
  sql('id', 'step')`
   update person_two_factor set accepted_step = :step
   where two_factor_id = :id::uuid and (accepted_step is null or accepted_step < :step)
   returning two_factor_id`,
  { guardedBy: 'accepted_step: of two with one code the second finds it' },
);

/** Counts in the row itself, so that guesses at the same time are all counted. */
export const countFailedCode = statement<
  { readonly id: string; readonly by: number },
  Readonly<Record<string, unknown>>
>(
  'person_two_factor_count_failed',
  sql('id', 'by')`
   update person_two_factor set failed_count = failed_count + :by where two_factor_id = :id::uuid
   returning two_factor_id as id, person_id as "userId", failed_count as "failedVerificationCount",
     locked_until as "lockedUntil"`,
  { guardedBy: 'the count is read and written under the lock of its row' },
);
