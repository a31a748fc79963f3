import type { CheckoutBank } from '@florin/contract';

/** Marks the banks of one name with what tells each from the others (PAGE-8). */
export const tellBanksApart = (banks: readonly CheckoutBank[]): readonly CheckoutBank[] => {
  const byName = new Map<string, CheckoutBank[]>();
  for (const bank of banks) {
    const name = plain(bank.name);
    byName.set(name, [...(byName.get(name) ?? []), bank]);
  }
  return banks.map((bank) => {
    const named = byName.get(plain(bank.name)) ?? [];
    return named.length < 2 ? bank : { ...bank, apartBy: difference(bank, named) };
  });
};

const plain = (text: string): string => text.trim().toLowerCase();

const difference = (
  bank: CheckoutBank,
  named: readonly CheckoutBank[],
): NonNullable<CheckoutBank['apartBy']> => {
  const isOnly = (value: (each: CheckoutBank) => string): boolean =>
    named.every((each) => each === bank || value(each) !== value(bank));
  const says = plain(bank.fullName) !== plain(bank.name);
  if (says && isOnly(({ fullName }) => plain(fullName))) return 'fullName';
  if (bank.kind !== 'both' && isOnly(({ kind }) => kind)) return 'kind';
  return 'id';
};
