import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { tryConnection } from '#platform/database/database-unavailable.ts';
import { migrate } from '#platform/database/migrate.ts';

export type Role = {
  readonly url: string;
  readonly name: string;
  readonly password: string;
  readonly database: string;
};

/**
 * Makes the owner of the tables, its database and its tables, and the role of the programs, which owns
 * nothing. Needs a superuser, or a role that may create roles and databases. Answers how many migrations ran.
 */
export const prepareDatabase = async (
  adminUrl: string,
  owner: Role,
  program: Role,
): Promise<number> => {
  await tryConnection(adminUrl);
  return withClient(adminUrl, async (lock) => {
    // Of two at once the second finds what the first has made.
    await lock.query('select pg_advisory_lock($1)', [lockKey]);
    return prepare(adminUrl, owner, program);
  });
};

const lockKey = 7_203_107;

const prepare = async (adminUrl: string, owner: Role, program: Role): Promise<number> => {
  const isSuperuser = await withClient(adminUrl, async (admin) => {
    await keepLogin(admin, owner, 'createrole');
    const [asked] = (
      await admin.query('select rolsuper from pg_roles where rolname = current_user')
    ).rows;
    // A database is made for another role only by who may become it.
    if (!asked?.rolsuper) await admin.query(`grant ${nameOf(owner)} to current_user`);
    const found = await admin.query('select from pg_database where datname = $1', [owner.database]);
    if (found.rows.length === 0)
      await admin.query(
        `create database ${pg.escapeIdentifier(owner.database)} owner ${nameOf(owner)}
         encoding 'UTF8' template template0`,
      );
    return asked?.rolsuper === true;
  });
  const applied = await migrate(owner.url);
  // The roles that migrations make can be given by who made them, or by a superuser.
  await withClient(isSuperuser ? adminUrl : owner.url, async (client) => {
    await keepLogin(client, program, 'noinherit');
    await client.query(`grant florin_tenant, florin_system to ${nameOf(program)}`);
    if (isSuperuser) await client.query('grant pg_read_all_stats to florin_system');
  });
  return applied.length;
};

const nameOf = ({ name }: Role): string => pg.escapeIdentifier(name);

/** Its password is that of the file, also where an earlier run was killed in between. */
const keepLogin = async (client: pg.Client, role: Role, attribute: string): Promise<void> => {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role.name]);
  const verifier = pg.escapeLiteral(scramVerifier(role.password));
  const words = `${nameOf(role)} login ${attribute} password ${verifier}`;
  await client.query(rows.length === 0 ? `create role ${words}` : `alter role ${words}`);
};

const iterations = 4096;

/** As PostgreSQL stores a password (RFC 5803): so none stands in a statement, which a server may log. */
const scramVerifier = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (word: string) => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const server = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
};

const withClient = async <Answer>(
  url: string,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> => {
  const client = new pg.Client({ connectionString: url, application_name: 'florin-set-up' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
