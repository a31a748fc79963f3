import { operatorCommands } from './commands.ts';
import { operatorRoutes } from './operator-routes.ts';

// What the programs mount

export const stuckWorkModule = {
  name: 'stuck-work',
  operatorRoutes: [operatorRoutes],
  operatorCommands,
};
