import { limits } from '@florin/contract';
import type { CommandTools } from '#platform/command.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import { askCell, readSides, type Said } from './ask-cell.ts';
import { disagreement, moving, paused, type Side } from './sides.ts';
import { listCells, raiseNumbers, readNumber, setCellAddress } from './store/cells.ts';

/** With the keys that programs have. */
const cellTools = async (tools: CommandTools): Promise<CommandTools> => ({
  ...tools,
  secrets: await storedPurposeKeys(tools, tools.secrets),
});

/**
 * Throws a sentence where this cell and another one do not agree who serves a merchant: after a restore, or
 * a promotion that lost what was written last. `without`: cells that are not asked.
 */
export const requireAgreement = async (
  given: CommandTools,
  without: readonly string[],
): Promise<void> => {
  const tools = await cellTools(given);
  const faults: string[] = [];
  for (const { cell_id, address } of await tools.database.system(listCells, {}))
    if (address !== null && !without.includes(cell_id))
      faults.push(...(await compareWith(tools, cell_id, address)));
  if (faults.length > 0) throw new Error(faults.join('\n'));
};

const compareWith = async (
  tools: CommandTools,
  cellId: string,
  address: string,
): Promise<readonly string[]> => {
  const ofAddress = async (wanted: { merchantId?: string; after?: string | null }) => {
    const said = await askCell(tools, address, wanted).catch((error: Error) => {
      throw new Error(
        `${error.message} Whether both cells serve a merchant is not known. Start its programs, or name ` +
          `its new address ("operator cell-address ${cellId} <address>"). Only if they stay off until ` +
          `"operator compare-cells" there says that both agree: "operator confirm-epoch without=${cellId}".`,
      );
    });
    if (said.cellId !== cellId) throw new Error(notThatCell(address, said.cellId, cellId));
    return said.sides;
  };
  const here = (wanted: { merchantId?: string; after?: string | null }) =>
    readSides(tools, wanted).then(({ sides }) => sides);
  const [ours, theirs] = [await everySide(here), await everySide(ofAddress)];
  const faults: string[] = [];
  for (const merchantId of new Set([...ours.keys(), ...theirs.keys()])) {
    const one = ours.get(merchantId) ?? (await here({ merchantId }))[0];
    const other = theirs.get(merchantId) ?? (await ofAddress({ merchantId }))[0];
    if (!one || !other) throw new Error(`A cell says nothing of merchant ${merchantId}.`);
    const fault = disagreement(one, other);
    if (fault !== null) faults.push(sentence(merchantId, cellId, fault));
  }
  return faults;
};

const notThatCell = (address: string, found: string, wanted: string): string =>
  `The cell ${found} answers at ${address}, not the cell ${wanted}.`;

const sentence = (merchantId: string, cellId: string, fault: string): string =>
  fault === paused || fault === moving
    ? `Merchant ${merchantId} ${fault}: run "operator cancel-move" in the cell that it leaves or, where ` +
      'that knows nothing of it, "abandon-move" in the other.'
    : `Of this cell and ${cellId}, merchant ${merchantId} ${fault}: run "operator settle-move ` +
      `${merchantId}".`;

const everySide = async (
  read: (wanted: { after: string | null }) => Promise<readonly Side[]>,
): Promise<ReadonlyMap<string, Side>> => {
  const all = new Map<string, Side>();
  for (let after: string | null = null; ; ) {
    const page = await read({ after });
    for (const side of page) all.set(side.merchantId, side);
    const last: Side | undefined = page.at(-1);
    if (!last || page.length < limits.cellSidesPage) return all;
    after = last.merchantId;
  }
};

const far = 1n << 40n;

/**
 * A restore may have taken away that the numbers of transactions were raised above those of another cell,
 * from which a merchant came with its cursors (0019_cells.sql): what comes next is above them again.
 */
export const raiseAboveCells = async (
  given: CommandTools,
  without: readonly string[],
): Promise<void> => {
  const tools = await cellTools(given);
  const others = (await tools.database.system(listCells, {})).filter(
    (cell) => cell.address !== null,
  );
  if (others.length === 0) return;
  const [own] = await tools.database.system(readNumber, {});
  const isOneUnasked = others.some(({ cell_id }) => without.includes(cell_id));
  let above = BigInt(own?.written_in ?? 0) + (isOneUnasked ? 4n * far : 0n);
  for (const { cell_id, address } of others) {
    if (address === null || without.includes(cell_id)) continue;
    const { writtenIn } = await askCell(tools, address);
    if (BigInt(writtenIn) > above) above = BigInt(writtenIn);
  }
  await tools.database.system(raiseNumbers, { above: (above + far).toString() });
};

/** Clocks of two cells that differ by more make what is due in one late or early in the other. */
const maxSkewMs = 10_000;

/** Throws unless this cell, with a clock like ours, answers at the address. */
export const requireCellAt = async (
  given: CommandTools,
  cellId: string,
  address: string,
): Promise<Said> => {
  const said = await askCell(await cellTools(given), address);
  if (said.cellId !== cellId) throw new Error(notThatCell(address, said.cellId, cellId));
  if (Math.abs(said.skewMs) > maxSkewMs)
    throw new Error(
      `The clock at ${address} differs from that of this machine by ${Math.round(said.skewMs / 1_000)} ` +
        'seconds: set both by NTP first.',
    );
  return said;
};

export const changeCellAddress = async (
  tools: CommandTools,
  cellId: string,
  address: string,
): Promise<string> => {
  await requireCellAt(tools, cellId, address);
  const [changed] = await tools.database.system(setCellAddress, { cellId, address });
  if (!changed) throw new Error('That is this cell: run it in the others.');
  return `The cell ${cellId} is asked at ${address} from now on.`;
};

export const describeCells = async (tools: CommandTools): Promise<string> =>
  (await tools.database.system(listCells, {}))
    .map(({ cell_id, address }) => `${cell_id}  ${address ?? 'this cell'}`)
    .join('\n');
