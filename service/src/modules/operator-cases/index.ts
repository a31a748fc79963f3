// Open a case

// Work without a caller
export { operatorCaseJobs } from './jobs.ts';
// Show and resolve cases, by command and by API
export { listCases, showCase } from './list-cases.ts';
export type { CaseKind, OperatorCase, TenantCase } from './operator-case.ts';
export { operatorRoutes } from './operator-routes.ts';
export { resolveCase, resolveCaseOf } from './resolve-case.ts';
export { reportDueAt } from './store/cases.ts';
export { failedCaseMails, sendCaseAgain } from './store/failed-mails.ts';
export { casesValue, openCases, openCasesCtes } from './store/open-cases.ts';
export {
  type ResolvedCase,
  resolveCasesCtes,
  resolvedCasesValue,
} from './store/resolve-cases-ctes.ts';
