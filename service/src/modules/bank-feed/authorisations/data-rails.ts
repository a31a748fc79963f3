import { failures } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { SecretContext, Secrets } from '#platform/secrets/open-secrets.ts';
import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import type { BankDataRail } from '#rails/bank-data-rail.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { Authorisation } from './authorisation.ts';

/** The banks that show accounts, of each environment, as the program was configured. */
export type BankDataRails = {
  readonly institutions: (environment: Environment) => readonly Institution[];
  /** The rail that reaches this bank; null when none does. */
  readonly find: (environment: Environment, institutionId: string) => DataRail | null;
  /** Refuses with the setting that is missing when there is no bank at all. */
  readonly requireAny: (environment: Environment) => void;
};

/** Static: its accounts never change, so they are read once. */
export type DataRail = BankDataRail & { readonly isStatic?: boolean };

/** Of rails that know the same bank the first one is used. */
export const bankDataRails = (
  configured: Readonly<Record<Environment, () => readonly DataRail[]>>,
  settingOf: Readonly<Record<Environment, string>>,
): BankDataRails => ({
  institutions: (environment) => {
    const all = configured[environment]().flatMap((rail) => rail.institutions());
    return [...new Map([...all].reverse().map((bank) => [bank.id, bank])).values()].reverse();
  },
  find: (environment, institutionId) =>
    configured[environment]().find((rail) =>
      rail.institutions().some(({ id }) => id === institutionId),
    ) ?? null,
  requireAny: (environment) => {
    if (configured[environment]().length > 0) return;
    throw new Failure(failures.railNotConfigured, {
      message:
        'No bank that shows accounts is configured for ' +
        `${environment.toLowerCase()}: set ${settingOf[environment]}.`,
    });
  },
});

type Encrypted = Pick<Authorisation, 'authorisationId' | 'railStateEncrypted'>;

/** The rail's memory of an authorisation: it holds tokens, so it is stored encrypted. */
export const decryptRailState = (secrets: Secrets, authorisation: Encrypted): string | null =>
  authorisation.railStateEncrypted &&
  secrets.decryptText(
    authorisation.railStateEncrypted,
    railStateContext(authorisation.authorisationId),
  );

export const encryptRailState = (
  secrets: Secrets,
  authorisationId: string,
  state: string,
): Buffer => secrets.encrypt(state, railStateContext(authorisationId));

const railStateContext = (authorisationId: string): SecretContext => ({
  table: 'bank_authorisation',
  row: authorisationId,
  column: 'rail_state_encrypted',
});

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'bank_authorisation',
    column: 'rail_state_encrypted',
    key: { authorisation_id: 'uuid' },
    contextOf: (row) => railStateContext(row.authorisation_id ?? ''),
  }),
];
