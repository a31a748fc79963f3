import type { Standing } from '../accounts/account-statement.ts';
import type { StatementLine } from '../accounts/statement-line.ts';
import type { StatementTraits } from '../bank-traits.ts';
import type { Account, AccountConsent, JsonObject, Party } from '../model.ts';
import type { Call } from './call.ts';

type Wire = Pick<Call, 'bank' | 'wire'>;

export const accountOnWire = (
  { bank, wire }: Wire,
  consent: AccountConsent,
  account: Account,
): JsonObject => ({
  AccountId: account.id,
  Status: 'Enabled',
  StatusUpdateDateTime: iso(account.openedAt),
  Currency: 'GBP',
  ...wire.accountKind(account, bank.profile),
  Nickname: account.label,
  ...(consent.permissions.includes('ReadAccountsDetail') && {
    Account: [identified(bank.profile.statement.scheme, account, account.holderName)],
  }),
});

export const balancesOnWire = (
  { wire }: Wire,
  account: Account,
  standing: Standing,
  now: number,
): JsonObject[] => {
  const { available, booked } = wire.balanceTypes;
  const common = { AccountId: account.id, DateTime: iso(now) };
  const lent = { Included: true, Type: 'Pre-Agreed', Amount: amountOf(overdraftPence) };
  const withOverdraft = {
    ...common,
    ...signedAmount(standing.availablePence + overdraftPence),
    Type: available,
    CreditLine: [lent],
  };
  return [
    ...(account.mayOverdraw ? [withOverdraft] : []),
    { ...common, ...signedAmount(standing.availablePence), Type: available },
    { ...common, ...signedAmount(standing.bookedPence), Type: booked },
  ];
};

const overdraftPence = 50_000n;

export const lineOnWire = (
  { bank, wire }: Wire,
  consent: AccountConsent,
  account: Account,
  line: StatementLine,
): JsonObject => {
  const { hasTransactionIds, scheme } = bank.profile.statement;
  const isDetailed = consent.permissions.includes('ReadTransactionsDetail');
  return {
    AccountId: account.id,
    ...(hasTransactionIds && { TransactionId: line.id }),
    ...(line.reference !== undefined && { TransactionReference: line.reference }),
    CreditDebitIndicator: line.direction === 'CRDT' ? 'Credit' : 'Debit',
    Status: wire.lineStatus(line),
    BookingDateTime: iso(line.at),
    ...(line.isBooked && { ValueDateTime: iso(line.at) }),
    Amount: amountOf(line.amountPence),
    BankTransactionCode: wire.transactionCode(line),
    ...(isDetailed && detailsOf(wire, scheme, line)),
  };
};

const detailsOf = (
  wire: Wire['wire'],
  scheme: Scheme,
  line: StatementLine,
): Readonly<Record<string, JsonObject | string>> => {
  const { merchantName, counterparty, balancePence, direction } = line;
  const side = direction === 'CRDT' ? 'DebtorAccount' : 'CreditorAccount';
  return {
    TransactionInformation: line.information,
    ...(merchantName !== undefined && { MerchantDetails: { MerchantName: merchantName } }),
    ...(counterparty?.accountNumber && {
      [side]: identified(scheme, counterparty, counterparty.name),
    }),
    ...(balancePence !== undefined && {
      Balance: { ...signedAmount(balancePence), Type: wire.balanceTypes.booked },
    }),
  };
};

type Scheme = 'sort code' | 'IBAN';

const identified = (
  scheme: Scheme,
  { sortCode, accountNumber }: Pick<Party, 'sortCode' | 'accountNumber'>,
  name: string,
): JsonObject => ({
  ...(scheme === 'IBAN'
    ? { SchemeName: 'UK.OBIE.IBAN', Identification: britishIban(sortCode, accountNumber) }
    : {
        SchemeName: 'UK.OBIE.SortCodeAccountNumber',
        Identification: `${sortCode}${accountNumber}`,
      }),
  ...(name && { Name: name }),
});

const signedAmount = (pence: bigint) => ({
  CreditDebitIndicator: pence < 0n ? 'Debit' : 'Credit',
  Amount: amountOf(pence < 0n ? -pence : pence),
});

const amountOf = (pence: bigint): JsonObject => ({
  Amount: `${pence / 100n}.${(pence % 100n).toString().padStart(2, '0')}`,
  Currency: 'GBP',
});

const iso = (ms: number): string => new Date(ms).toISOString();

type ListAddress = { readonly address: string; readonly query: URLSearchParams };

type Page = {
  readonly lines: readonly StatementLine[];
  readonly links: JsonObject;
  readonly meta: JsonObject;
};

export const pageOf = (
  traits: StatementTraits,
  lines: readonly StatementLine[],
  page: number,
  list: ListAddress,
): Page => {
  const { pageSize, overlap } = traits;
  const pages = Math.max(Math.ceil(lines.length / pageSize), 1);
  const start = (page - 1) * pageSize;
  const link = (to: number): string => linkOf(traits, list, to);
  return {
    lines: lines.slice(Math.max(start - overlap, 0), start + pageSize),
    links: {
      Self: link(page),
      First: link(1),
      ...(page > 1 && { Prev: link(page - 1) }),
      ...(page < pages && { Next: link(page + 1) }),
      Last: link(pages),
    },
    meta: { TotalPages: pages },
  };
};

// What some banks make of their own addresses.
const linkOf = ({ links }: StatementTraits, list: ListAddress, page: number): string => {
  const query = new URLSearchParams(list.query);
  query.set('page', String(page));
  const url = new URL(list.address);
  if (links === 'doubled-slash') url.pathname = url.pathname.replace('/aisp/', '/aisp//');
  if (links === 'other-host') url.host = 'internal-gateway.invalid';
  url.search = query.toString();
  return url.href;
};

const bankLetters = 'SIMU';

// ISO 13616: letters count from 10, and the check digits make the whole a multiple of 97 plus one.
const britishIban = (sortCode: string, accountNumber: string): string => {
  const inside = `${bankLetters}${sortCode}${accountNumber}`;
  const digits = `${inside}GB00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(digits) % 97n);
  return `GB${check.toString().padStart(2, '0')}${inside}`;
};
