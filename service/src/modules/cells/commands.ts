import { isUuid } from '#kernel/is-uuid.ts';
import { type CommandTools, Misuse, type OperatorCommands } from '#platform/command.ts';
import { beginCell } from './check-cells.ts';
import { changeCellAddress, describeCells, requireAgreement } from './compare-cells.ts';
import { abandonMove, cancelMove, removeMoved } from './end-move.ts';
import { moveMerchant } from './move-merchant.ts';
import { settleMove } from './settle-move.ts';
import { writeCellMap } from './store/cell-map.ts';
import { listMoves } from './store/moves.ts';
import { withCells, withThisCell } from './store/open-cells.ts';

const idOf = (word: string | undefined): string => {
  if (!word || !isUuid(word)) throw new Misuse();
  // Locks, publications and slots are named by it, as a text.
  return word.toLowerCase();
};

const addressOf = (word = ''): string => {
  const url = URL.canParse(word) ? new URL(word) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') throw new Misuse();
  const isThisMachine = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isThisMachine)
    throw new Error(
      `What is led to ${url.origin} has the secrets of callers in it: name it by https.`,
    );
  return url.origin;
};

export const operatorCommands: OperatorCommands = {
  use: `
  begin-cell <address of this cell> <address of the other>
                               gives a new cell the keys of this one, and makes them known to each other
  cells                        the id of this cell, and the others with their addresses
  cell-address <cellId> <address>
                               where another cell is asked from now on; run it in each cell that knows it
  compare-cells                asks the others whether they agree who serves which merchant
  move-merchant <merchantId>   carries a merchant to the other cell; after a kill run it again
  cancel-move <merchantId>     ends a move before the other cell has opened the merchant
  abandon-move <merchantId>    the same without the other cell, which is lost
  settle-move <merchantId>     after a restore: where two cells differ, the later move is right
  moves                        the last move of each merchant
  remove-moved <merchantId>    removes what stays here, closed, of a merchant that has moved
  cell-map                     the map of a proxy that leads secrets and links to cells`,
  run: {
    'begin-cell': (tools, [ofThis, ofOther]) =>
      withCells(tools, (cells) =>
        beginCell(tools, cells, { ofThis: addressOf(ofThis), ofOther: addressOf(ofOther) }),
      ),
    cells: (tools) => describeCells(tools),
    'cell-address': (tools, [cellId, address]) =>
      changeCellAddress(tools, idOf(cellId), addressOf(address)),
    'compare-cells': async (tools) => {
      await requireAgreement(tools, []);
      return 'The cells agree who serves which merchant.';
    },
    'move-merchant': (tools, [merchantId]) => moveMerchant(tools, idOf(merchantId)),
    'cancel-move': (tools, [merchantId]) => cancelMove(tools, idOf(merchantId)),
    'abandon-move': (tools, [merchantId, stated]) => abandonMove(tools, idOf(merchantId), stated),
    'settle-move': (tools, [merchantId]) => settleMove(tools, idOf(merchantId)),
    moves: (tools) => describeMoves(tools),
    'remove-moved': (tools, [merchantId]) => removeMoved(tools, idOf(merchantId)),
    'cell-map': (tools) => writeCellMap(tools),
  },
};

const describeMoves = (tools: CommandTools): Promise<string> =>
  withThisCell(tools, async (here) =>
    (await listMoves(here))
      .map(({ merchant_id, version, status, other_cell_id, address, changed_at }) =>
        [merchant_id, version, status, other_cell_id, address, changed_at.toISOString()].join('  '),
      )
      .join('\n'),
  );
