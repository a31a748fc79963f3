import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandTools } from '#platform/command.ts';
import { isTimeout } from '#platform/database/database-unavailable.ts';
import { beginMove } from './begin-move.ts';
import { carryPeople } from './carry-people.ts';
import { checkCells } from './check-cells.ts';
import { compareTold } from './compare-told.ts';
import { requireNothingOpen, requireSameClients, requireStillNothingOpen } from './open-money.ts';
import { requireSameTables } from './store/carried-tables.ts';
import {
  beginCarrying,
  catchUp,
  endCarrying,
  fence,
  followClosely,
  openFence,
  preparePartitions,
  raiseEpoch,
  raiseSequences,
  stopReceiving,
} from './store/carry-rows.ts';
import {
  type Cell,
  changeMove,
  findMove,
  insertMove,
  type Move,
  recordMove,
  rowsOf,
  takePause,
} from './store/moves.ts';
import { type Cells, lockMove, withBoth, withCells } from './store/open-cells.ts';
import { removeRows } from './store/rows-left.ts';

/** All that is done in the pause: what takes longer is let go on, and paused again. */
const pauseWithinMs = 4_000;
const pauseTries = 10;
/** What is opened there, and hangs, is ended by its server: what is only slow was ended before. */
const hangsWithinMs = 2 * pauseWithinMs;

/** Each step may be killed and is done again by the next run, which ends in one cell or the other. */
export const moveMerchant = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async (cells) => {
    await lockMove([cells.here, cells.there], merchantId);
    await checkCells(tools, cells);
    const move = await beginMove(tools, cells, merchantId);
    const theirs = await findMove(cells.there, merchantId);
    const ofThis = theirs?.move_id === move.move_id ? theirs.status : null;
    if (ofThis === 'UNDONE')
      throw new Error('This move was cancelled: run "operator cancel-move" to its end first.');
    const isThere = ofThis === 'HERE';
    if (!isThere) {
      await prepare(tools, cells, move);
      await copy(tools, cells, move);
      await arrive(tools, cells, move, await compareTold(tools, cells));
    }
    await step(tools, 'closing it here');
    if (await changeMove(cells.here, move, 'arrivedThere')) await record(tools, cells.here, move);
    if ((await findMove(cells.here, merchantId))?.status !== 'GONE')
      throw new Error(
        `Both cells may serve this merchant: run "operator settle-move ${merchantId}" at once.`,
      );
    await step(tools, 'clearing up');
    await endCarrying([cells.here, cells.there], merchantId);
    await openFence(cells.there, merchantId);
    return `Merchant ${merchantId} is in the other cell now. What is asked for here is led there.`;
  });

export const step = (tools: CommandTools, what: string): Promise<void> => tools.write(`${what}\n`);

/** Closed to everybody there before the first row comes, and ready to be closed here. */
const prepare = async (tools: CommandTools, cells: Cells, move: Move): Promise<void> => {
  if (move.status !== 'PREPARING') return;
  const { here, there, hereId } = cells;
  const merchantId = move.merchant_id;
  await step(tools, 'closing it there');
  await insertMove(there, { ...move, other_cell_id: hereId, by: tools.actor }, 'ARRIVING');
  if ((await findMove(there, merchantId))?.move_id !== move.move_id)
    throw new Error('The other cell has another move of this merchant that has not ended.');
  await fence(there, merchantId);
  // A copy that was closed when the merchant had left that cell, or its move was cancelled.
  await removeRows(there, merchantId);
  await step(tools, 'raising its numbers');
  await preparePartitions(cells);
  await raiseEpoch(here, there);
  await step(tools, 'preparing to close it here');
  await fence(here, merchantId);
};

/** Programs remember a secret for five seconds, unless its merchant is moved: after this none does. */
const forgottenWithinMs = 6_000;

const copy = async (tools: CommandTools, cells: Cells, move: Move): Promise<void> => {
  await requireSameTables(cells, move);
  // Of a run that was killed: nobody waits for what is done here.
  if (move.status === 'PAUSED') await liftPause(cells, move);
  const forgotten = sleep(forgottenWithinMs);
  // From now on a run that comes after a kill removes nothing there: rows may have come.
  await changeMove(cells.here, move, 'copyBegan');
  await step(tools, 'copying');
  await beginCarrying(cells, move);
  await followClosely(cells, move, (text) => step(tools, text));
  await forgotten;
};

/**
 * Nobody writes here until the other cell has all and says so, or the pause was too long and is lifted: by
 * connections of its own, whatever those that open it wait for.
 */
