import type { CommandTools } from '#platform/command.ts';
import { record } from './move-merchant.ts';
import {
  disagreement,
  isPart,
  keeperOf,
  lost,
  moving,
  paused,
  type Side,
  stragglerOf,
} from './sides.ts';
import { endCarrying, fence, holdEpoch, openFence, raiseEpochAbove } from './store/carry-rows.ts';
import { type Cell, findMove, type Move, rowsOf, settleSide, sideIn } from './store/moves.ts';
import { lockMove, withCells } from './store/open-cells.ts';

type Known = { readonly cell: Cell; readonly side: Side; readonly move: Move | null };
type Pair = readonly [Known, Known];

/**
 * Of two cells that differ after a restore: that with the later move has the merchant, or, where that had
 * led it to one that has lost it, its closed copy. The other closes.
 */
export const settleMove = (tools: CommandTools, merchantId: string): Promise<string> =>
  withCells(tools, async (cells) => {
    const { here, there, hereId, thereId } = cells;
    await lockMove([here, there], merchantId);
    const ours = await look(here, hereId, merchantId);
    const theirs = await look(there, thereId, merchantId);
    requireFault(ours.side, theirs.side);
    const kept = keeperOf(ours.side, theirs.side);
    if (kept === null) return closeAlone(tools, [ours, theirs]);
    const isOurs = kept === ours.side;
    const [keeper, loser] = isOurs ? [ours, theirs] : [theirs, ours];
    if (keeper.move?.is_removed || !keeper.side.isKnown) throw new Error(lost);
    // Before they agree again: killed in between, the next run finds what is left.
    await endCarrying([here, there], merchantId);
    await settle(tools, keeper, loser);
    await openFence(keeper.cell, merchantId);
    return (
      `Merchant ${merchantId} is in ${isOurs ? 'this cell' : 'the other cell'}, and closed in the other. ` +
      'What was written there since the restore or promotion is there alone: look through it before ' +
      '"operator remove-moved".'
    );
  });

const look = async (cell: Cell, cellId: string, merchantId: string): Promise<Known> => ({
  cell,
  side: await sideIn(cell, cellId, merchantId),
  move: await findMove(cell, merchantId),
});

const requireFault = (ours: Side, theirs: Side): void => {
  const fault = disagreement(ours, theirs);
  if (fault === moving)
    throw new Error(
      'It is on its way: run "operator cancel-move" in the cell that it leaves or, where that knows ' +
        'nothing of it, "abandon-move" in the other.',
    );
  if (fault === null) throw new Error('The cells agree on this merchant: nothing is to settle.');
  if (fault === paused)
    throw new Error('It is paused: run "operator move-merchant" again, or "cancel-move".');
};

/** First who keeps it: killed in between, the next run finds the same. */
const settle = async (tools: CommandTools, keeper: Known, loser: Known): Promise<void> => {
  const { merchantId } = keeper.side;
  // What a receiver reads there until it is closed stays below what comes.
  await holdEpoch(loser.cell);
  await raiseEpochAbove([loser.cell, keeper.cell], keeper.cell);
  await fence(loser.cell, merchantId);
  const move = {
    ...{ merchant_id: merchantId, move_id: tools.ids.uuid(), by: tools.actor },
    version: Math.max(keeper.side.version, loser.side.version) + 1,
  };
  const kept = { status: 'HERE', other_cell_id: loser.side.cellId, is_removed: false } as const;
  await settleSide(keeper.cell, { ...move, ...kept }, keeper.move);
  const isRemoved = isPart(loser.side) || loser.move?.is_removed === true;
  const left = {
    status: 'GONE',
    other_cell_id: keeper.side.cellId,
    is_removed: isRemoved,
  } as const;
  await settleSide(loser.cell, { ...move, ...left }, loser.move);
  for (const { cell } of [keeper, loser]) await record(tools, cell, move);
};

/** A cell that was lost, and has come back after the merchant went from the other one to a third. */
const closeAlone = async (tools: CommandTools, [one, other]: Pair): Promise<string> => {
  const { cellId, leadsTo, version } = stragglerOf(one.side, other.side);
  const [later, straggler] = one.side.cellId === cellId ? [other, one] : [one, other];
  const { cell, move, side } = straggler;
  const { merchantId } = side;
  const known = await rowsOf(cell, 'select from cell where cell_id = $1', [leadsTo]);
  if (known.length === 0)
    throw new Error(
      `It is in the cell ${leadsTo}, which the cell ${cellId} does not know: run "operator cell-address ` +
        `${leadsTo} <address>" there, and this again.`,
    );
  await endCarrying([cell], merchantId);
  await fence(cell, merchantId);
  // By the later move, so that "remove-moved" finds it in the cell that has it now.
  const moveId = later.move?.move_id ?? tools.ids.uuid();
  const last = { merchant_id: merchantId, move_id: moveId, version, by: tools.actor };
  const left = { status: 'GONE', other_cell_id: leadsTo, is_removed: isPart(side) } as const;
  await settleSide(cell, { ...last, ...left }, move);
  await record(tools, cell, last);
  return `Merchant ${merchantId} is closed in the cell ${cellId}, which leads to the cell ${leadsTo}.`;
};
