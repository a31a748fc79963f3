import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  ensureDatabase,
  superuser,
} from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { simulatorFolder } from '../../../service/src/programs/wiring/simulator-folder.ts';
import { cpuSeconds, findChild } from './cpu-seconds.ts';
import { openProcessorStub } from './open-processor-stub.ts';
import { type Product, startProduct } from './product.ts';

const cardThatIsSaved = '4000000000000127';

export type ChargesSetup = Awaited<ReturnType<typeof openChargesSetup>>;

/**
 * The product with a saved card. The simulated processor has a process and a database server of its own,
 * so that its CPU is not the service's.
 */
export const openChargesSetup = async (withStandIn: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const trustFolder = join(folder, 'trust');
  const other = await startEmbeddedPostgres({ folder: join(folder, 'other'), log: silentLog });
  await ensureDatabase(other.connectionString('postgres'), 'florin_simulator');
  const product = await startProduct({
    SIMULATOR_DATABASE_URL: other.connectionString('florin_simulator'),
    ...(withStandIn && { SIMULATOR_TRUST_FOLDER: trustFolder }),
  });
  const standIn = withStandIn
    ? await openProcessorStub(join(simulatorFolder(product.folder), 'trust'), trustFolder)
    : null;
  const database = new pg.Client({
    host: product.socketFolder,
    user: superuser,
    database: 'florin',
    options: '-c search_path=florin',
  });
  await database.connect();
  const simulatorPid = findChild(product.pid, 'simulator/src/start.');
  return {
    product,
    card: await saveCard(product),
    cpu: () => ({
      service: cpuSeconds(product.pid, false),
      database: cpuSeconds(product.databasePid, true),
      simulator: cpuSeconds(simulatorPid, false),
      "simulator's database": cpuSeconds(other.pid, true),
      'this program': process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    }),
    untilAllEnded: async (): Promise<void> => {
      // Found by the first entry of the index of what is due: counting them would cost as they grow.
      const open = 'select from attempt_poll limit 1';
      while (((await database.query(open)).rowCount ?? 0) > 0) await sleep(20);
    },
    /**
     * PostgreSQL does so within the first minute of a new table; until then its plans are guesses
     * (0004-plans-of-statements.md).
     */
    analyze: () => database.query('analyze'),
    countOf: async (status: string): Promise<number> => {
      const counted = `select count(*)::int as found from attempt where method = 'CARD' and status = $1`;
      const { rows } = await database.query<{ found: number }>(counted, [status]);
      return rows[0]?.found ?? 0;
    },
    close: async () => {
      await database.end();
      await product.stop();
      standIn?.close();
      await other.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** By a payment on the processor's page, as a customer does it. */
const saveCard = async ({ port, demo }: Product) => {
  const call = async <Reply>(path: string, body?: object): Promise<Reply> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${demo.sandboxSecret}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
  const { id: customerId } = await call<{ readonly id: string }>('/api/customers', {
    fullName: 'Ada Lovelace',
    email: 'ada@example.com',
  });
  type Created = { readonly paymentRequestId: string };
  const { paymentRequestId } = await call<Created>('/api/payments/process-payment', {
    customerId: 'customer-1',
    orderId: 'order-1',
    amount: 12.5,
    atoaCustomerId: customerId,
    savePaymentMethod: true,
    paymentMethod: ['CARD'],
  });
  await call(`/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    method: 'CARD',
    cardNumber: cardThatIsSaved,
  });
  const [card] = await call<readonly { readonly id: string }[]>(
    `/api/customers/${customerId}/cards`,
  );
  return { customerId, paymentMethodId: card?.id ?? '' };
};
