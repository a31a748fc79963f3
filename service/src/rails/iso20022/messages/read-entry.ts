import type { Pence } from '#kernel/pence.ts';
import { addPence } from '#kernel/pence.ts';
import { outsideName } from '#platform/card-numbers/outside-text.ts';
import type { StatementEntry } from '#rails/transfer-rail.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { UnreadableXml } from '../xml/unreadable-xml.ts';
import {
  checkReference,
  readAccount,
  readAmount,
  readDay,
  readReason,
  readSortCode,
} from './read-parts.ts';

/** One entry, or the single transfers of an entry that the bank booked as a batch. */
export const readEntry = (entry: XmlReader): readonly StatementEntry[] => {
  const status = statusOf(entry);
  if (status === null) return [];
  const common = commonOf(entry, status);
  const parts = entry.all('NtryDtls', 'TxDtls');
  const [only, another] = parts;
  if (!only) return [withoutDetails(common)];
  if (!another) return [detailed(common, only, common.amountPence, 0)];
  const amounts = parts.map((part) => readMovedAmount(part.find('Amt') ?? detailedAmount(part)));
  if (addPence(...amounts) !== common.amountPence)
    throw new UnreadableXml('An entry differs from the sum of its transfers.');
  return parts.map((part, at) => detailed(common, part, amounts[at] ?? common.amountPence, at + 1));
};

const readMovedAmount = (node: XmlReader | null): Pence => {
  const amount = readAmount(node);
  if (amount === 0n) throw new UnreadableXml('An entry moves no money.');
  return amount;
};

type Common = Omit<StatementEntry, 'endToEndId' | 'counterparty' | 'remittance' | 'returned'>;

const commonOf = (entry: XmlReader, status: StatementEntry['status']): Common => ({
  entryReference: checkReference(entry.textAt('AcctSvcrRef') ?? entry.textAt('NtryRef')),
  direction: directionOf(entry),
  status,
  amountPence: readMovedAmount(entry.find('Amt')),
  bookedOn: readDay(entry.find('BookgDt')),
  isReversal: entry.textAt('RvslInd') === 'true',
});

const directionOf = (entry: XmlReader): StatementEntry['direction'] => {
  const indicator = entry.required('CdtDbtInd');
  if (indicator === 'CRDT') return 'CREDIT';
  if (indicator === 'DBIT') return 'DEBIT';
  throw new UnreadableXml('An entry is neither credit nor debit.');
};

/** Entries that only inform, or that lie in the future, are no money. */
const statusOf = (entry: XmlReader): StatementEntry['status'] | null => {
  const code = entry.textAt('Sts', 'Cd') ?? entry.textAt('Sts');
  if (code === 'BOOK') return 'BOOKED';
  return code === 'PDNG' ? 'PENDING' : null;
};

const detailedAmount = (part: XmlReader): XmlReader | null =>
  part.find('AmtDtls', 'TxAmt', 'Amt') ?? part.find('AmtDtls', 'InstdAmt', 'Amt');

const withoutDetails = (common: Common): StatementEntry => ({
  ...common,
  endToEndId: null,
  counterparty: { name: null, sortCode: null, accountNumber: null },
  remittance: null,
  returned: null,
});

const detailed = (
  common: Common,
  part: XmlReader,
  amountPence: Pence,
  ordinal: number,
): StatementEntry => ({
  ...common,
  amountPence,
  entryReference: referenceOf(common, part, ordinal),
  endToEndId: endToEndIdOf(part),
  counterparty: counterpartyOf(part, common.direction),
  remittance: remittanceOf(part),
  returned: part.find('RtrInf') ? returnReason(part) : null,
});

const referenceOf = ({ entryReference }: Common, part: XmlReader, ordinal: number) => {
  if (ordinal === 0) return entryReference;
  return (
    checkReference(part.textAt('Refs', 'AcctSvcrRef')) ??
    (entryReference && `${entryReference}#${ordinal}`)
  );
};

const endToEndIdOf = (part: XmlReader): string | null => {
  const text = checkReference(part.textAt('Refs', 'EndToEndId'));
  return text === 'NOTPROVIDED' ? null : text;
};

const counterpartyOf = (
  part: XmlReader,
  direction: StatementEntry['direction'],
): StatementEntry['counterparty'] => {
  const role = direction === 'CREDIT' ? 'Dbtr' : 'Cdtr';
  const agent = readSortCode(part.find('RltdAgts', `${role}Agt`));
  return {
    name: outsideName(
      part.textAt('RltdPties', role, 'Pty', 'Nm') ?? part.textAt('RltdPties', role, 'Nm'),
    ),
    ...readAccount(part.find('RltdPties', `${role}Acct`), agent),
  };
};

const remittanceOf = (part: XmlReader): string | null => {
  const unstructured = part.all('RmtInf', 'Ustrd').map(({ text }) => text);
  const structured = part.all('RmtInf', 'Strd', 'CdtrRefInf', 'Ref').map(({ text }) => text);
  return [...structured, ...unstructured].join(' ') || null;
};

const returnReason = (part: XmlReader): NonNullable<StatementEntry['returned']> =>
  readReason(part.find('RtrInf', 'Rsn')) ?? {
    code: 'NARR',
    description: 'The money came back; the bank does not say why.',
  };
