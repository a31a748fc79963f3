import { cellRoutes } from './ask-cell.ts';
import { operatorCommands } from './commands.ts';

// What the programs mount

export const cellsModule = {
  name: 'cells',
  migrations: ['0019_cells.sql'],
  operatorCommands,
  railCalls: [cellRoutes],
};

// What the operator confirms after a restore

export { raiseAboveCells, requireAgreement } from './compare-cells.ts';

// What a new master key encrypts again

export { reencryptClosed } from './reencrypt-closed.ts';

// What its states are

export { arrivingLifecycle, leavingLifecycle } from './move-lifecycle.ts';
