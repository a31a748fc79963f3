import { element } from '../xml.ts';
import { bankDocument, header } from './bank-document.ts';

type Status = {
  readonly status?: string;
  readonly reason?: string;
  readonly group?: string;
  readonly groupReason?: string;
};

/** A pain.002 as another bank than the simulated one would write it. */
export const statusReport = ({ status, reason, group, groupReason }: Status): string => {
  const original = element('OrgnlGrpInfAndSts', [
    element('OrgnlMsgId', 'MSG-1'),
    element('OrgnlMsgNmId', 'pain.001.001.09'),
    group !== undefined && element('GrpSts', group),
    reasonOf(groupReason),
  ]);
  const transfer =
    status !== undefined &&
    element('TxInfAndSts', [
      element('OrgnlEndToEndId', 'E1'),
      element('TxSts', status),
      reasonOf(reason),
    ]);
  const instruction =
    transfer && element('OrgnlPmtInfAndSts', [element('OrgnlPmtInfId', 'MSG-1'), transfer]);
  return bankDocument(
    'pain.002.001.10',
    element('CstmrPmtStsRpt', [header, original, instruction]),
  );
};

const reasonOf = (code: string | undefined) =>
  code !== undefined && element('StsRsnInf', [element('Rsn', [element('Cd', code)])]);
