import { operatorCommands } from './commands.ts';

// What the programs mount

export const cellsModule = { name: 'cells', migrations: ['0019_cells.sql'], operatorCommands };

// What its states are

export { arrivingLifecycle, leavingLifecycle } from './move-lifecycle.ts';
