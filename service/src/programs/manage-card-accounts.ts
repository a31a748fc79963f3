import { manageCardAccounts } from './commands/manage-card-accounts.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => manageCardAccounts(process.argv.slice(2), commandProcess()));
