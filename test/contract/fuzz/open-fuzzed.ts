import { setImmediate as soon } from 'node:timers/promises';
import pg from 'pg';
import { bankRails } from '../../../service/src/modules/payments/index.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { openApi } from '../../../service/src/programs/wiring/open-api.ts';
import { openRails } from '../../../service/src/programs/wiring/open-rails.ts';
import type { BankRail, ReturnParameters } from '../../../service/src/rails/bank-rail.ts';
import type { PayerRail } from '../../../service/src/rails/payer-rail.ts';
import { openTestService } from '../../harness/open-test-service.ts';
import { scriptedBank } from '../../simulation/scripted-bank.ts';
import { type Random, seededRandom } from '../../simulation/seeded-random.ts';

export type Fuzzed = Awaited<ReturnType<typeof openFuzzed>>;

/**
 * The API of the whole product on a socket, with banks in memory and no worker: only requests
 * change anything. Every change of a merchant's rows is recorded, so that a refusal can be checked
 * to make none.
 */
export const openFuzzed = async (seed: number) => {
  const service = await openTestService({ clock: { ...systemClock, sleep: () => soon() } });
  const { banks, payerRail } = memoryBanks(seededRandom(seed));
  const url = 'http://127.0.0.1';
  const opened = await openRails(service.tools, url);
  const rails = {
    ...opened,
    payerRail,
    simulatorRail: { advance: async () => undefined, forecast: async () => [] },
    bankRails: bankRails({ SANDBOX: banks, PRODUCTION: banks }, { SANDBOX: '-', PRODUCTION: '-' }),
  };
  const api = await openApi(service.tools, rails, url);
  const clients: pg.Client[] = [];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(service.databaseUrl);
    clients.push(client);
    await client.connect();
    return client;
  };
  await (await connect()).query(noteChanges);
  return {
    tools: service.tools,
    connect,
    operatorSecret: (await service.newOperator('Fuzz')).secret,
    address: await api.app.listen({ port: 0, host: '127.0.0.1' }),
    /** A merchant of its own, and its changes since the last read, by table. */
    openLane: async () => {
      const merchant = await service.newMerchant();
      const client = await connect();
      let seen = '0';
      const changes = async (): Promise<readonly string[]> => {
        const { rows } = await client.query<{ change_id: string; table_name: string }>({
          name: 'changes',
          text: `select change_id, table_name from fuzz.change
            where merchant_id = $1 and change_id > $2 order by change_id`,
          values: [merchant.merchantId, seen],
        });
        seen = rows.at(-1)?.change_id ?? seen;
        return rows.map(({ table_name }) => table_name);
      };
      await changes();
      return { merchant, changes };
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
      await api.close();
      await opened.close();
      await service.close();
    },
  };
};

/** The last use of a secret and the stored replies of a key are no business changes. */
const noteChanges = `
  set search_path = florin;
  create schema fuzz;
  create table fuzz.change (merchant_id uuid, change_id bigserial, table_name text,
    primary key (merchant_id, change_id));
  create function fuzz.note() returns trigger language plpgsql security definer as $$
    begin
      insert into fuzz.change (merchant_id, table_name)
        values (coalesce(new.merchant_id, old.merchant_id), tg_op || ' ' || tg_table_name);
      return null;
    end $$;
  do $$ declare table_name text; begin
    for table_name in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and a.attname = 'merchant_id'
        and c.relname not in ('access_secret', 'idempotency', 'merchant', 'audit_record')
        and c.relname !~ '^(request_log|page_opening)'
    loop
      execute format('create trigger fuzz after insert or update or delete on %I
        for each row execute function fuzz.note()', table_name);
    end loop;
  end $$`;

const memoryBanks = (random: Random): { banks: BankRail; payerRail: PayerRail } => {
  const limits = { faultShare: () => 0, endsSettled: false, maxPence: 10n ** 15n };
  const { rail, consents } = scriptedBank(random, limits);
  const [scripted] = rail.institutions();
  if (!scripted) throw new Error('a scripted bank has an institution');
  const named = (id: string, isEnabled: boolean) => ({ ...scripted, id, isEnabled });
  return {
    banks: {
      ...rail,
      institutions: () => [named('mock-sandbox-v1', true), named('other-bank', false)],
    },
    payerRail: {
      visitBank: async (authorisationUrl, behaviour): Promise<ReturnParameters> => {
        const consent = consents.get(new URL(authorisationUrl).pathname.slice(1));
        if (!consent) throw new Error('there is no such consent');
        const state = consent.order.oauthState;
        if (behaviour === 'decline') return { error: 'access_denied', state };
        consent.status = 'AUTHORISED';
        consent.code = `code-${consent.id}`;
        return { code: consent.code, state };
      },
      payByCard: async () => ({ kind: 'CLOSED' }),
    },
  };
};
