import { merchantCommands } from './commands.ts';
import { exportRoutes } from './write-export.ts';

// What the programs mount

export const exportsModule = { name: 'exports', streams: [exportRoutes], merchantCommands };
