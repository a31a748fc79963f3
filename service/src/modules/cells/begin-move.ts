import type { CommandTools } from '#platform/command.ts';
import { knownPeople } from './carry-people.ts';
import { compareTold } from './compare-told.ts';
import { requireNothingOpen, requireSameClients } from './open-money.ts';
import { disagreement } from './sides.ts';
import { endCarrying } from './store/carry-rows.ts';
import { findMove, insertMove, isOfThisServer, type Move, sideIn } from './store/moves.ts';
import type { Cells } from './store/open-cells.ts';
import { requireNoRows } from './store/rows-left.ts';

/** The move that goes on, or a new one; a sentence where neither may be. */
export const beginMove = async (
  tools: CommandTools,
  cells: Cells,
  merchantId: string,
): Promise<Move> => {
  const { here, there, thereId } = cells;
  const [ours, theirs] = [await findMove(here, merchantId), await findMove(there, merchantId)];
  if (ours && ['PREPARING', 'COPYING', 'PAUSED', 'GONE'].includes(ours.status)) {
    requireSameCell(ours, theirs, thereId);
    if (theirs?.move_id === ours.move_id) {
      await requireSameServers(cells, ours, theirs);
      return ours;
    }
  }
  requireBegins(ours, theirs, thereId);
  const version = (await requireAgreed(cells, merchantId)) + 1;
  requireClosed(theirs);
  // Of an earlier move, in either direction, nothing may come any more.
  await endCarrying([here, there], merchantId);
  await requireNothingOpen(here, merchantId);
  await knownPeople(here, there, merchantId);
  await requireSameClients(here, merchantId, await compareTold(tools, cells));
  if (!theirs) await requireNoRows(there, merchantId);
  const move = { merchant_id: merchantId, move_id: tools.ids.uuid(), version };
  await insertMove(here, { ...move, other_cell_id: thereId, by: tools.actor }, 'PREPARING');
  const begun = await findMove(here, merchantId);
  if (begun?.move_id !== move.move_id) throw new Error('Another move of this merchant has begun.');
  return begun;
};

const requireBegins = (ours: Move | null, theirs: Move | null, thereId: string): void => {
  if (ours?.status === 'ARRIVING' || ours?.status === 'UNDONE')
    throw new Error('This cell is not the one that has the merchant.');
  const wasInOther = ours?.status === 'HERE' || ours?.was_here === true;
  if (ours && wasInOther && ours.other_cell_id !== thereId)
    throw new Error(
      `It was in the cell ${ours.other_cell_id}, whose address leads here and no further: it can move to ` +
        'that one, and to no third.',
    );
  requireNotWaiting(theirs, null);
};

/** For a move that this cell has given up, or has lost. */
export const requireNotWaiting = (theirs: Move | null, ours: Move | null): void => {
  if (theirs?.status === 'ARRIVING' && theirs.move_id !== ours?.move_id)
    throw new Error('The other cell waits for another move: run "operator abandon-move" there.');
};

/** A move from there that was killed after this cell had opened. */
const requireClosed = (theirs: Move | null): void => {
  if (theirs && !['GONE', 'UNDONE'].includes(theirs.status))
    throw new Error(
      'The other cell has not closed the merchant after its last move: run "operator move-merchant" there ' +
        'first.',
    );
};

/** The number of the last move that either cell knows. */
const requireAgreed = async (
  { here, there, hereId, thereId }: Cells,
  merchantId: string,
): Promise<number> => {
  const one = await sideIn(here, hereId, merchantId);
  const other = await sideIn(there, thereId, merchantId);
  if (!one.isKnown) throw new Error(`No merchant has the id ${merchantId}.`);
  const fault = disagreement(one, other);
  if (fault !== null)
    throw new Error(`It ${fault}: run "operator settle-move ${merchantId}" first.`);
  return Math.max(one.version, other.version);
};

/** One that was restored or promoted may lack rows that the other believes to be there. */
const requireSameServers = async (
  { here, there }: Cells,
  move: Move,
  theirs: Move | null,
): Promise<void> => {
  if (theirs?.status === 'HERE') return;
  if ((await isOfThisServer(here, move)) && (await isOfThisServer(there, move))) return;
  throw new Error(
    'A server was restored or promoted since this move began, and may have lost a part of it: run ' +
      '"operator cancel-move", and begin anew.',
  );
};

/** Rows must not come to a cell that this move did not close before, or that has lost that it did. */
export const requireSameCell = (ours: Move, theirs: Move | null, thereId: string): void => {
  if (ours.other_cell_id !== thereId)
    throw new Error(
      `This move began with the cell ${ours.other_cell_id}: name that one's database in ` +
        'OTHER_CELL_DATABASE_URL.',
    );
  if (ours.status === 'PREPARING' && theirs?.move_id !== ours.move_id) return;
  const mayGoOn = ours.status === 'GONE' ? theirs?.status === 'HERE' : true;
  if (theirs?.move_id === ours.move_id && mayGoOn) return;
  throw new Error(
    'The other cell knows nothing of this move, or not enough: OTHER_CELL_DATABASE_URL must be that of the ' +
      'cell to which it began. If that was restored: "operator settle-move", or "abandon-move" here.',
  );
};
