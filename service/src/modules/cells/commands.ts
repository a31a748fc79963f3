import { isUuid } from '#kernel/is-uuid.ts';
import { type CommandTools, Misuse, type OperatorCommands } from '#platform/command.ts';
import { beginCell } from './check-cells.ts';
import { cancelMove, moveMerchant, removeMoved } from './move-merchant.ts';
import { writeCellMap } from './store/cell-map.ts';
import { listMoves } from './store/moves.ts';
import { withCells } from './store/open-cells.ts';

const merchantIdOf = (word: string | undefined): string => {
  if (!word || !isUuid(word)) throw new Misuse();
  return word;
};

const addressOf = (word = ''): string => {
  const url = URL.canParse(word) ? new URL(word) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/') throw new Misuse();
  return url.origin;
};

export const operatorCommands: OperatorCommands = {
  use: `
  begin-cell                   gives a new cell the keys of purposes of this one
  move-merchant <merchantId> <address>
                               carries a merchant to the cell that is reached at this address; after a kill
                               run it again
  cancel-move <merchantId>     ends a move before the other cell has opened the merchant
  moves                        the last move of each merchant
  remove-moved <merchantId>    removes what stays here, closed, of a merchant that has moved
  cell-map                     the map of a proxy that leads secrets and links to cells`,
  run: {
    'begin-cell': (tools) => withCells(tools, (cells) => beginCell(tools, cells)),
    'move-merchant': (tools, [merchantId, address]) =>
      moveMerchant(tools, merchantIdOf(merchantId), addressOf(address)),
    'cancel-move': (tools, [merchantId]) => cancelMove(tools, merchantIdOf(merchantId)),
    moves: (tools) => describeMoves(tools),
    'remove-moved': (tools, [merchantId]) => removeMoved(tools, merchantIdOf(merchantId)),
    'cell-map': writeCellMap,
  },
};

const describeMoves = (tools: CommandTools): Promise<string> =>
  withCells(tools, async ({ here }) =>
    (await listMoves(here))
      .map(({ merchant_id, status, address, changed_at }) =>
        [merchant_id, status, address, changed_at.toISOString()].join('  '),
      )
      .join('\n'),
  );
