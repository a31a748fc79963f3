// Records of acts

export type { Act } from './act.ts';
export {
  auditCallers,
  auditPerson,
  auditVisitor,
  readAnswer,
  recordStranger,
} from './audit-callers.ts';
export { audited, caught, recordRefusal } from './audited.ts';

// The chain
export type { NotedHead } from './check-record.ts';
export { idsOf } from './detail-of.ts';
export { auditJobs } from './jobs.ts';
export { listAuditRecords } from './list-audit-records.ts';
// Routes
export { memberRoutes } from './member-routes.ts';
export { operatorRoutes } from './operator-routes.ts';
export { showHead } from './seal-head.ts';
export { verifyChain } from './verify-chain.ts';
