import { promoteStandby } from './installation/promote-standby.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => promoteStandby(commandProcess()));
