import type { Standing } from '../accounts/account-statement.ts';
import type { AccountConsent, Party, StatementLine } from '../accounts/model.ts';
import type { Account, JsonObject } from '../ports.ts';
import type { AccountCall } from './account-call.ts';
import { britishIban } from './british-iban.ts';

type Wire = Pick<AccountCall, 'bank' | 'wire'>;

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
