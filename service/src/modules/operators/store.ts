import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type NewOperatorSecretRow = {
  readonly operatorSecretId: string;
  readonly name: string;
  readonly secretSha256: Buffer;
  readonly lastFour: string;
  readonly expiresAt: Date | null;
};

export const insertOperatorSecret = statement<NewOperatorSecretRow, never>(
  'operator_secret_insert',
  sql('operatorSecretId', 'name', 'secretSha256', 'lastFour', 'expiresAt')`
   insert into operator_secret (operator_secret_id, name, secret_sha256, last_four, expires_at)
   values (:operatorSecretId, :name, :secretSha256, :lastFour, :expiresAt)`,
  { guardedBy: 'primary key and unique digest' },
);

export type OperatorSecretRow = {
  readonly operator_secret_id: string;
  readonly name: string;
  readonly secret_sha256: Buffer;
  readonly last_four: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
};

const columns =
  'operator_secret_id, name, secret_sha256, last_four, created_at, expires_at, revoked_at';

export const listOperatorSecretRows = statement<Record<never, never>, OperatorSecretRow>(
  'operator_secret_list',
  sql()`select ${columns} from operator_secret order by created_at, operator_secret_id`,
  { readsWholeTables: true },
);

export const revokeOperatorSecretRow = statement<
  { readonly operatorSecretId: string },
  { readonly name: string }
>(
  'operator_secret_revoke',
  sql('operatorSecretId')`
   update operator_secret set revoked_at = coalesce(revoked_at, clock_timestamp())
   where operator_secret_id = :operatorSecretId::uuid
   returning name`,
  { guardedBy: 'coalesce keeps the first revocation, so a repeat changes nothing' },
);
