import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bankDataRails } from '../../service/src/modules/bank-feed/index.ts';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { bankRails } from '../../service/src/modules/payments/index.ts';
import { transferRails } from '../../service/src/modules/transfers/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { noCardRails } from '../../test/harness/no-card-rails.ts';
import { benchDataBank } from './setup/bench-data-bank.ts';

// npm run bench feed [transactions] [rounds]: a bank in memory answers overlapping pages, half of its entries
// without ids. They are pulled, stored and then read by pages over HTTP.
const transactions = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 200);
const itemsPerPage = 30;
const goalMs = 20;

const account = { sortCode: '180002', accountNumber: '00000190', name: 'Bench' };
const range = 'from=2020-01-01&before=2030-01-01';
const none = { SANDBOX: null, PRODUCTION: null };
const unset = { SANDBOX: '-', PRODUCTION: '-' };

const bank = benchDataBank(transactions);
const rails = {
  bankRails: bankRails(none, unset),
  bankDataRails: bankDataRails({ SANDBOX: () => [bank.rail], PRODUCTION: () => [] }, unset),
  cardRails: noCardRails,
  transferRails: transferRails(() => null, unset),
  payerRail: bank.payer,
  simulatorRail: { advance: async () => undefined, forecast: async () => [] },
};

const measure = async (name: string, read: (round: number) => Promise<unknown>): Promise<void> => {
  const latenciesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sentAt = performance.now();
    await read(round);
    latenciesMs.push(performance.now() - sentAt);
  }
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  const mark = at(0.95) <= goalMs ? '' : `  above ${goalMs}`;
  process.stdout.write(
    `${name.padEnd(22)} p50 ${at(0.5).toFixed(1)}  p95 ${at(0.95).toFixed(1)} ms${mark}\n`,
  );
};

const folder = await mkdtemp(join(tmpdir(), 'florin-feed-'));
const server = await startEmbeddedPostgres({ folder, log: silentLog, settings: {} });
try {
  const url = server.connectionString('florin');
  await ensureDatabase(server.connectionString('postgres'), 'florin');
  await migrate(url);
  const tools = await openTools(
    readConfig({ FLORIN_DATA: folder, LOG_LEVEL: 'silent' }),
    url,
    'bench',
  );
  const { secrets } = await createMerchant(tools, {
    businessName: 'Bench',
    bankAccounts: { SANDBOX: account, PRODUCTION: account },
  });
  const api = await openApi(tools, rails, 'http://127.0.0.1');
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secrets.SANDBOX.secret}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await reply.json();
    if (reply.status !== 200) throw new Error(JSON.stringify(answer));
    return answer as Record<string, unknown> & { readonly totalCount?: number };
  };
  const redirectUrl = 'https://shop.example/';
  const { accountAuthId } = await call('POST', '/api/bank/auth/initiate', { redirectUrl });
  const startedAt = performance.now();
  const linked = await call('POST', `/api/sandbox/bank/auth/${accountAuthId}/link`, {
    institutionId: bank.id,
  });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const back = new URL(String(linked.redirectUrl));
  const id = back.searchParams.get('bankAccountIds');
  const page = (at: number, span = range) =>
    call(
      'GET',
      `/api/bank/accounts/${id}/transactions?${span}&page=${at}&itemsPerPage=${itemsPerPage}`,
    );
  // The bank is not read again while pages are measured.
  bank.rest();
  const { totalCount } = await page(0);
  const listed = bank.listed();
  process.stdout.write(
    `${listed} entries listed, ${totalCount} stored of ${transactions}, in ${seconds} s\n`,
  );
  const last = Math.ceil(transactions / itemsPerPage) - 1;
  await measure('first page', () => page(0));
  await measure('last page', () => page(last));
  await measure('any page', (round) => page(Math.floor((last * ((round * 37) % rounds)) / rounds)));
  await measure('a month', () => page(3, 'from=2026-02-01&before=2026-03-01'));
  await measure('parts of two days', () =>
    page(1, 'from=2026-02-01T11:30:00Z&before=2026-02-02T09:15:00Z'),
  );
  process.exitCode = totalCount === transactions ? 0 : 1;
  await api.close();
  await tools.database.close();
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
