import { auditJobs } from './chain.ts';
import { operatorCommands } from './commands.ts';
import { memberRoutes, operatorRoutes } from './routes.ts';

// What the programs mount

export const auditModule = {
  name: 'audit',
  migrations: ['0005_audit.sql'],
  routes: [memberRoutes],
  operatorRoutes: [operatorRoutes],
  jobs: [auditJobs],
  operatorCommands,
};

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
export { showHead, verifyChain } from './chain.ts';
// Routes
export { listAuditRecords } from './routes.ts';
