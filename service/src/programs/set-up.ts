import { setUp } from './installation/set-up.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => setUp(process.argv.slice(2), commandProcess()));
