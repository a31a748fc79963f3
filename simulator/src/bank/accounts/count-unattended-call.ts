import type { BankProfile } from '../banks.ts';
import type { BankTools } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import type { AccountConsent } from './model.ts';

const dayMs = 86_400_000;

// A call without the customer's address counts; the day is the one of the consent's clock.
export const countUnattendedCall = async (
  tools: BankTools,
  bank: BankProfile,
  consent: AccountConsent,
  subject: string,
): Promise<void> => {
  const allowed = bank.statement.unattendedCalls;
  if (allowed === undefined) return;
  const at = tools.clock.now() + consent.clockOffsetMs;
  const call = { bankId: bank.id, consentId: consent.id, subject, at };
  if ((await tools.store.countUnattended(call)) <= allowed) return;
  const secondsLeft = Math.ceil((dayMs - (at % dayMs)) / 1000);
  throw tooManyCalls(secondsLeft);
};

const tooManyCalls = (seconds: number): Refusal =>
  new Refusal(429, [], { 'retry-after': String(seconds) });
