// Open a case

// Work without a caller
export { operatorCaseJobs } from './jobs.ts';
export type { CaseKind, OperatorCase, TenantCase } from './operator-case.ts';
// Show and resolve cases, by command and by API
export { listCases, operatorRoutes, resolveCase, resolveCaseOf, showCase } from './routes.ts';
export {
  casesValue,
  failedCaseMails,
  openCases,
  openCasesCtes,
  type ResolvedCase,
  reportDueAt,
  resolveCasesCtes,
  resolvedCasesValue,
  sendCaseAgain,
} from './store.ts';
