// Records of acts

export {
  auditCallers,
  auditPerson,
  auditVisitor,
  readAnswer,
  recordStranger,
} from './audit-callers.ts';
export type { Act, Detail } from './audited.ts';
export { audited, caught, detailOf, idsOf, namesOfOthers, recordRefusal } from './audited.ts';
// The chain
export type { NotedHead } from './chain.ts';
export { auditJobs, showHead, verifyChain } from './chain.ts';
// Routes
export { listAuditRecords, memberRoutes, operatorRoutes } from './routes.ts';
