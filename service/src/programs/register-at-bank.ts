import { registerFirm } from './commands/register-firm.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => registerFirm(process.argv.slice(2), commandProcess()));
