import { validateMessage } from '../../../service/src/rails/iso20022/test/validate-message.ts';
import { type HubMessage, type Outside, openSimulatorControl } from './open-simulator-control.ts';

/** Messages that passed between us and the hub, and break the schema of their kind. */
export const findInvalidMessages = async (outside: Outside): Promise<readonly string[]> => {
  const control = await openSimulatorControl(outside);
  return invalidAmong(await control.hubMessages());
};

export const invalidAmong = (messages: readonly HubMessage[]): readonly string[] =>
  messages.flatMap((message) => {
    if (isMeantToBreak(message)) return [];
    try {
      validateMessage(message.text);
      return [];
    } catch (error) {
      return [`${message.key} breaks its schema: ${(error as Error).message.trim()}`];
    }
  });

/** The hub cuts one off on purpose (SIM-MALFORMED): it has to be put aside as unreadable. */
const isMeantToBreak = ({ text, quarantineReason }: HubMessage): boolean =>
  !text.trimEnd().endsWith('</Document>') &&
  quarantineReason !== null &&
  quarantineReason.startsWith('It cannot be read');
