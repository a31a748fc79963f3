import { operatorCommands } from './commands.ts';
import { operatorCaseJobs } from './jobs.ts';
import { operatorRoutes } from './routes.ts';
import { reportDueAt } from './store.ts';

// What the programs mount

export const operatorCasesModule = {
  name: 'operator-cases',
  migrations: ['0014_cases_and_stuck_work.sql'],
  operatorRoutes: [operatorRoutes],
  jobs: [operatorCaseJobs],
  dueAt: { reportOperatorCases: reportDueAt },
  operatorCommands,
};

// Work without a caller
export type { CaseKind, OperatorCase, TenantCase } from './operator-case.ts';
// Show and resolve cases, by command and by API
export { listCases, operatorRoutes, resolveCase, resolveCaseOf, showCase } from './routes.ts';
export {
  casesValue,
  failedCaseMails,
  openCases,
  openCasesCtes,
  type ResolvedCase,
  resolveCasesCtes,
  resolvedCasesValue,
  sendCaseAgain,
} from './store.ts';
