import { Misuse, type OperatorCommands } from '#platform/command.ts';
import {
  createOperatorSecret,
  listOperatorSecrets,
  revokeOperatorSecret,
} from './operator-secrets.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  create-operator-secret "<name>" [<expires at>]
                               a secret for the operator API
  operator-secrets             list them
  revoke-operator-secret <id>  at once, in every process`,
  run: {
    'create-operator-secret': async (tools, [name = '', expires]) => {
      const expiresAt = expires === undefined ? null : new Date(expires);
      if (expiresAt && Number.isNaN(expiresAt.getTime())) throw new Misuse();
      const made = await createOperatorSecret(tools, name, expiresAt);
      return `Operator secret ${made.operatorSecretId}, shown this once:\n\n${made.secret}`;
    },
    'operator-secrets': async (tools) =>
      (await listOperatorSecrets(tools))
        .map(({ operatorSecretId, name, lastFour, expiresAt, revokedAt }) => {
          const ends = expiresAt ? `until ${expiresAt}` : 'active';
          return [operatorSecretId, name, `…${lastFour}`, revokedAt ? 'revoked' : ends].join('  ');
        })
        .join('\n'),
    'revoke-operator-secret': async (tools, [operatorSecretId = '']) =>
      `The operator secret of ${await revokeOperatorSecret(tools, operatorSecretId)} is revoked.`,
  },
};
