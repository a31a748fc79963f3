import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';
import { outsideText } from '#platform/card-numbers/outside-text.ts';
import type { AccountReport, StatusReport, UnreadableMessage } from '#rails/transfer-rail.ts';
import { readXml } from '../xml/read-xml.ts';
import { UnreadableXml } from '../xml/unreadable-xml.ts';
import { readAccountReport } from './read-account-report.ts';
import { readStatusReport } from './read-status-report.ts';

const maxShownCharacters = 20_000;

/** Reads any text of the bank as a message. An unreadable one is a result too, never a throw. */
export const readMessage = (text: string): StatusReport | AccountReport | UnreadableMessage => {
  try {
    return readContent(text);
  } catch (error) {
    const reason = (error as Error).message;
    return unreadable(
      error instanceof UnreadableXml ? reason : `Our reader fails: ${reason}`,
      text,
    );
  }
};

export const unreadable = (reason: string, text: string): UnreadableMessage => ({
  kind: 'UNREADABLE',
  reason: outsideText(reason) ?? '',
  text: maskCardNumbers(text.slice(0, maxShownCharacters)).replace(unstorable, '\ufffd'),
});

// PostgreSQL takes neither NUL nor half a character.
const unstorable = /[\0\p{Cs}]/gu;

const accountReports = [
  ['BkToCstmrAcctRpt', /:camt\.052\.001\.\d\d$/],
  ['BkToCstmrStmt', /:camt\.053\.001\.\d\d$/],
  ['BkToCstmrDbtCdtNtfctn', /:camt\.054\.001\.\d\d$/],
] as const;

const readContent = (text: string): StatusReport | AccountReport => {
  const document = readXml(text);
  const { name, namespace } = document;
  if (name !== 'Document') throw new UnreadableXml(`The root element is ${name}, not Document.`);
  const status = document.find('CstmrPmtStsRpt');
  if (status && /:pain\.002\.001\.\d\d$/.test(namespace)) return readStatusReport(status);
  for (const [element, pattern] of accountReports) {
    const report = document.find(element);
    if (report && pattern.test(namespace)) return readAccountReport(report);
  }
  throw new UnreadableXml(`It is no message that is expected here: ${namespace.slice(0, 80)}`);
};
