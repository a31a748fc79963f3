import { pence } from '#kernel/pence.ts';
import { outsideText } from '#platform/card-numbers/outside-text.ts';
import type { AccountReport, StatementEntry, UnreadableEntry } from '#rails/transfer-rail.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { UnreadableXml } from '../xml/unreadable-xml.ts';
import { readEntry } from './read-entry.ts';
import { checkReference, readAccount, readAmount, readSortCode, readTime } from './read-parts.ts';

/** The list of one account in camt.052, camt.053 and camt.054. */
const listNames = ['Rpt', 'Stmt', 'Ntfctn'] as const;

/** Booked balances after the entries of the report. */
const bookedBalances = ['ITBD', 'CLBD'] as const;

/** camt.052 and its siblings: what was booked on an account. */
export const readAccountReport = (message: XmlReader): AccountReport => {
  const lists = listNames.flatMap((name) => message.all(name));
  const [list] = lists;
  if (!list) throw new UnreadableXml('The message holds no account.');
  const accounts = lists.map((one) => accountOf(one));
  const [account] = accounts;
  if (!account || accounts.some((one) => one.accountNumber !== account.accountNumber))
    throw new UnreadableXml('The message mixes several accounts.');
  const unreadable: UnreadableEntry[] = [];
  return {
    kind: 'ACCOUNT_REPORT',
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