const arrive = (
  tools: CommandTools,
  cells: Cells,
  move: Move,
  differing: readonly string[],
): Promise<void> =>
  withBoth({ ...cells, thereWithinMs: pauseWithinMs }, async ([here, there]) => {
    const opening = await processOf(cells.there);
    for (let tries = 1; tries <= pauseTries; tries += 1) {
      await requireSameTables(cells, move);
      const switches = await requireNothingOpen(cells.here, move.merchant_id);
      await step(tools, 'pausing');
      const pause = await takePause(there, move);
      if (pause === null)
        throw new Error('The other cell has opened, or never will: run it again.');
      const pausedAtMs = performance.now();
      // A pause of another command ends without this one.
      if (!(await changeMove(here, move, 'paused', pause)))
        throw new Error(
          'The move was cancelled, or another command goes on with it, or a server was restored or promoted.',
        );
      const requireStill = async () => {
        await requireStillNothingOpen(cells.here, move.merchant_id, switches);
        await requireSameClients(cells.here, move.merchant_id, differing);
      };
      const opens = catchUpAndOpen(tools, cells, { move, pause, requireStill });
      const isThere = await endInTime(opens, () =>
        there
          .query('select pg_cancel_backend($1)', [opening])
          .then(() => liftPause({ here, there }, move))
          .catch(explainPause),
      );
      if (isThere) {
        const ms = Math.round(performance.now() - pausedAtMs);
        return step(tools, `it is there, after a pause of ${ms} ms`);
      }
      await step(tools, 'the pause would have been too long, and was lifted');
      await followClosely(cells, move, async () => undefined);
    }
    throw new Error('Every pause would have been too long: run it again when there is less to do.');
  });

const explainPause = (cause: unknown): never => {
  throw new Error(
    'The other cell does not say whether it has opened, and the merchant stays paused: run it again at ' +
      'once, or "operator abandon-move" if that cell is lost.',
    { cause },
  );
};

const processOf = async (cell: Cell): Promise<number> =>
  (await rowsOf<{ pid: number }>(cell, 'select pg_backend_pid() as pid'))[0]?.pid ?? 0;

/** False: it took too long, or failed by waiting, and was ended. What fails by itself is ended and thrown. */
const endInTime = async (work: Promise<boolean>, end: () => Promise<void>): Promise<boolean> => {
  const isDone = await Promise.race([work, sleep(pauseWithinMs, null)]).catch(() => false);
  if (isDone) return true;
  await end();
  // It can open no more, or has done so at the last moment.
  return work.catch((error: unknown) => {
    if (isDone === null || isTimeout(error)) return false;
    throw error;
  });
};

/**
 * The other cell alone knows whether it has opened; without its answer nobody may write here. Also a command
 * that hangs, and is believed to be dead, can open it no more.
 */
const liftPause = async (
  { here, there }: Pick<Cells, 'here' | 'there'>,
  move: Move,
): Promise<void> => {
  const pause = await takePause(there, move);
  if (pause !== null) await changeMove(here, move, 'pauseLifted', pause);
};

type Opening = {
  readonly move: Move;
  readonly pause: number;
  /** What was found before the pause holds. */
  readonly requireStill: () => Promise<void>;
};

const catchUpAndOpen = async (
  tools: CommandTools,
  cells: Cells,
  { move, pause, requireStill }: Opening,
): Promise<boolean> => {
  const { here, there } = cells;
  if (!(await catchUp(cells, move, pauseWithinMs))) return false;
  await requireStill();
  await raiseSequences(cells);
  // Other moves may have raised those of this cell meanwhile: what is written from now on is above them.
  await raiseEpoch(here, there);
  await step(tools, 'opening it there');
  await there.query(`begin; set local idle_in_transaction_session_timeout = ${hangsWithinMs}`);
  try {
    // Notices of a new passkey or password are nobody's: triggers are left out.
    await there.query('set local session_replication_role = replica');
    await carryPeople(here, there, move.merchant_id);
    await there.query('set local session_replication_role = origin');
    await record(tools, there, move);
    await stopReceiving(there, move);
    if (!(await changeMove(there, move, 'arrived', pause)))
      throw new Error(
        'Another command has ended this pause or cancelled the move, or the server of the other cell was ' +
          'restored or promoted: then run "operator cancel-move", and begin anew.',
      );
    await there.query('commit');
    return true;
  } catch (error) {
    await there.query('rollback').catch(() => undefined);
    throw error;
  }
};

export const record = (
  tools: CommandTools,
  cell: Cell,
  move: Pick<Move, 'merchant_id' | 'move_id'>,
): Promise<unknown> =>
  recordMove(cell, move, {
    ...{ actor: tools.actor, host: hostname(), recordId: tools.ids.uuid() },
  });
