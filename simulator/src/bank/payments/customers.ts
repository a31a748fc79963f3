import { createHash } from 'node:crypto';
import { limits } from '#simulator/limits.ts';
import type { BankProfile } from '../banks.ts';
import type { Account } from '../model.ts';

export const loginNameOf = (typedName: string): string =>
  typedName.trim().slice(0, limits.loginLength).toLowerCase() || 'approve';

const firstNames = ['Alex', 'Bryn', 'Casey', 'Devi', 'Ellis', 'Farah', 'Georgie', 'Hani'];
const lastNames = ['Ashdown', 'Birchall', 'Carmody', 'Dunmore', 'Everly', 'Fenwick', 'Goss'];
const trades = ['Bakery', 'Bicycles', 'Joinery', 'Nursery', 'Printworks', 'Textiles'];

const personal = [
  { label: 'Everyday account', openingPence: 4_825_019n, mayOverdraw: true },
  { label: 'Joint account', openingPence: 1_230_000n, mayOverdraw: true },
  { label: 'Pocket account', openingPence: 500n, mayOverdraw: false },
];
const business = [
  { label: 'Business current account', openingPence: 38_412_077n, mayOverdraw: true },
  { label: 'Petty cash account', openingPence: 500n, mayOverdraw: false },
];

// A sort code and account number: this customer holds just that account.
const holderLogin = /^(\d{6})[ -]?(\d{8})$/;

// Every login name is a customer of every bank, with accounts that follow from the name alone.
export const customerAccounts = (
  bank: BankProfile,
  login: string,
  openedAt: number,
): readonly Account[] => {
  const [, sortCode = bank.sortCode, namedNumber] = holderLogin.exec(login) ?? [];
  const usual = bank.kind === 'business' ? business : personal;
  const shelf = namedNumber === undefined ? usual : business.slice(0, 1);
  const holderName = holderOf(bank, login);
  return shelf.map((kind, position): Account => {
    const digest = digestOf(bank.id, login, String(position));
    return {
      ...kind,
      bankId: bank.id,
      id: `acc-${digest.toString('hex').slice(0, 24)}`,
      login,
      position,
      holderName,
      sortCode,
      accountNumber: namedNumber ?? String(10_000_000 + (digest.readUInt32BE(0) % 90_000_000)),
      openedAt,
    };
  });
};

const holderOf = (bank: BankProfile, login: string): string => {
  const digest = digestOf('holder', login);
  const pick = (list: readonly string[], at: number) => list[digest.readUInt16BE(at) % list.length];
  const lastName = pick(lastNames, 2);
  if (bank.kind === 'business') return `${lastName} ${pick(trades, 4)} Ltd`;
  return `${pick(firstNames, 0)} ${lastName}`;
};

const digestOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(parts.join('\n')).digest();

export const isHolderLogin = (login: string | undefined): login is string =>
  login !== undefined && holderLogin.test(login);
