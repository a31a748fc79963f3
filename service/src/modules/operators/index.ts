import { operatorCommands } from './commands.ts';

// What the programs mount

export const operatorsModule = { name: 'operators', operatorCommands };

// Who operates

export { auditedCall, guardOperators } from './guard-operators.ts';
export {
  createOperatorSecret,
  listOperatorSecrets,
  revokeOperatorSecret,
} from './operator-secrets.ts';
