import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { rotateSigningSecret } from '../../../service/src/modules/webhooks/index.ts';
import { randomIds, systemClock } from '../../../service/src/platform/clock.ts';
import { readConfig } from '../../../service/src/platform/config.ts';
import { migrate } from '../../../service/src/platform/database/migrate.ts';
import { openDatabase } from '../../../service/src/platform/database/open-database.ts';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { openLog, silentLog } from '../../../service/src/platform/log.ts';
import { openSecrets } from '../../../service/src/platform/secrets/open-secrets.ts';

type Signed = { readonly path: string; readonly key: string };

type Counted = {
  readonly hits: number;
  readonly distinct: number;
  /** Of a sample of the requests. */
  readonly verified: number;
  readonly refused: number;
};

const hosts = 60;

/** A database and tools like a program's, and a receiver in another process. */
export const openWebhooksSetup = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const server = await startEmbeddedPostgres({ folder, settings, log: silentLog });
  const url = server.connectionString('florin');
  await ensureDatabase(server.connectionString('postgres'), 'florin');
  await migrate(url);
  const log = openLog('warn', 'bench');
  const masterKey = randomBytes(32);
  const tools = {
    database: openDatabase(
      {
        connectionString: url,
        tenantConnections: 6,
        systemConnections: 6,
        applicationName: 'florin-bench',
      },
      log,
    ),
    clock: systemClock,
    ids: randomIds(),
    secrets: openSecrets([masterKey]),
    log,
    config: readConfig({}),
  };
  const receiver = await openReceiver();
  const admin = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await admin.connect();
  await admin.query('create extension pg_stat_statements schema public');
  return {
    url,
    masterKey,
    tools,
    receiver,
    admin,
    databasePid: server.pid,
    close: async () => {
      receiver.close();
      await tools.database.close();
      await admin.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const openReceiver = async () => {
  const program = new URL('webhooks-receiver.ts', import.meta.url);
  const child: ChildProcess = fork(program, [String(hosts)], {
    execArgv: ['--import', 'tsx'],
  });
  const next = <Answer>() =>
    new Promise<Answer>((resolve) => child.once('message', (answer) => resolve(answer as Answer)));
  const call = <Answer>(message: string | Signed): Promise<Answer> => {
    const answer = next<Answer>();
    child.send(message);
    return answer;
  };
  const { ports } = await next<{ ports: readonly number[] }>();
  return {
    ports,
    pid: child.pid ?? 0,
    count: () => call<Counted>('count'),
    verify: (signed: Signed) => call<object>(signed),
    times: async () => new Map((await call<{ times: [string, number][] }>('times')).times),
    forget: () => call<object>('forget'),
    close: () => child.kill(),
  };
};

export type WebhooksSetup = Awaited<ReturnType<typeof openWebhooksSetup>>;

export type Endpoint = { readonly tenant: Tenant; readonly endpointId: string };

/** Merchants with a signing secret and one endpoint each. */
export const addEndpoints = async (
  { admin, tools, receiver }: WebhooksSetup,
  count: number,
  path = '/hook',
): Promise<readonly Endpoint[]> => {
  const made: Endpoint[] = [];
  for (let each = 0; each < count; each += 1) {
    const tenant = { merchantId: randomUUID(), environment: 'SANDBOX' } as const;
    const endpointId = randomUUID();
    const key = [tenant.merchantId, tenant.environment, endpointId];
    const ownPath = `${path}/${endpointId}`;
    const url = `http://127.0.0.1:${receiver.ports[each % hosts]}${ownPath}`;
    await admin.query(`insert into merchant (merchant_id, business_name) values ($1, 'Bench')`, [
      tenant.merchantId,
    ]);
    await admin.query('insert into tenant_clock (merchant_id, environment) values ($1, $2)', [
      tenant.merchantId,
      tenant.environment,
    ]);
    await admin.query(
      `insert into webhook_endpoint (merchant_id, environment, endpoint_id, api_version, url, created_at)
       values ($1, $2, $3, 2, $4, now())`,
      [...key, url],
    );
    await admin.query(
      'insert into webhook_endpoint_health (merchant_id, environment, endpoint_id) values ($1, $2, $3)',
      key,
    );
    await admin.query(
      `insert into subscription (merchant_id, environment, event_type, slot, endpoint_id, api_version)
       values ($1, $2, 'PAYMENTS_STATUS', 1, $3, 2)`,
      key,
    );
    const { signingSecret } = await rotateSigningSecret(tools, tenant);
    await receiver.verify({ path: ownPath, key: signingSecret.replace('whsec_', '') });
    made.push({ tenant, endpointId });
  }
  return made;
};
