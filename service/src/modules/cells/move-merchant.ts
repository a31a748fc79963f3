import { hostname } from 'node:os';
import type { CommandTools } from '#platform/command.ts';
import { carryPeople, knownPeople } from './carry-people.ts';
import { checkCells } from './check-cells.ts';
import { requireNoMoneyHere } from './open-money.ts';
import {
  beginCarrying,
  catchUp,
  endCarrying,
  fence,
  followClosely,
  lockShortly,
  openFence,
  preparePartitions,
  raiseSequences,
  removeRows,
  requireNoRows,
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
import { type Cells, lockMove, withCells } from './store/open-cells.ts';

/** A program that waits for a writer or the other cell longer than this is let go on, and paused again. */
const pauseWithinMs = 4_000;
const pauseTries = 10;

/** Each step may be killed and is done again by the next run, which ends in one cell or the other. */
export const moveMerchant = (
  tools: CommandTools,
  merchantId: string,
  address: string,
): Promise<string> =>
  withCells(tools, async (cells) => {
    await lockMove(cells, merchantId);
    await checkCells(tools, cells);
    const move = await beginMove(tools, cells, merchantId, address);
    const theirs = await findMove(cells.there, merchantId);
    const ofThis = theirs?.move_id === move.move_id ? theirs.status : null;
    if (ofThis === 'UNDONE')
      throw new Error('This move was cancelled: run "operator cancel-move" to its end first.');
    const isThere = ofThis === 'HERE';
    if (!isThere) {
      await prepare(tools, cells, move);
      await copy(tools, cells, move);
      await arrive(tools, cells, move);
    }
    await step(tools, 'closing it here');
    if (await changeMove(cells.here, move, 'arrivedThere'))
      await record(tools, cells, 'here', move);
    await step(tools, 'clearing up');
    await endCarrying(cells, move);
    await openFence(cells.there, merchantId);
    return `Merchant ${merchantId} is at ${move.address} now. What is asked for here is led there.`;
  });

const step = (tools: CommandTools, what: string): Promise<void> => tools.write(`${what}\n`);

const beginMove = async (
  tools: CommandTools,
  cells: Cells,
  merchantId: string,
  address: string,
): Promise<Move> => {
  const { here, there } = cells;
  const ours = await findMove(here, merchantId);
  const isGoing = ours && ['PREPARING', 'COPYING', 'PAUSED', 'GONE'].includes(ours.status);
  if (ours?.status === 'ARRIVING' || ours?.status === 'UNDONE')
    throw new Error('This cell is not the one that has the merchant.');
  if (isGoing) {
    requireSameCell(ours, await findMove(there, merchantId));
    return ours;
  }
  // Of a cancelled move nothing may come any more.
  if (ours?.status === 'CANCELLED') await endCarrying(cells, ours);
  const [known] = await rowsOf(here, 'select from merchant where merchant_id = $1', [merchantId]);
  if (!known) throw new Error(`No merchant has the id ${merchantId}.`);
  await requireTrial(here, merchantId);
  await requireNoMoneyHere(here, merchantId);
  await knownPeople(here, there, merchantId);
  const theirs = await findMove(there, merchantId);
  if (!theirs || theirs.status === 'HERE') await requireNoRows(there, merchantId);
  const move = { move_id: tools.ids.uuid(), address };
  await insertMove(here, { ...move, merchantId, by: tools.actor }, 'PREPARING');
  const begun = await findMove(here, merchantId);
  if (begun?.move_id !== move.move_id) throw new Error('Another move of this merchant has begun.');
  return begun;
};

/** Rows must not come to a cell that this move did not close before, or that has lost that it did. */
const requireSameCell = (ours: Move, theirs: Move | null): void => {
  if (ours.status === 'PREPARING' && theirs?.move_id !== ours.move_id) return;
  const mayGoOn = ours.status === 'GONE' ? theirs?.status === 'HERE' : true;
  if (theirs?.move_id === ours.move_id && mayGoOn) return;
  throw new Error(
    'The other cell knows nothing of this move, or not enough: OTHER_CELL_DATABASE_URL must be that of the ' +
      'cell to which it began. If that was restored, first find out which cell serves the merchant.',
  );
};

/** Until what docs/CELLS.md lists as open is done, no money of a production merchant depends on it. */
const requireTrial = async (cell: Cell, merchantId: string): Promise<void> => {
  const [paid] = await rowsOf(
    cell,
    `select from payment_request where merchant_id = $1 and environment = 'PRODUCTION' limit 1`,
    [merchantId],
  );
  if (paid)
    throw new Error(
      'Cells are on trial: only a merchant without payments in production can be moved. docs/CELLS.md says ' +
        'what is open.',
    );
};

/** Closed to everybody there before the first row comes, and ready to be closed here. */
const prepare = async (tools: CommandTools, cells: Cells, move: Move): Promise<void> => {
  if (move.status !== 'PREPARING') return;
  const { here, there } = cells;
  const merchantId = move.merchant_id;
  await step(tools, 'closing it there');
  const { move_id, address } = move;
  await insertMove(there, { move_id, address, merchantId, by: tools.actor }, 'ARRIVING');
  if ((await findMove(there, merchantId))?.move_id !== move_id)
    throw new Error('The other cell has another move of this merchant that has not ended.');
  await fence(there, merchantId);
  // A copy that was closed when the merchant had left that cell, or its move was cancelled.
  await removeRows(there, merchantId);
  await step(tools, 'raising its numbers');
  await preparePartitions(cells);
  await raiseEpoch(cells);
  await step(tools, 'preparing to close it here');
  await fence(here, merchantId);
};

const raiseEpoch = async ({ here, there }: Cells): Promise<void> => {
  const [now] = await rowsOf<{ above: string }>(here, 'select written_in()::text as above');
  await lockShortly(there, 'select raise_cluster_epoch($1::xid8)', [now?.above]);
};

const copy = async (tools: CommandTools, cells: Cells, move: Move): Promise<void> => {
  // From now on a run that comes after a kill removes nothing there: rows may have come.
  await changeMove(cells.here, move, 'copyBegan');
  await step(tools, 'copying');
  await beginCarrying(cells, move);
  await followClosely(cells, move, (text) => step(tools, text));
  // Programs remember a secret for five seconds, unless its merchant is moved: none does any more.
  await cells.here.query(
    `select pg_sleep(greatest(0, 6 - extract(epoch from clock_timestamp() - began_at)))
     from cell_move where merchant_id = $1`,
    [move.merchant_id],
  );
};

/** Nobody writes here until the other cell has all and says so, or the pause was too long and is lifted. */
const arrive = async (tools: CommandTools, cells: Cells, move: Move): Promise<void> => {
  for (let tries = 1; tries <= pauseTries; tries += 1) {
    await step(tools, 'pausing');
    const pause = await takePause(cells.there, move);
    if (pause === null) throw new Error('The other cell has opened, or never will: run it again.');
    const pausedAtMs = performance.now();
    await changeMove(cells.here, move, 'paused');
    const ours = await findMove(cells.here, move.merchant_id);
    if (ours?.status !== 'PAUSED') throw new Error('The move was cancelled.');
    const isThere = await catchUpAndOpen(tools, cells, move, pause).catch(
      async (error: unknown) => {
        await liftPause(cells, move);
        throw error;
      },
    );
    if (isThere) {
      const ms = Math.round(performance.now() - pausedAtMs);
      return step(tools, `it is there, after a pause of ${ms} ms`);
    }
    await liftPause(cells, move);
    await step(tools, 'the pause would have been too long, and was lifted');
    await followClosely(cells, move, async () => undefined);
  }
  throw new Error('Every pause would have been too long: run it again when there is less to do.');
};

/**
 * The other cell alone knows whether it has opened; without its answer nobody may write here. Also a command
 * that hangs, and is believed to be dead, can open it no more.
 */
const liftPause = async ({ here, there }: Cells, move: Move): Promise<void> => {
  if ((await takePause(there, move)) !== null) await changeMove(here, move, 'pauseLifted');
};

const catchUpAndOpen = async (
  tools: CommandTools,
  cells: Cells,
  move: Move,
  pause: number,
): Promise<boolean> => {
  const { here, there } = cells;
  if (!(await catchUp(cells, move, pauseWithinMs))) return false;
  await requireNoMoneyHere(here, move.merchant_id);
  await raiseSequences(cells);
  await step(tools, 'opening it there');
  await there.query('begin');
  try {
    // Notices of a new passkey or password are nobody's: triggers are left out.
    await there.query('set local session_replication_role = replica');
    await carryPeople(here, there, move.merchant_id);
    await there.query('set local session_replication_role = origin');
    await record(tools, cells, 'there', move);
    if (!(await changeMove(there, move, 'arrived', pause)))
      throw new Error('Another command has ended this pause, or cancelled the move.');
    await there.query('commit');
    return true;
  } catch (error) {
    await there.query('rollback').catch(() => undefined);
    throw error;
  }
};

const record = (
  tools: CommandTools,
  cells: Cells,
  side: 'here' | 'there',
  move: Move,
): Promise<unknown> =>
  recordMove(cells[side], move, {
    ...{ actor: tools.actor, host: hostname(), recordId: tools.ids.uuid() },
  });

/** Before the other cell has opened: it never will, and what came there is removed. */
export const cancelMove = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async (cells) => {
    const { here, there } = cells;
    await lockMove(cells, merchantId);
    const move = await findMove(here, merchantId);
    if (!move || ['GONE', 'HERE', 'ARRIVING', 'UNDONE'].includes(move.status))
      throw new Error('No move of this merchant from this cell can be cancelled.');
    await step(tools, 'closing it there for good');
    if (move.status !== 'CANCELLED') requireSameCell(move, await findMove(there, merchantId));
    const isUndone = await changeMove(there, move, 'cancelled');
    const theirs = await findMove(there, merchantId);
    const isSame = theirs?.move_id === move.move_id;
    if (isSame && theirs.status === 'HERE')
      throw new Error(
        'The merchant is in the other cell already: run "operator move-merchant" again.',
      );
    await step(tools, 'opening it here');
    await changeMove(here, move, 'cancelled');
    await step(tools, 'clearing up');
    await endCarrying(cells, move);
    await openFence(here, merchantId);
    if (isUndone || isSame) {
      await removeRows(there, merchantId);
      await openFence(there, merchantId);
    }
    return `Merchant ${merchantId} stays here.`;
  });

/** By these its secrets, links and events are led to the other cell. */
const signposts = ['public_id', 'secret_directory', 'access_secret', 'card_account', 'merchant'];

/** What stays closed after a move: personal data and books that are nobody's any more. */
export const removeMoved = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async (cells) => {
    await lockMove(cells, merchantId);
    const move = await findMove(cells.here, merchantId);
    const theirs = await findMove(cells.there, merchantId);
    if (move?.status !== 'GONE' || theirs?.move_id !== move.move_id || theirs.status !== 'HERE')
      throw new Error(
        'The other cell does not say that it has this merchant: nothing was removed.',
      );
    await removeRows(cells.here, merchantId, signposts);
    return 'Its rows are removed here, but for what leads its secrets and links to the other cell.';
  });
