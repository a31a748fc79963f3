// Who operates

export { createOperatorSecret } from './create-operator-secret.ts';
export { auditedCall, guardOperators } from './guard-operators.ts';
export { listOperatorSecrets } from './list-operator-secrets.ts';
export { revokeOperatorSecret } from './revoke-operator-secret.ts';
