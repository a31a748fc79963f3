import { operate } from './commands/operate.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => operate(process.argv.slice(2), commandProcess()));
