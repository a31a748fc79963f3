// Who operates, and what was done

export { type AuditRecord, audited } from './audited.ts';
export { createOperatorSecret } from './create-operator-secret.ts';
export { auditedCall, guardOperators } from './guard-operators.ts';
export { listAuditRecords } from './list-audit-records.ts';
export { listOperatorSecrets } from './list-operator-secrets.ts';
// Routes
export { operatorRoutes } from './operator-routes.ts';
export { revokeOperatorSecret } from './revoke-operator-secret.ts';
