// Who operates

export { auditedCall, guardOperators } from './guard-operators.ts';
export {
  createOperatorSecret,
  listOperatorSecrets,
  revokeOperatorSecret,
} from './operator-secrets.ts';
