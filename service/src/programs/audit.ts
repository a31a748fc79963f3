import { verifyAudit } from './commands/verify-audit.ts';
import { commandProcess } from './process/command-process.ts';
import { runProgram } from './process/stop-on-signal.ts';

runProgram(() => verifyAudit(process.argv.slice(2), commandProcess()));
