import type { CardRails } from '../../service/src/modules/cards/index.ts';
import type { BankRails } from '../../service/src/modules/payments/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import type { Database } from '../../service/src/platform/database/open-database.ts';
import { runProgram, stopOnSignal } from '../../service/src/programs/process/stop-on-signal.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import type { BankRail } from '../../service/src/rails/bank-rail.ts';
import type { CardRail } from '../../service/src/rails/card-rail.ts';

/**
 * The API program, which ends by SIGKILL at one statement: `KILL_AT="after submit 1"` is the first answer
 * of a bank to a submission, `"before payment_commit_change 3"` the third change of a payment.
 */
const [moment = '', statement = '', turn = '1'] = (process.env.KILL_AT ?? '').split(' ');

let passed = 0;
const at = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
  if (name !== statement) return run();
  passed += 1;
  const isTurn = passed === Number(turn);
  if (isTurn && moment === 'before') process.kill(process.pid, 'SIGKILL');
  const value = await run();
  if (isTurn) process.kill(process.pid, 'SIGKILL');
  return value;
};

const killable = (database: Database): Database => ({
  ...database,
  tenant: (merchantId, statement, values) =>
    at(statement.name, () => database.tenant(merchantId, statement, values)),
  batched: (tenant, forMany, item) =>
    at(forMany.statement.name, () => database.batched(tenant, forMany, item)),
});

const killableRail = (rail: BankRail): BankRail => ({
  ...rail,
  createConsent: (order) => at('createConsent', () => rail.createConsent(order)),
  readReturn: (state, parameters) => at('readReturn', () => rail.readReturn(state, parameters)),
  exchange: (state, code) => at('exchange', () => rail.exchange(state, code)),
  submit: (state) => at('submit', () => rail.submit(state)),
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
  openSession: (order) => at('openSession', () => rail.openSession(order)),
  readSession: (state) => at('readSession', () => rail.readSession(state)),
  charge: (state) => at('charge', () => rail.charge(state)),
  capture: (state) => at('capture', () => rail.capture(state)),
  cancel: (state, reason) => at('cancel', () => rail.cancel(state, reason)),
});

const killableCardRails = (rails: CardRails): CardRails => ({
  ...rails,
  find: async (tenant) => {
    const rail = await rails.find(tenant);
    return rail && killableCardRail(rail);
  },
  need: async (tenant) => killableCardRail(await rails.need(tenant)),
});

runProgram(async () => {
  const config = readConfig(process.env);
  const publicUrl = `http://${config.host}:${config.port}`;
  const opened = await openTools(config, config.databaseUrl ?? '', 'api');
  const tools = { ...opened, database: killable(opened.database) };
  const rails = await openRails(tools, publicUrl);
  const served = {
    ...rails,
    bankRails: killableRails(rails.bankRails),
    cardRails: killableCardRails(rails.cardRails),
  };
  const api = await openApi(tools, served, publicUrl);
  stopOnSignal(async () => api.close());
  await api.app.listen({ port: config.port, host: config.host });
  process.stdout.write(`${JSON.stringify({ ready: true, url: publicUrl })}\n`);
});
