import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Pool } from './open-pool.ts';

// State of oidc-provider, so that a killed bank resumes.
export const oidcAdapter = (
  pool: Pool,
  bankId: string,
  model: string,
  alreadyConsumed: () => Error,
): Adapter => {
  const find = async (where: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<RecordRow>(`${selectRecord} ${where}`, [...values]);
    return rows[0] && payloadOf(rows[0]);
  };
  return {
    upsert: async (id, payload, expiresInSeconds) => {
      const { uid = null, grantId = null } = payload;
      await pool.query(upsertRecord, [
        ...[bankId, model, id, payload, uid, grantId],
        expiresInSeconds || null,
      ]);
    },
    find: (id) => find('and id = $3', [bankId, model, id]),
    findByUid: (uid) => find('and uid = $3', [bankId, model, uid]),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const { rowCount } = await pool.query(consumeRecord, [bankId, model, id]);
      if (rowCount !== 1) throw alreadyConsumed();
    },
    destroy: async (id) => {
      await pool.query(deleteRecord, [bankId, model, id]);
    },
    revokeByGrantId: async (grantId) => {
      await pool.query(deleteGrant, [bankId, grantId]);
    },
  };
};

type RecordRow = {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
};

const payloadOf = (row: RecordRow): AdapterPayload => {
  if (!row.consumed_at) return row.payload;
  return { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) };
};

const selectRecord = `
  select payload, consumed_at from simulator.oidc_record
  where bank_id = $1 and model = $2 and (expires_at is null or expires_at > now())`;

const upsertRecord = `
  insert into simulator.oidc_record (bank_id, model, id, payload, uid, grant_id, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + $7::bigint * interval '1 second')
  on conflict (bank_id, model, id) do update
    set payload = excluded.payload, uid = excluded.uid, grant_id = excluded.grant_id,
        expires_at = excluded.expires_at`;

const consumeRecord = `
  update simulator.oidc_record set consumed_at = now()
  where bank_id = $1 and model = $2 and id = $3 and consumed_at is null`;

const deleteRecord = `
  delete from simulator.oidc_record where bank_id = $1 and model = $2 and id = $3`;

const deleteGrant = `delete from simulator.oidc_record where bank_id = $1 and grant_id = $2`;
