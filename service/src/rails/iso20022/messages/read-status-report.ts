import type { ReportedStatus, StatusReport, TransferStatus } from '#rails/transfer-rail.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { classifyStatus } from './classify-status.ts';
import { checkReference, readReason, readTime } from './read-parts.ts';

/** pain.002: the bank's report about a submitted batch. */
export const readStatusReport = (report: XmlReader): StatusReport => {
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
