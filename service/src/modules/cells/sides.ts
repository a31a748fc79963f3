import type { MoveStatus } from './move-lifecycle.ts';

/** What one cell says of a merchant. */
export type Side = {
  readonly cellId: string;
  readonly merchantId: string;
  /** 0: it knows no move of it. */
  readonly version: number;
  readonly status: MoveStatus | null;
  readonly otherCellId: string | null;
  /** It has a row of this merchant, which without a move it serves. */
  readonly isKnown: boolean;
};

const serving: readonly (MoveStatus | null)[] = ['PREPARING', 'COPYING', 'CANCELLED', 'HERE'];

const serves = ({ status, isKnown }: Side): boolean =>
  status === null ? isKnown : serving.includes(status);

/** It waited for the merchant, which never came: by this move it has nothing, or a part. */
const neverHad = ({ status }: Side): boolean => status === 'ARRIVING' || status === 'UNDONE';

/** Its last move is one with a third cell, or it knows none. */
const isOfThird = (side: Side, other: Side): boolean => side.otherCellId !== other.cellId;

/**
 * The later first. After a restore two moves may have one number: then that which has gone on with a third
 * cell without the other is later, else who serves.
 */
const inOrder = (one: Side, other: Side): readonly [Side, Side] => {
  const [ofOne, ofOther] = [ranksOf(one, other), ranksOf(other, one)];
  const at = ofOne.findIndex((rank, which) => rank !== ofOther[which]);
  return (ofOne[at] ?? 0) >= (ofOther[at] ?? 0) ? [one, other] : [other, one];
};

const ranksOf = (side: Side, other: Side): readonly number[] => [
  ...[side.version, Number(isOfThird(side, other)), Number(serves(side))],
];

/** One serves it, and the other may still open it by their move: a command that goes on does so. */
const mayOpen = (high: Side, low: Side): boolean =>
  !isOfThird(high, low) &&
  ((high.status === 'ARRIVING' && serves(low)) ||
    (low.status === 'ARRIVING' && high.version === low.version && serves(high)));

/** It was restored to before the end of a move from which the merchant has gone on, or come back. */
const leftPaused = (high: Side, low: Side): string | null =>
  low.status === 'PAUSED' && low.version < high.version
    ? 'is paused in a move before its last'
    : null;

/** Null: one cell serves the merchant, by the last move that either knows. */
export const disagreement = (one: Side, other: Side): string | null => {
  const [high, low] = inOrder(one, other);
  if (serves(high) && serves(low)) return 'is served by both';
  if (mayOpen(high, low)) return moving;
  if (serves(high)) return leftPaused(high, low);
  if (serves(low))
    return neverHad(high) && !isOfThird(high, low)
      ? null
      : 'is served by one that has lost its last move';
  if (isOfThird(high, low)) return null;
  const isSame = high.version === low.version;
  return isSame && [one.status, other.status].includes('PAUSED') ? paused : 'is served by neither';
};

/** Nothing is lost: the commands of its move end it. */
export const paused = 'is paused in its move';
export const moving = 'is on its way';

/** No cell has a copy that is whole and not older than what was lost. */
export const lost =
  'What the merchant left was removed, and the cell that had it has lost it: restore that one again, to a ' +
  'later moment.';

/** Of two that disagree: the one that has the merchant; null: a third has it, or had it after the lower. */
export const keeperOf = (one: Side, other: Side): Side | null => {
  const [high, low] = inOrder(one, other);
  if (high.version === 0) throw new Error('No cell knows a move of it.');
  if (isOfThird(high, low)) return null;
  if (one.version !== other.version) {
    if (neverHad(high)) throw new Error(lost);
    return high;
  }
  // Of one move HERE decides; without it what the merchant left is whole.
  return one.status === 'HERE' || neverHad(other) ? one : other;
};

/** Of two whose last move is one with a third cell: the one that closes alone, and where it leads to. */
export const stragglerOf = (one: Side, other: Side) => {
  const [high, low] = inOrder(one, other);
  if (high.version === low.version && isOfThird(low, high))
    throw new Error(
      `Both have it by a move with the cell ${high.otherCellId}: name that one's database in ` +
        'OTHER_CELL_DATABASE_URL, in each of them.',
    );
  return {
    ...{ cellId: low.cellId, version: high.version },
    leadsTo: serves(high) ? high.cellId : (high.otherCellId ?? high.cellId),
  };
};

/** What is there is no copy that may ever be opened: a part of one, or what leads on, or nothing. */
export const isPart = (side: Side): boolean => neverHad(side) || !side.isKnown;
