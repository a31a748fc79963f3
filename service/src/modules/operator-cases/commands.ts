import { Misuse, type OperatorCommands } from '#platform/command.ts';
import { listCases, resolveCase, showCase } from './routes.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  cases [open|resolved]        what needs a person
  case <caseId>                one of them, with its history
  resolve <caseId> "<text>"    close it: what became of it`,
  run: {
    cases: async (tools, [word = 'open']) => {
      if (word !== 'open' && word !== 'resolved') throw new Misuse();
      const cases = await listCases(tools, word === 'open' ? 'OPEN' : 'RESOLVED');
      if (cases.length === 0) return `No case is ${word}.`;
      return cases
        .map(({ caseId, openedAt, kind, subject, description }) =>
          [caseId, openedAt, kind, subject, description].join('  '),
        )
        .join('\n');
    },
    case: async (tools, [caseId = '']) => JSON.stringify(await showCase(tools, caseId), null, 2),
    resolve: async (tools, [caseId = '', resolution = '']) => {
      if (resolution.trim() === '') throw new Misuse();
      const { kind } = await resolveCase(tools, caseId, { actor: tools.actor, resolution });
      return `${kind} is resolved.`;
    },
  },
};
