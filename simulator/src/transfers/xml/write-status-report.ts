import { type Html, html as xml } from '#simulator/bank/pages/html.ts';
import type { Transfer, TransferStep } from '../model.ts';
import { writeDocument } from './write-document.ts';

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
): string => write(header, undefined, reported);

// One status for the whole batch and none for its transfers.
export const writeBatchStatus = (header: ReportHeader, step: TransferStep): string =>
  write(header, xml`<GrpSts>${step.status}</GrpSts>${reasonOf(step)}`, []);

const write = (
  { messageId, createdAt, originalMessageId }: ReportHeader,
  groupStatus: Html | undefined,
  reported: readonly ReportedTransfer[],
): string => {
  const instruction = xml`<OrgnlPmtInfAndSts>
    <OrgnlPmtInfId>${originalMessageId}</OrgnlPmtInfId>${reported.map(transferElement)}
  </OrgnlPmtInfAndSts>`;
  return writeDocument(
    'pain.002.001.10',
    xml`<CstmrPmtStsRpt>
  <GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${createdAt.toISOString()}</CreDtTm></GrpHdr>
  <OrgnlGrpInfAndSts>
    <OrgnlMsgId>${originalMessageId}</OrgnlMsgId>
    <OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${groupStatus}
  </OrgnlGrpInfAndSts>
  ${reported.length > 0 ? instruction : undefined}
</CstmrPmtStsRpt>`,
  );
};

const transferElement = ({ transfer, step }: ReportedTransfer): Html => xml`<TxInfAndSts>
      <OrgnlInstrId>${transfer.endToEndId}</OrgnlInstrId>
      <OrgnlEndToEndId>${transfer.endToEndId}</OrgnlEndToEndId>
      <TxSts>${step.status}</TxSts>${reasonOf(step)}
      <AcctSvcrRef>${transfer.bankReference}</AcctSvcrRef>
    </TxInfAndSts>`;

const reasonOf = ({ reason }: TransferStep): Html | undefined =>
  reason === undefined ? undefined : xml`<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`;
