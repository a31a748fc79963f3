import type { CommandTools } from '#platform/command.ts';
import { requireNotWaiting, requireSameCell } from './begin-move.ts';
import { step } from './move-merchant.ts';
import { endCarrying, endCopies, openFence, raiseEpochFar } from './store/carry-rows.ts';
import {
  type Cell,
  changeMove,
  findMove,
  giveUpMove,
  type Move,
  noteRemoved,
} from './store/moves.ts';
import { type Cells, lockMove, withCells, withThisCell } from './store/open-cells.ts';
import { carrySignposts, removeRows, signposts } from './store/rows-left.ts';

/** Before the other cell has opened: it never will, and what came there is removed. */
export const cancelMove = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async (cells) => {
    const { here, there, thereId } = cells;
    await lockMove([here, there], merchantId);
    const move = await findMove(here, merchantId);
    if (!move || ['GONE', 'HERE', 'ARRIVING', 'UNDONE'].includes(move.status))
      throw new Error('No move of this merchant from this cell can be cancelled.');
    requireNotWaiting(await findMove(there, merchantId), move);
    await step(tools, 'closing it there for good');
    if (move.status !== 'CANCELLED')
      requireSameCell(move, await findMove(there, merchantId), thereId);
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
    await endCarrying([here, there], merchantId);
    await openFence(here, merchantId);
    if (isUndone || isSame) await closeAgain(cells, merchantId, theirs?.was_here === true);
    return `Merchant ${merchantId} stays here.`;
  });

/** A cell that had the merchant before leads on by what it needs for that. */
const closeAgain = async (
  { here, there }: Cells,
  merchantId: string,
  wasThere: boolean,
): Promise<void> => {
  await removeRows(there, merchantId);
  if (wasThere) await carrySignposts(here, there, merchantId);
  else await openFence(there, merchantId);
};

/** What stays closed after a move: personal data and books that are nobody's any more. */
export const removeMoved = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async ({ here, there, hereId }) => {
    await lockMove([here, there], merchantId);
    const move = await findMove(here, merchantId);
    const theirs = await findMove(there, merchantId);
    if (move?.status !== 'GONE' || !theirs || !hasIt(theirs, move, hereId))
      throw new Error(
        'The other cell does not say that it has this merchant: nothing was removed.',
      );
    // What removes them here must not reach the other cell by a carrier that was left.
    await endCarrying([here, there], merchantId);
    await noteRemoved(here, move);
    await removeRows(here, merchantId, signposts);
    return 'Its rows are removed here, but for what leads its secrets and links to the other cell.';
  });

/** By this move; or it was about to send it back here, which was cancelled. */
const hasIt = (theirs: Move, move: Move, hereId: string): boolean =>
  (theirs.status === 'HERE' && theirs.move_id === move.move_id) ||
  (theirs.status === 'CANCELLED' &&
    theirs.version > move.version &&
    theirs.other_cell_id === hereId);

const word = 'the-other-cell-never-serves-it';

/** Without the other cell, which is lost: this one alone goes on, or waits for nothing any more. */
export const abandonMove = (
  tools: CommandTools,
  merchantId: string,
  stated: string | undefined,
): Promise<string> =>
  withThisCell(tools, async (here) => {
    await lockMove([here], merchantId);
    const move = await findMove(here, merchantId);
    if (!move) throw new Error('This cell knows no move of this merchant.');
    if (move.status === 'ARRIVING' || move.status === 'UNDONE')
      return abandonArrival(tools, here, move);
    if (!['CANCELLED', 'HERE'].includes(move.status)) await giveUp(here, move, stated === word);
    else if (move.status === 'HERE') throw new Error('No move from this cell goes on.');
    await endCarrying([here], merchantId);
    await endCopies(here);
    await openFence(here, merchantId);
    return (
      `Merchant ${merchantId} stays here. If the other cell comes back: "operator abandon-move" there, or, ` +
      'where it serves the merchant, "operator settle-move".'
    );
  });

const giveUp = async (here: Cell, move: Move, isStated: boolean): Promise<void> => {
  // What was read in the other cell had higher numbers than what comes.
  if (isStated && !move.is_removed) await raiseEpochFar(here);
  if (await giveUpMove(here, move, isStated)) return;
  if (move.is_removed)
    throw new Error('What is here of the merchant is no whole copy: only the other cell has it.');
  throw new Error(
    'Whether the other cell has opened cannot be known here. If its database is lost for good, or ' +
      '"operator moves" there says ARRIVING or UNDONE, so that it never serves the merchant, state it: ' +
      `"operator abandon-move ${move.merchant_id} ${word}".`,
  );
};

/** It never opens: always safe, whatever the other cell does. */
const abandonArrival = async (tools: CommandTools, here: Cell, move: Move): Promise<string> => {
  await changeMove(here, move, 'cancelled');
  if ((await findMove(here, move.merchant_id))?.status !== 'UNDONE')
    throw new Error('It has opened here meanwhile: nothing was removed.');
  await step(tools, 'it never opens here');
  await endCarrying([here], move.merchant_id);
  await removeRows(here, move.merchant_id, move.was_here ? signposts : []);
  if (!move.was_here) await openFence(here, move.merchant_id);
  return 'It stays in the other cell: run "operator cancel-move" there, or "abandon-move".';
};
