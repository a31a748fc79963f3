import type { Bank } from '../bank.ts';
import type { VisitAnswer } from './ended-page.ts';
import type { Journey } from './journey.ts';

export type Fields = Readonly<Record<string, unknown>>;

type Step<Subject> = (
  bank: Bank,
  journey: Journey<Subject>,
  fields: Fields,
) => Promise<VisitAnswer>;

// The pages of a visit; payments and account information have their own.
export type VisitSteps<Subject> = {
  readonly showLogin: Step<Subject>;
  readonly takeLogin: Step<Subject>;
  readonly showApproval: Step<Subject>;
  readonly takeDecision: Step<Subject>;
};

export const loginAddress = (bank: Bank, journey: Pick<Journey<unknown>, 'id'>): string =>
  `/banks/${bank.profile.id}/login/${journey.id}`;
