import type { BankDataRails, DataRail } from '../../service/src/modules/bank-feed/index.ts';
import type { CardRails } from '../../service/src/modules/cards/index.ts';
import type { BankRails } from '../../service/src/modules/payments/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { runProgram, stopOnSignal } from '../../service/src/programs/process/stop-on-signal.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { openWorker } from '../../service/src/programs/wiring/open-worker.ts';
import type { BankRail } from '../../service/src/rails/bank-rail.ts';
import type { CardRail } from '../../service/src/rails/card-rail.ts';
import { killAt, killableDatabase } from './kill-at.ts';

/** The API program, which KILL_AT kills at one of these; WITH_WORKER: it works too. */
const killableRail = (rail: BankRail): BankRail => ({
  ...rail,
  createConsent: (order) => killAt('createConsent', () => rail.createConsent(order)),
  readReturn: (state, parameters) => killAt('readReturn', () => rail.readReturn(state, parameters)),
  exchange: (state, code) => killAt('exchange', () => rail.exchange(state, code)),
  submit: (state) => killAt('submit', () => rail.submit(state)),
});

const killableRails = (rails: BankRails): BankRails => ({
  find: (environment) => {
    const rail = rails.find(environment);
    return rail && killableRail(rail);
  },
  need: (environment) => killableRail(rails.need(environment)),
});

const killableCardRail = (rail: CardRail): CardRail => ({
  ...rail,
  openSession: (order) => killAt('openSession', () => rail.openSession(order)),
  readSession: (state) => killAt('readSession', () => rail.readSession(state)),
  charge: (state) => killAt('charge', () => rail.charge(state)),
  capture: (state) => killAt('capture', () => rail.capture(state)),
  cancel: (state, reason) => killAt('cancel', () => rail.cancel(state, reason)),
});

const killableCardRails = (rails: CardRails): CardRails => ({
  ...rails,
  find: async (tenant) => {
    const rail = await rails.find(tenant);
    return rail && killableCardRail(rail);
  },
  need: async (tenant) => killableCardRail(await rails.need(tenant)),
  findAccount: async (tenant, accountKey) => {
    const rail = await rails.findAccount(tenant, accountKey);
    return rail && killableCardRail(rail);
  },
  needAccount: async (tenant, accountKey) =>
    killableCardRail(await rails.needAccount(tenant, accountKey)),
});

const killableDataRail = (rail: DataRail): DataRail => ({
  ...rail,
  createConsent: (order) => killAt('createLinkConsent', () => rail.createConsent(order)),
  exchange: (state, code) => killAt('exchangeLinkCode', () => rail.exchange(state, code)),
  readAccounts: (state, visitor) =>
    killAt('readLinkedAccounts', () => rail.readAccounts(state, visitor)),
});

const killableDataRails = (rails: BankDataRails): BankDataRails => ({
  ...rails,
  find: (environment, institutionId) => {
    const rail = rails.find(environment, institutionId);
    return rail && killableDataRail(rail);
  },
});

runProgram(async () => {
  const config = readConfig(process.env);
  const publicUrl = `http://${config.host}:${config.port}`;
  const opened = await openTools(config, config.databaseUrl ?? '', 'api');
  const tools = { ...opened, database: killableDatabase(opened.database) };
  const rails = await openRails(tools, publicUrl);
  const served = {
    ...rails,
    bankRails: killableRails(rails.bankRails),
    cardRails: killableCardRails(rails.cardRails),
    bankDataRails: killableDataRails(rails.bankDataRails),
  };
  // As `npm start` does: what this program will do at once is claimed by its own statements.
  const worker = process.env.WITH_WORKER ? openWorker(tools, served, publicUrl) : null;
  const api = await openApi(tools, served, publicUrl);
  stopOnSignal(async () => {
    await api.close();
    await worker?.stop();
  });
  await api.app.listen({ port: config.port, host: config.host });
  process.stdout.write(`${JSON.stringify({ ready: true, url: publicUrl })}\n`);
});
