import { searchBanks } from '@florin/checkout';
import type { listInstitutions, ReplyOf } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { poundsNumber } from '#kernel/pence.ts';
import type { BankRails } from '#modules/payments/index.ts';
import type { Institution } from '#rails/bank-rail.ts';

type Bank = ReplyOf<typeof listInstitutions>[number];
export type BankTools = { readonly bankRails: BankRails; readonly publicUrl: string };

const features = ['CREATE_DOMESTIC_SINGLE_PAYMENT'];

/** Popular banks first; a bank that is down only on request. */
export const listBanks = (
  { bankRails, publicUrl }: BankTools,
  environment: Environment,
  requested: { readonly search?: string | undefined; readonly withDisabled: boolean },
): readonly Bank[] => {
  const known = bankRails.need(environment).institutions();
  const ordered = [...known].sort((one, other) => Number(other.isPopular) - Number(one.isPopular));
  const positions = new Map(ordered.map(({ id }, at) => [id, at + 1]));
  return searchBanks(ordered, requested.search ?? '')
    .filter(({ isEnabled }) => isEnabled || requested.withDisabled)
    .map((bank) => bankView(bank, publicUrl, positions.get(bank.id) ?? 0));
};

const bankView = (bank: Institution, publicUrl: string, orderBy: number): Bank => {
  const source = `${publicUrl}/bank-icons/${bank.id}.svg`;
  return {
    id: bank.id,
    name: bank.name,
    fullName: bank.fullName,
    media: [
      { source, type: 'icon' },
      { source, type: 'logo' },
    ],
    features,
    orderBy,
    transactionAmountLimit: poundsNumber(bank.limitPence),
    businessBank: bank.kind !== 'personal',
    popularBank: bank.isPopular,
    enabled: bank.isEnabled,
    bankType: bankTypes[bank.kind],
    bankCode: bank.id,
  };
};

const bankTypes = { personal: 'PERSONAL', business: 'BUSINESS', both: 'BOTH' } as const;

export const environmentNamed = (env: string | undefined): Environment =>
  env?.toLowerCase() === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';
