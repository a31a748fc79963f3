import { setTimeout as sleep } from 'node:timers/promises';
import { environments } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { listCardTenants } from '#modules/cards/index.ts';
import { raiseAboveCells, requireAgreement } from '#modules/cells/index.ts';
import { creditJobs } from '#modules/credits/index.ts';
import { type Followed, type FollowRefund, followEventsSince } from '#modules/payments/index.ts';
import { followCardRefund } from '#modules/refunds/index.ts';
import { transferJobs } from '#modules/transfers/index.ts';
import { type CommandTools, Misuse, type OperatorCommands } from '#platform/command.ts';
import { isElsewhere } from '#platform/database/database-unavailable.ts';
import { confirmEpochs, listUnconfirmedEpochs, readLastWritten } from '../wiring/cluster-epochs.ts';
import { openRails, type Rails } from '../wiring/open-rails.ts';
import { reportReceivers } from '../wiring/report-receivers.ts';
import { listUnexplained } from './unexplained-bookings.ts';

/** What an operator does before programs start on data that was restored, or on a promoted standby. */
export const afterRestore: OperatorCommands = {
  use: `
  reconcile [<since>]          after a restore or the promotion of a standby: what bank and processor
                               have told since then (the last that is here) is read again, and corrects
                               what is known; what is not becomes cases
  confirm-epoch [without=<cellId>]
                               then: what is missing is known, programs may start and transfers are sent
                               again; other cells are asked whether they agree who serves which merchant`,
  run: {
    reconcile: async (tools, [given]) => {
      const since = given ? new Date(given) : await lastWritten(tools);
      if (Number.isNaN(since.getTime())) throw new Misuse();
      await tools.write(`Since ${since.toISOString()}:\n`);
      const rails = await openRails(tools, tools.config.publicUrl ?? '');
      try {
        await readBanksAgain(tools, rails, since);
        await followProcessors(tools, rails, since);
      } finally {
        await rails.close();
      }
      return 'Now look at "npm run operator -- cases". Cancel what is open here and was paid there.';
    },
    'confirm-epoch': async (tools, words) => {
      const open = await tools.database.system(listUnconfirmedEpochs, {});
      const without = words.map(unaskedCell);
      await requireAgreement(tools, without);
      if (open.length > 0) await raiseAboveCells(tools, without);
      // Not one that has begun meanwhile.
      const epochs = open.map(({ epoch }) => epoch);
      const values = { actor: tools.actor, epochs };
      const confirmed = await tools.database.system(confirmEpochs, values);
      if (confirmed.length === 0) throw new Error('No epoch waits to be confirmed.');
      return confirmed
        .map(({ epoch, began_at }) => `Epoch ${epoch} of ${began_at.toISOString()} is confirmed.`)
        .join('\n');
    },
  },
};

const unaskedCell = (word: string): string => {
  const [, cellId = ''] = /^without=(.*)$/.exec(word) ?? [];
  if (!isUuid(cellId)) throw new Misuse();
  return cellId.toLowerCase();
};

// What was under way when the last event was written, and clocks that differ.
const marginMs = 5 * 60_000;

const lastWritten = async ({ database }: CommandTools): Promise<Date> => {
  const [last] = await database.system(readLastWritten, {});
  if (!last?.written_at) throw new Misuse('Name the moment to which the data was restored.');
  return new Date(last.written_at.getTime() - marginMs);
};

const maxRounds = 1_000;
const creditRounds = 8;
const pauseMs = 1_000;

const readBanksAgain = async (tools: CommandTools, rails: Rails, since: Date): Promise<void> => {
  const all = { ...tools, ...rails, receivers: reportReceivers(tools) };
  for (const environment of environments) {
    const rail = rails.transferRails.find(environment);
    if (!rail) continue;
    const reopened = await rail.reopenMessages(since);
    if (reopened.kind === 'UNAVAILABLE') throw new Error(reopened.description);
    const { readBankMessages } = transferJobs(all);
    let rounds = 0;
    while (rounds < maxRounds && (await readBankMessages(environment)) > 0) rounds += 1;
    await tools.write(`${environment}: ${reopened.messages} messages of the bank read again\n`);
  }
  // A credit is looked for a few times, with pauses, before it becomes a case.
  for (let round = 0; round < creditRounds; round += 1) {
    for (const job of creditJobs(tools)) await job.run();
    await sleep(pauseMs);
  }
  for (const line of await listUnexplained(tools, since)) await tools.write(`${line}\n`);
};

export const followProcessors = async (
  tools: CommandTools,
  rails: Pick<Rails, 'cardRails'>,
  since: Date,
): Promise<void> => {
  const { cardRails } = rails;
  const follow: FollowRefund = (tenant, refund) =>
    followCardRefund({ ...tools, cardRails }, tenant, refund);
  const all = {
    ...tools,
    cardRails,
    followRefund: follow,
  };
  const tell = (account: string, { events, isComplete, unknown, elsewhere }: Followed) =>
    tools.write(
      `${account}: ${events} events of the card processor followed${isComplete ? '' : ', older ones not'}, ` +
        `${unknown.length} payments unknown here` +
        (elsewhere > 0 ? `, ${elsewhere} events of businesses in another cell left out\n` : '\n'),
    );
  const shared = await rails.cardRails.shared();
  if (shared) await tell('SANDBOX', await followEventsSince(all, shared, null, since));
  for (const tenant of await listCardTenants(tools)) {
    // Its closed copy says nothing any more.
    const own = await rails.cardRails.listOwn(tenant).catch(async (error: unknown) => {
      if (!isElsewhere(error)) throw error;
      await tools.write(
        `${tenant.merchantId}: it is in another cell, or may be: nothing is followed here\n`,
      );
      return [];
    });
    for (const rail of own)
      await tell(
        `${tenant.merchantId} ${rail.accountKey}`,
        await followEventsSince(all, rail, tenant, since),
      );
  }
};
