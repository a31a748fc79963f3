import { configureMerchant } from './commands/configure-merchant.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => configureMerchant(process.argv.slice(2), commandProcess()));
