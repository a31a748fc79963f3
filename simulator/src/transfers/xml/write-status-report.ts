import type { Transfer, TransferStep } from '../model.ts';
import { element, writeDocument, type XmlNode } from './xml-node.ts';

type ReportHeader = {
  readonly messageId: string;
  readonly createdAt: Date;
  readonly originalMessageId: string;
};

type ReportedTransfer = {
  readonly transfer: Transfer;
  readonly step: TransferStep;
};

export const writeStatusReport = (
  header: ReportHeader,
  reported: readonly ReportedTransfer[],
): string => write(header, [], reported);

// One status for the whole batch and none for its transfers.
export const writeBatchStatus = (header: ReportHeader, step: TransferStep): string =>
  write(header, [element('GrpSts', step.status), ...reasonOf(step)], []);

const write = (
  { messageId, createdAt, originalMessageId }: ReportHeader,
  groupStatus: readonly XmlNode[],
  reported: readonly ReportedTransfer[],
): string => {
  const group = element('OrgnlGrpInfAndSts', [
    element('OrgnlMsgId', originalMessageId),
    element('OrgnlMsgNmId', 'pain.001.001.09'),
    ...groupStatus,
  ]);
  const instruction = element('OrgnlPmtInfAndSts', [
    element('OrgnlPmtInfId', originalMessageId),
    ...reported.map(transferElement),
  ]);
  const report = element('CstmrPmtStsRpt', [
    element('GrpHdr', [element('MsgId', messageId), element('CreDtTm', createdAt.toISOString())]),
    group,
    reported.length > 0 && instruction,
  ]);
  return writeDocument('pain.002.001.10', report);
};

const transferElement = ({ transfer, step }: ReportedTransfer): XmlNode =>
  element('TxInfAndSts', [
    element('OrgnlInstrId', transfer.endToEndId),
    element('OrgnlEndToEndId', transfer.endToEndId),
    element('TxSts', step.status),
    ...reasonOf(step),
    element('AcctSvcrRef', transfer.bankReference),
  ]);

const reasonOf = ({ reason }: TransferStep): readonly XmlNode[] =>
  reason === undefined ? [] : [element('StsRsnInf', [element('Rsn', [element('Cd', reason)])])];
