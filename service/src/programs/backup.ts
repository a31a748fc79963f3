import { keepBackup } from './backup/keep-backup.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => keepBackup(process.argv.slice(2), commandProcess()));
