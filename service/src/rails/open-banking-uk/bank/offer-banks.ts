import type { BankHealth, Institution } from '#rails/bank-rail.ts';
import type { Bank } from './bank.ts';

type Interface = keyof Bank['health'];

/** The banks as payers may choose them now. */
export const offerBanks = (
  banks: readonly Bank[],
  through: Interface,
  hidesUnavailable: boolean,
): readonly Institution[] =>
  banks.map((bank) => {
    const { profile } = bank;
    const state = hidesUnavailable ? bank.health[through].report().state : 'WORKING';
    return {
      id: profile.id,
      name: profile.name,
      fullName: profile.fullName,
      kind: profile.kind,
      colour: profile.colour,
      limitPence: profile.limitPence,
      isEnabled: profile.isEnabled && state !== 'UNAVAILABLE',
      ...(state === 'SLOW' && { isSlow: true }),
      ...(profile.appAddress !== undefined && { appScheme: new URL(profile.appAddress).protocol }),
      isPopular: profile.isPopular,
      countryCode: profile.countryCode,
    };
  });

/** Null: a payment or a bank link may be started at this bank. */
export const findReasonNotToOffer = (
  bank: Bank | undefined,
  through: Interface,
  hidesUnavailable: boolean,
): 'BANK_NOT_ENABLED' | 'BANK_UNAVAILABLE' | null => {
  if (!bank?.profile.isEnabled) return 'BANK_NOT_ENABLED';
  const isDown = hidesUnavailable && bank.health[through].report().state === 'UNAVAILABLE';
  return isDown ? 'BANK_UNAVAILABLE' : null;
};

export const healthOf = (banks: readonly Bank[], through: Interface): readonly BankHealth[] =>
  banks.map(({ profile, health }) => ({
    institutionId: profile.id,
    name: profile.name,
    isEnabled: profile.isEnabled,
    ...health[through].report(),
  }));
