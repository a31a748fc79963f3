import { addPence, type Pence, pence } from '#kernel/pence.ts';
import { outsideName, outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import type { AccountReport, StatementEntry, UnreadableEntry } from '#rails/transfer-rail.ts';
import { UnreadableXml, type XmlReader } from '../xml.ts';
import {
  checkReference,
  readAccount,
  readAmount,
  readDay,
  readReason,
  readSortCode,
  readTime,
} from './read-parts.ts';

/** One entry, or the single transfers of an entry that the bank booked as a batch. */
const readEntry = (entry: XmlReader): readonly StatementEntry[] => {
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

/** The list of one account in camt.052, camt.053 and camt.054. */
const listNames = { Rpt: 'INTRADAY', Stmt: 'STATEMENT', Ntfctn: 'NOTIFICATION' } as const;

/** Booked balances after the entries of the report. */
const bookedBalances = ['ITBD', 'CLBD'] as const;

/** camt.052 and its siblings: what was booked on an account. */
export const readAccountReport = (message: XmlReader): AccountReport => {
  const named = Object.entries(listNames).flatMap(([name, kind]) =>
    message.all(name).map((list) => ({ kind, list })),
  );
  const lists = named.map(({ list }) => list);
  const [{ kind, list } = {}] = named;
  if (!kind || !list) throw new UnreadableXml('The message holds no account.');
  const accounts = lists.map((one) => accountOf(one));
  const [account] = accounts;
  if (!account || accounts.some((one) => one.accountNumber !== account.accountNumber))
    throw new UnreadableXml('The message mixes several accounts.');
  const unreadable: UnreadableEntry[] = [];
  return {
    kind: 'ACCOUNT_REPORT',
    list: kind,
    messageId: checkReference(message.required('GrpHdr', 'MsgId')),
    createdAt: readTime(message.required('GrpHdr', 'CreDtTm')),
    account,
    bookedBalancePence: readBalance(lists.at(-1) ?? list, unreadable),
    entries: readEntries(lists, unreadable),
    unreadable,
  };
};

const readEntries = (
  lists: readonly XmlReader[],
  unreadable: UnreadableEntry[],
): readonly StatementEntry[] =>
  lists
    .flatMap((one) => one.all('Ntry'))
    .flatMap((entry, at) => {
      try {
        return readEntry(entry);
      } catch (error) {
        unreadable.push({ position: at + 1, ...asReceived(entry, error) });
        return [];
      }
    });

const readBalance = (
  list: XmlReader,
  unreadable: UnreadableEntry[],
): AccountReport['bookedBalancePence'] => {
  try {
    return balanceOf(list);
  } catch (error) {
    unreadable.push({ position: 0, ...asReceived(list.find('Bal') ?? list, error) });
    return null;
  }
};

const maxSaidCharacters = 40;

const asReceived = (node: XmlReader, error: unknown): Omit<UnreadableEntry, 'position'> => {
  const said = [
    ...[node.textAt('Amt'), node.textAt('CdtDbtInd'), node.textAt('AcctSvcrRef')],
    node.textAt('NtryDtls', 'TxDtls', 'Refs', 'EndToEndId'),
  ];
  const shown = said.flatMap((text) => outsideText(text, maxSaidCharacters) ?? []);
  return { reason: outsideText((error as Error).message) ?? '', said: shown.join(' ') };
};

const accountOf = (list: XmlReader): AccountReport['account'] => {
  const sortCode = readSortCode(list.find('Acct', 'Svcr'));
  const account = readAccount(list.find('Acct'), sortCode);
  if (account.accountNumber === null) throw new UnreadableXml('The account has no number.');
  return { sortCode: account.sortCode, accountNumber: account.accountNumber };
};

const balanceOf = (list: XmlReader): AccountReport['bookedBalancePence'] => {
  const balances = list.all('Bal');
  const codeOf = (one: XmlReader) => one.textAt('Tp', 'CdOrPrtry', 'Cd');
  const best = bookedBalances
    .map((code) => balances.find((one) => codeOf(one) === code))
    .find((one) => one !== undefined);
  if (!best) return null;
  const amount = readAmount(best.find('Amt'));
  return pence(best.required('CdtDbtInd') === 'DBIT' ? -amount : amount);
};
