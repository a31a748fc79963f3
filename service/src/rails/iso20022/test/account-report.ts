import { element, type XmlNode } from '../xml.ts';
import { bankDocument, header } from './bank-document.ts';

/** A camt.052 of the collecting account, overdrawn by fifty pounds. */
export const accountReport = (...entries: readonly XmlNode[]): string =>
  bankDocument(
    'camt.052.001.08',
    element('BkToCstmrAcctRpt', [
      header,
      element('Rpt', [
        element('Id', 'BANK-1'),
        element('Acct', [
          accountId('00000190'),
          element('Ccy', 'GBP'),
          element('Svcr', [agent('180002')]),
        ]),
        element('Bal', [
          element('Tp', [element('CdOrPrtry', [element('Cd', 'ITBD')])]),
          pounds('50.00'),
          element('CdtDbtInd', 'DBIT'),
          element('Dt', [element('Dt', '2026-11-22')]),
        ]),
        ...entries,
      ]),
    ]),
  );

type Part = { readonly endToEndId: string; readonly amount: string };

type Entry = {
  readonly endToEndId?: string;
  readonly amount?: string;
  readonly name?: string;
  readonly returned?: string;
  readonly parts?: readonly Part[];
};

export const entry = (facts: Entry): XmlNode => {
  const { amount = '10.00', parts } = facts;
  return element('Ntry', [
    pounds(amount),
    element('CdtDbtInd', 'CRDT'),
    element('Sts', [element('Cd', 'BOOK')]),
    element('BookgDt', [element('DtTm', '2026-11-22T06:59:00Z')]),
    element('AcctSvcrRef', 'R1'),
    element('BkTxCd', []),
    element('NtryDtls', parts ? parts.map(partOf) : [detailsOf(facts)]),
  ]);
};

const pounds = (amount: string): XmlNode => element('Amt', amount, { Ccy: 'GBP' });

const partOf = ({ endToEndId, amount }: Part): XmlNode =>
  element('TxDtls', [element('Refs', [element('EndToEndId', endToEndId)]), pounds(amount)]);

const detailsOf = ({ endToEndId = 'E1', name = 'Ada Ashdown', returned }: Entry): XmlNode =>
  element('TxDtls', [
    element('Refs', [element('EndToEndId', endToEndId)]),
    element('RltdPties', [
      element('Dbtr', [element('Pty', [element('Nm', name)])]),
      element('DbtrAcct', [accountId('12345678')]),
    ]),
    element('RltdAgts', [element('DbtrAgt', [agent('001002')])]),
    element('RmtInf', [element('Ustrd', 'ORDER 7')]),
    returned !== undefined && element('RtrInf', [element('Rsn', [element('Cd', returned)])]),
  ]);

const accountId = (accountNumber: string): XmlNode =>
  element('Id', [element('Othr', [element('Id', accountNumber)])]);

const agent = (sortCode: string): XmlNode =>
  element('FinInstnId', [
    element('ClrSysMmbId', [
      element('ClrSysId', [element('Cd', 'GBDSC')]),
      element('MmbId', sortCode),
    ]),
  ]);
