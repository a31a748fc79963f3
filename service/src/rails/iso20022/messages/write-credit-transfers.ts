import { addPence, type Pence, poundsText } from '#kernel/pence.ts';
import type { Transfer, TransferAccount, TransferBatch } from '#rails/transfer-rail.ts';
import type { BankTemplate } from '../channel.ts';
import { element, writeXml, type XmlNode } from '../xml.ts';

/** What every UK bank carries in names and references. */
const allowedPattern = /[^A-Za-z0-9/\-?:().,'+ ]/g;

const replacements: Readonly<Record<string, string>> = {
  '&': '+',
  _: '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '`': "'",
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
};

/**
 * Text as a bank accepts it: accents are removed, other signs become blanks, and it is cut to
 * length. Fitting twice changes nothing. Empty when nothing is left.
 */
export const fitText = (text: string, maxLength: number): string => {
  const replaced = [...text].map((sign) => replacements[sign] ?? sign).join('');
  const plain = replaced.normalize('NFKD').replace(/\p{M}/gu, '').replace(allowedPattern, ' ');
  return trim(trim(plain.replace(/\/{2,}/g, '/').replace(/ +/g, ' ')).slice(0, maxLength));
};

/** A leading or closing slash, or two in a row, ends a message at banks of the older formats. */
const trim = (text: string): string => text.replace(/^[ /]+|[ /]+$/g, '');

type BatchMistake = { readonly description: string; readonly endToEndId: string | null };

const maxPence = 100_000_000n;

/** Everything that a bank would reject the batch for, found before it is sent. */
export const checkBatch = (
  batch: TransferBatch,
  template: BankTemplate,
): readonly BatchMistake[] => {
  const ofBatch = (description: string): BatchMistake => ({ description, endToEndId: null });
  const seen = new Set<string>();
  const repeated = batch.transfers.filter(({ endToEndId }) => {
    const isRepeated = seen.has(endToEndId);
    seen.add(endToEndId);
    return isRepeated;
  });
  return [
    ...(isIdentifier(batch.messageId, 35) ? [] : [ofBatch('The message id cannot be sent.')]),
    ...(isDay(batch.executionDate) ? [] : [ofBatch('The execution date is no day.')]),
    ...(Number.isNaN(batch.createdAt.getTime()) ? [ofBatch('The time is no time.')] : []),
    ...(batch.transfers.length > 0 ? [] : [ofBatch('The batch is empty.')]),
    ...(batch.transfers.length > template.maxTransfers ? [ofBatch('The batch is too long.')] : []),
    ...checkAccount(batch.debtor).map((text) => ofBatch(`The paying account: ${text}`)),
    ...repeated.map(({ endToEndId }) => ({ description: 'It is in the batch twice.', endToEndId })),
    ...batch.transfers.flatMap(checkTransfer),
  ];
};

const checkTransfer = (transfer: Transfer): readonly BatchMistake[] => {
  const { endToEndId, amountPence } = transfer;
  return [
    ...(isIdentifier(endToEndId, 31) ? [] : ['The end-to-end id cannot be sent.']),
    ...(amountPence > 0n ? [] : ['The amount is not positive.']),
    ...(amountPence <= maxPence ? [] : ['The amount is above the limit of the payment scheme.']),
    ...(fitText(transfer.reference, 18) === '' ? ['The reference cannot be sent.'] : []),
    ...checkAccount(transfer.creditor),
  ].map((description) => ({ description, endToEndId }));
};

const checkAccount = ({ sortCode, accountNumber, name }: TransferAccount): readonly string[] => [
  ...(/^\d{6}$/.test(sortCode) ? [] : ['The sort code is not six digits.']),
  ...(/^\d{8}$/.test(accountNumber) ? [] : ['The account number is not eight digits.']),
  ...(fitText(name, 40) === '' ? ['The account name cannot be sent.'] : []),
];

/** It names a file too, so nothing that a file system reads as a path. */
const isIdentifier = (text: string, maxLength: number): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(text) && text.length <= maxLength;

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

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
