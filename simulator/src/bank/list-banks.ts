import { readFile } from 'node:fs/promises';
import { type BankProfile, banks } from './banks.ts';
import { statementTraits } from './statement-traits.ts';
import { isWireTrait, type WireTraits, wireTraits } from './wire-traits.ts';

// The ten banks, and those of a file: a list of `{id, name?, kind?, wire}`.
export const listBanks = async (path: string | undefined): Promise<readonly BankProfile[]> => {
  if (path === undefined) return banks;
  const rows: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!Array.isArray(rows)) throw new Error(`${path} is not a list of banks`);
  return [...banks, ...rows.map((row: FurtherBank, position) => profileOf(row, position))];
};

// Their own key would take a while to make, and no client can tell.
export const furtherBanksKey = 'further-banks';

type FurtherBank = {
  readonly id: string;
  readonly name?: string;
  readonly kind?: BankProfile['kind'];
  readonly wire: Partial<WireTraits>;
};

const profileOf = ({ id, name = id, kind = 'both', wire }: FurtherBank, position: number) => {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)) throw new Error(`"${id}" is no id of a bank`);
  if (banks.some((bank) => bank.id === id)) throw new Error(`there is a bank "${id}" already`);
  const unknown = Object.keys(wire).find((trait) => !isWireTrait(trait));
  if (unknown) throw new Error(`the bank "${id}" has an unknown trait "${unknown}"`);
  return {
    id,
    name,
    shortName: name,
    colour: '#334155',
    kind,
    organisationId: `sim1bank${String(position).padStart(9, '0')}AAA`,
    sortCode: String(2_000 + position).padStart(6, '0'),
    limitPence: 100_000_000n,
    isPopular: false,
    isEnabled: true,
    statement: statementTraits({ version: wire.version ?? '4.0' }),
    wire: wireTraits(wire),
    signsWith: furtherBanksKey,
  };
};
