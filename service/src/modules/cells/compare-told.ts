import type { CommandTools } from '#platform/command.ts';
import type { Said } from './ask-cell.ts';
import { requireCellAt } from './compare-cells.ts';
import { type Cell, rowsOf } from './store/moves.ts';
import type { Cells } from './store/open-cells.ts';

/**
 * What the programs of both cells were told, which a command does not know of the other: asked where each
 * reaches the other, so what answers there must be the cell whose database this command writes. Answers the
 * banks at which they are not one client.
 */
export const compareTold = async (
  tools: CommandTools,
  cells: Cells,
): Promise<readonly string[]> => {
  const { here, there, hereId, thereId } = cells;
  const theirs = await requireCellAt(tools, thereId, await addressIn(here, thereId));
  const ours = await requireCellAt(tools, hereId, await addressIn(there, hereId));
  return differingBanks(ours, theirs);
};

/** Throws where programs there do not have each master key by which records that are carried may be read. */
export const differingBanks = (
  ours: Pick<Said, 'masterKeys' | 'clientIds'>,
  theirs: Pick<Said, 'masterKeys' | 'clientIds'>,
): readonly string[] => {
  if (!ours.masterKeys.every((id) => theirs.masterKeys.includes(id)))
    throw new Error(
      'Programs of the other cell do not have every master key of this one: a new key goes to both, with ' +
        'the old one, and both are through with it before a merchant moves.',
    );
  const banks = new Set([...Object.keys(ours.clientIds), ...Object.keys(theirs.clientIds)]);
  return [...banks].filter((bank) => ours.clientIds[bank] !== theirs.clientIds[bank]).sort();
};

const addressIn = async (cell: Cell, cellId: string): Promise<string> => {
  const text = 'select address from cell where cell_id = $1 and address is not null';
  const [known] = await rowsOf<{ address: string }>(cell, text, [cellId]);
  if (known) return known.address;
  throw new Error(
    `These cells do not know each other: run "operator begin-cell", or "operator cell-address ${cellId} ` +
      '<address>" in the one that does not know it.',
  );
};
