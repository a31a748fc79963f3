import type { ConsentStanding } from '../accounts/consent-standing.ts';
import type { StatementLine } from '../accounts/model.ts';
import type { BankProfile } from '../banks.ts';
import type { Account, JsonObject } from '../ports.ts';
import type { RefusalReason } from '../refusal.ts';

// What the two versions of the standard write differently.
export type WireVersion = {
  readonly consentStatus: (standing: ConsentStanding) => string;
  readonly accountKind: (account: Account, bank: BankProfile) => JsonObject;
  readonly balanceTypes: { readonly available: string; readonly booked: string };
  readonly lineStatus: (line: StatementLine) => string;
  readonly transactionCode: (line: StatementLine) => JsonObject;
  readonly errorBody: (httpStatus: number, id: string, reasons: Reasons) => JsonObject;
  readonly consentReason: (standing: ConsentStanding) => JsonObject;
};

type Reasons = readonly RefusalReason[];
