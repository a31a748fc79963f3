import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openOperator } from '../journeys/operator/open-operator.ts';

type Plant = (ids: { readonly workId: string; readonly merchantId: string }) => string;

export type Stuck = {
  readonly workId: string;
  readonly merchantId: string | null;
  readonly attempts: number;
  readonly lastFailure: string | null;
  readonly canHurry: boolean;
};

/** The first pause is two seconds, which a slow machine spends between a failure and the look at it. */
export const lengthenPauses = (owner: pg.Client) =>
  owner.query(
    `create function lengthen_pause() returns trigger language plpgsql as
       $$ begin new.leased_until := new.leased_until + interval '1 hour'; return new; end $$;
     create trigger lengthen_first before insert on work_lease for each row
       when (new.failures > 0) execute function lengthen_pause();
     create trigger lengthen_next before update on work_lease for each row
       when (new.failures > old.failures) execute function lengthen_pause()`,
  );

export type Isolation = Awaited<ReturnType<typeof openIsolation>>;

/** The operator's API, and an owner of the database who writes rows without those they refer to. */
export const openIsolation = async () => {
  const service = await openOperator();
  const owner = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin -c session_replication_role=replica',
  });
  await owner.connect();
  await lengthenPauses(owner);
  const { merchantId } = service.merchant;
  const { merchantId: otherId, secrets } = await service.newMerchant();
  const rows = async (text: string, values: readonly unknown[] = []) =>
    (await owner.query(text, [...values])).rows;
  return {
    service,
    owner,
    merchantId,
    otherId,
    rows,
    /** An open payment request of the first merchant, or of the other. */
    requested: async (ofMerchantId: string): Promise<string> => {
      const secret = ofMerchantId === otherId ? secrets.SANDBOX.secret : service.sandboxSecret;
      return (await service.create({}, { secret })).body.paymentRequestId;
    },
    /** A row of the first merchant, or of another. Answers its id. */
    plant: async (row: Plant, ofMerchantId = merchantId): Promise<string> => {
      const workId = randomUUID();
      await owner.query(row({ workId, merchantId: ofMerchantId }));
      return workId;
    },
    /** As data would that no statement can write: each change to such a row fails. */
    poison: (table: string, when: string) =>
      owner.query(
        `create or replace function refuse_${table}() returns trigger language plpgsql as
           $$ begin raise exception 'poisoned'; end $$;
         create trigger refuse_${table} before update on ${table} for each row
           when (${when}) execute function refuse_${table}()`,
      ),
    cure: (table: string) => owner.query(`drop trigger refuse_${table} on ${table}`),
    stuck: async (kind: string): Promise<readonly Stuck[]> =>
      (await service.operate('GET', `/stuck-work?kind=${kind}&size=100`)).body.data,
    hurry: async (kind: string, workId: string, ofMerchantId = merchantId): Promise<number> => {
      const path = `/merchants/${ofMerchantId}/sandbox/stuck-work/${kind}/${workId}/hurry`;
      return (await service.operate('POST', path, {})).status;
    },
    /** Of work that belongs to no merchant. */
    hurryShared: async (kind: string, workId: string): Promise<number> =>
      (await service.operate('POST', '/stuck-work/hurry', { kind, workId })).status,
    close: async () => {
      await owner.end();
      await service.close();
    },
  };
};
