import type { Account, BookedEntry, NamedAccount } from '../model.ts';
import { amountElement, element, writeDocument, type XmlNode } from './xml-node.ts';

export type AccountReport = {
  readonly messageId: string;
  readonly createdAt: Date;
  readonly account: Account;
  readonly balancePence: bigint;
  readonly entries: readonly BookedEntry[];
};

export const writeAccountReport = (report: AccountReport): string => {
  const { messageId, account, balancePence, entries } = report;
  const createdAt = element('CreDtTm', report.createdAt.toISOString());
  const content = element('BkToCstmrAcctRpt', [
    element('GrpHdr', [element('MsgId', messageId), createdAt]),
    element('Rpt', [
      element('Id', messageId),
      createdAt,
      element('Acct', [
        accountId(account),
        element('Ccy', 'GBP'),
        element('Svcr', [agent(account)]),
      ]),
      balance(balancePence, report.createdAt),
      ...entries.map(entryElement),
    ]),
  ]);
  return writeDocument('camt.052.001.08', content);
};

const balance = (pence: bigint, at: Date): XmlNode =>
  element('Bal', [
    element('Tp', [element('CdOrPrtry', [element('Cd', 'ITBD')])]),
    amountElement('Amt', pence < 0n ? -pence : pence),
    element('CdtDbtInd', pence < 0n ? 'DBIT' : 'CRDT'),
    element('Dt', [element('DtTm', at.toISOString())]),
  ]);

const entryElement = (entry: BookedEntry): XmlNode => {
  const at = [element('DtTm', entry.statedAt.toISOString())];
  const reference = `SIM${entry.id.toString().padStart(12, '0')}`;
  return element('Ntry', [
    element('NtryRef', reference),
    amountElement('Amt', entry.amountPence),
    element('CdtDbtInd', entry.direction),
    entry.kind === 'reversal' && element('RvslInd', 'true'),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', at),
    element('ValDt', at),
    element('AcctSvcrRef', reference),
    transactionCode(entry),
    element('NtryDtls', [details(entry)]),
  ]);
};

// Received or issued credit transfer, domestic.
const transactionCode = ({ direction }: BookedEntry): XmlNode => {
  const family = direction === 'CRDT' ? 'RCDT' : 'ICDT';
  const fine = element('Fmly', [element('Cd', family), element('SubFmlyCd', 'DMCT')]);
  return element('BkTxCd', [element('Domn', [element('Cd', 'PMNT'), fine])]);
};

const details = (entry: BookedEntry): XmlNode => {
  const endToEndId = entry.showsId ? entry.endToEndId : undefined;
  const role = entry.direction === 'CRDT' ? 'Dbtr' : 'Cdtr';
  return element('TxDtls', [
    element('Refs', [element('EndToEndId', endToEndId ?? 'NOTPROVIDED')]),
    element('RltdPties', [party(role, entry.counterparty), partyAccount(role, entry.counterparty)]),
    element('RltdAgts', [element(`${role}Agt`, [agent(entry.counterparty)])]),
    element('RmtInf', [element('Ustrd', entry.reference || 'NONE')]),
    entry.reason !== undefined &&
      element('RtrInf', [element('Rsn', [element('Cd', entry.reason)])]),
  ]);
};

const party = (role: string, { name }: NamedAccount): XmlNode =>
  element(role, [element('Pty', [element('Nm', name.slice(0, 140) || 'UNKNOWN')])]);

const partyAccount = (role: string, account: NamedAccount): XmlNode =>
  element(`${role}Acct`, [accountId(account)]);

const accountId = ({ accountNumber }: Account): XmlNode =>
  element('Id', [
    element('Othr', [element('Id', accountNumber), element('SchmeNm', [element('Cd', 'BBAN')])]),
  ]);

const agent = ({ sortCode }: Account): XmlNode =>
  element('FinInstnId', [
    element('ClrSysMmbId', [
      element('ClrSysId', [element('Cd', 'GBDSC')]),
      element('MmbId', sortCode),
    ]),
  ]);
