import { maskCardNumbers, outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import type {
  AccountReport,
  ReportedStatus,
  StatusReport,
  TransferStatus,
  UnreadableMessage,
} from '#rails/transfer-rail.ts';
import { readXml, UnreadableXml, type XmlReader } from '../xml.ts';
import { readAccountReport } from './read-account-report.ts';
import { checkReference, readReason, readTime } from './read-parts.ts';

const settled: ReadonlySet<string> = new Set(['ACSC', 'ACCC', 'ACWP']);
const rejected: ReadonlySet<string> = new Set(['RJCT', 'CANC', 'BLCK']);

/** An unknown code stays in progress: only certain outcomes move money in the books. */
const classifyStatus = (isoCode: string): ReportedStatus['stage'] => {
  if (settled.has(isoCode)) return 'SETTLED';
  return rejected.has(isoCode) ? 'REJECTED' : 'IN_PROGRESS';
};

/** pain.002: the bank's report about a submitted batch. */
const readStatusReport = (report: XmlReader): StatusReport => {
  const original = ['OrgnlGrpInfAndSts'] as const;
  const instructions = report.all('OrgnlPmtInfAndSts');
  const group = report.find(...original);
  const ofGroup = group && statusOf(group, 'GrpSts');
  const [instruction, another] = instructions;
  // A batch is one payment information, so its status is that of the batch.
  const ofInstruction = instruction && !another ? statusOf(instruction, 'PmtInfSts') : null;
  return {
    kind: 'STATUS_REPORT',
    messageId: checkReference(report.required('GrpHdr', 'MsgId')),
    createdAt: readTime(report.required('GrpHdr', 'CreDtTm')),
    originalMessageId: checkReference(report.required(...original, 'OrgnlMsgId')),
    batch: ofGroup ?? ofInstruction,
    transfers: instructions.flatMap((one) => one.all('TxInfAndSts').flatMap(transferOf)),
  };
};

const statusOf = (node: XmlReader, element: string): ReportedStatus | null => {
  const isoCode = node.textAt(element);
  if (!isoCode) return null;
  return {
    stage: classifyStatus(isoCode),
    isoCode,
    reason: readReason(node.find('StsRsnInf', 'Rsn')),
    bankReference: node.textAt('AcctSvcrRef'),
  };
};

const transferOf = (node: XmlReader): readonly TransferStatus[] => {
  const endToEndId = checkReference(
    node.textAt('OrgnlEndToEndId') ?? node.required('OrgnlInstrId'),
  );
  const status = statusOf(node, 'TxSts');
  return status ? [{ endToEndId, ...status }] : [];
};

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
