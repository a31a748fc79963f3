import type { CardRails } from '../../service/src/modules/cards/index.ts';
import type { TransferRails } from '../../service/src/modules/transfers/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { runProgram, stopOnSignal } from '../../service/src/programs/process/stop-on-signal.ts';
import { openRails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { openWorker } from '../../service/src/programs/wiring/open-worker.ts';
import type { CardRail } from '../../service/src/rails/card-rail.ts';
import type { TransferRail } from '../../service/src/rails/transfer-rail.ts';
import { killAt, killableDatabase } from './kill-at.ts';

const killableTransferRail = (rail: TransferRail): TransferRail => ({
  ...rail,
  submit: (batch) => killAt('submitTransfers', () => rail.submit(batch)),
  acknowledge: (reference, reason) =>
    killAt('acknowledge', () => rail.acknowledge(reference, reason)),
});

const killableTransferRails = (rails: TransferRails): TransferRails => ({
  ...rails,
  find: (environment) => {
    const rail = rails.find(environment);
    return rail && killableTransferRail(rail);
  },
});

const killableCardRail = (rail: CardRail): CardRail => ({
  ...rail,
  refund: (state) => killAt('refundCard', () => rail.refund(state)),
  capture: (state) => killAt('capture', () => rail.capture(state)),
});

const killableCardRails = (rails: CardRails): CardRails => ({
  ...rails,
  findAccount: async (tenant, accountKey) => {
    const rail = await rails.findAccount(tenant, accountKey);
    return rail && killableCardRail(rail);
  },
});

/** The worker program, with places at which it is killed. */
runProgram(async () => {
  const config = readConfig(process.env);
  const opened = await openTools(config, config.databaseUrl ?? '', 'worker');
  const tools = { ...opened, database: killableDatabase(opened.database) };
  const publicUrl = config.publicUrl ?? '';
  const rails = await openRails(tools, publicUrl);
  const killable = {
    ...rails,
    cardRails: killableCardRails(rails.cardRails),
    transferRails: killableTransferRails(rails.transferRails),
  };
  const worker = openWorker(tools, killable, publicUrl);
  stopOnSignal(() => worker.stop());
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
});
