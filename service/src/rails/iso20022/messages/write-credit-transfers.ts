import type { Pence } from '#kernel/pence.ts';
import { addPence, poundsText } from '#kernel/pence.ts';
import type { Transfer, TransferAccount, TransferBatch } from '#rails/transfer-rail.ts';
import type { BankTemplate } from '../bank-template.ts';
import { element, writeXml, type XmlNode } from '../xml/write-xml.ts';
import { fitText } from './fit-text.ts';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** A batch as pain.001.001.09. The same batch and template always give the same text. */
export const writeCreditTransfers = (batch: TransferBatch, template: BankTemplate): string => {
  const sum = poundsText(addPence(...batch.transfers.map(({ amountPence }) => amountPence)));
  const totals = [element('NbOfTxs', String(batch.transfers.length)), element('CtrlSum', sum)];
  const header = element('GrpHdr', [
    element('MsgId', batch.messageId),
    element('CreDtTm', batch.createdAt.toISOString()),
    ...totals,
    initiatingParty(template),
  ]);
  const instruction = element('PmtInf', [
    element('PmtInfId', batch.messageId),
    element('PmtMtd', 'TRF'),
    element('BtchBookg', String(template.batchBooking)),
    ...totals,
    element('PmtTpInf', [element('SvcLvl', [element('Cd', template.serviceLevel)])]),
    element('ReqdExctnDt', [element('Dt', batch.executionDate)]),
    element('Dbtr', [name(batch.debtor.name, template)]),
    element('DbtrAcct', [accountId(batch.debtor, template), element('Ccy', 'GBP')]),
    element('DbtrAgt', [agent(batch.debtor)]),
    element('ChrgBr', template.chargeBearer),
    ...batch.transfers.map((transfer) => transferOf(transfer, template)),
  ]);
  const initiation = element('CstmrCdtTrfInitn', [header, instruction]);
  return writeXml(element('Document', [initiation], { xmlns: namespace }));
};

const initiatingParty = ({ initiatingParty: { name: own, id } }: BankTemplate): XmlNode =>
  element('InitgPty', [
    element('Nm', fitText(own, 140)),
    element('Id', [element('OrgId', [element('Othr', [element('Id', id)])])]),
  ]);

const transferOf = (transfer: Transfer, template: BankTemplate): XmlNode =>
  element('CdtTrfTxInf', [
    element('PmtId', [
      element('InstrId', transfer.endToEndId),
      element('EndToEndId', transfer.endToEndId),
    ]),
    element('Amt', [amount(transfer.amountPence)]),
    transfer.onBehalfOf && ultimateDebtor(transfer.onBehalfOf, template),
    element('CdtrAgt', [agent(transfer.creditor)]),
    element('Cdtr', [name(transfer.creditor.name, template)]),
    element('CdtrAcct', [accountId(transfer.creditor, template)]),
    remittance(transfer.reference, template),
  ]);

const amount = (amountPence: Pence): XmlNode =>
  element('InstdAmt', poundsText(amountPence), { Ccy: 'GBP' });

const ultimateDebtor = (
  { id, name: own }: NonNullable<Transfer['onBehalfOf']>,
  template: BankTemplate,
): XmlNode => {
  const fitted = fitText(own, template.maxNameLength);
  const identity = element('OrgId', [element('Othr', [element('Id', id.slice(0, 35))])]);
  return element('UltmtDbtr', [fitted !== '' && element('Nm', fitted), element('Id', [identity])]);
};

const name = (text: string, { maxNameLength }: BankTemplate): XmlNode =>
  element('Nm', fitText(text, maxNameLength));

const accountId = (
  { accountNumber }: TransferAccount,
  { accountScheme }: BankTemplate,
): XmlNode => {
  const scheme =
    'code' in accountScheme
      ? element('Cd', accountScheme.code)
      : element('Prtry', accountScheme.proprietary);
  return element('Id', [
    element('Othr', [element('Id', accountNumber), element('SchmeNm', [scheme])]),
  ]);
};

/** A UK bank is known by the sort code: GBDSC is the UK domestic sort code scheme. */
const agent = ({ sortCode }: TransferAccount): XmlNode =>
  element('FinInstnId', [
    element('ClrSysMmbId', [
      element('ClrSysId', [element('Cd', 'GBDSC')]),
      element('MmbId', sortCode),
    ]),
  ]);

const remittance = (text: string, template: BankTemplate): XmlNode => {
  const reference = fitText(text, template.maxReferenceLength);
  if (template.referenceAs === 'UNSTRUCTURED')
    return element('RmtInf', [element('Ustrd', reference)]);
  const creditorReference = element('CdtrRefInf', [element('Ref', reference)]);
  return element('RmtInf', [element('Strd', [creditorReference])]);
};
