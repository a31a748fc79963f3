import { expect, test } from 'vitest';
import { requireSameCell } from './begin-move.ts';
import type { MoveStatus } from './move-lifecycle.ts';
import { disagreement, isPart, keeperOf, moving, type Side, stragglerOf } from './sides.ts';

type Said = readonly [version: number, status: MoveStatus | null, otherCellId?: string];

const side = (cellId: string, to: string, [version, status, otherCellId = to]: Said): Side => ({
  ...{ cellId, merchantId: 'm', version, status, otherCellId },
  // A cell that the merchant has never reached knows nothing of it.
  isKnown: cellId === 'one' || version > 0,
});

const none: Said = [0, null];

test.each<[Said, Said]>([
  [[1, 'PREPARING'], none],
  [
    [3, 'PREPARING'],
    [2, 'GONE'],
  ],
  [
    [1, 'PAUSED'],
    [1, 'HERE'],
  ],
  [
    [1, 'GONE'],
    [1, 'HERE'],
  ],
  [
    [1, 'CANCELLED'],
    [1, 'UNDONE'],
  ],
  // given up here, when the other was lost
  [
    [2, 'CANCELLED'],
    [1, 'ARRIVING'],
  ],
  // restored to before a move that was cancelled
  [none, [1, 'UNDONE']],
  [
    [2, 'UNDONE'],
    [1, 'HERE'],
  ],
  // on to a third, when it was back
  [
    [3, 'GONE', 'three'],
    [2, 'GONE'],
  ],
])('one cell serves it: %o and %o', (one, other) => {
  const [a, b] = [side('one', 'two', one), side('two', 'one', other)];
  expect([disagreement(a, b), disagreement(b, a)]).toEqual([null, null]);
});

test.each<[Said, Said, string, string]>([
  // restored to before the move, or before its end
  [none, [1, 'HERE'], 'is served by both', 'two'],
  [[1, 'COPYING'], [1, 'HERE'], 'is served by both', 'two'],
  [[2, 'CANCELLED'], [1, 'HERE'], 'is served by both', 'one'],
  [[1, 'GONE'], none, 'is served by neither', 'one'],
  [[1, 'GONE'], [1, 'ARRIVING'], 'is served by neither', 'one'],
  // back in the first by the second move, which it has lost
  [[1, 'GONE'], [2, 'GONE'], 'is served by neither', 'two'],
  [[3, 'GONE'], [1, 'HERE'], 'is served by one that has lost its last move', 'one'],
  [[2, 'PAUSED'], none, 'is served by neither', 'one'],
  // restored to before its end, when the other had begun to give it back
  [[1, 'PAUSED'], [2, 'PREPARING'], 'is paused in a move before its last', 'two'],
  // given up here, when a restore had taken away that the other one had counted on
  [[1001, 'CANCELLED'], [2, 'PAUSED'], 'is paused in a move before its last', 'one'],
])('the later move is right: %o and %o', (one, other, fault, keeper) => {
  const [a, b] = [side('one', 'two', one), side('two', 'one', other)];
  expect([disagreement(a, b), disagreement(b, a)]).toEqual([fault, fault]);
  expect([keeperOf(a, b)?.cellId, keeperOf(b, a)?.cellId]).toEqual([keeper, keeper]);
});

test.each<[Said, Said]>([
  [
    [1, 'PREPARING'],
    [1, 'ARRIVING'],
  ],
  [
    [1, 'COPYING'],
    [1, 'ARRIVING'],
  ],
  // restored to before its move, which the other waits for
  [none, [1, 'ARRIVING']],
  [
    [2, 'ARRIVING'],
    [1, 'HERE'],
  ],
])('one serves it, and a command that hangs may open it in the other: %o and %o', (one, other) => {
  const [a, b] = [side('one', 'two', one), side('two', 'one', other)];
  expect([disagreement(a, b), disagreement(b, a)]).toEqual([moving, moving]);
});

test.each<[Said]>([
  [[1, 'PAUSED', 'three']],
  [[1, 'ARRIVING', 'three']],
  [[1, 'UNDONE', 'three']],
  [[1, 'GONE', 'three']],
  [[1, 'COPYING', 'three']],
  [[1, 'HERE', 'three']],
])('the move of two other cells is theirs: %o', (said) => {
  const stranger = { ...side('one', 'two', none), isKnown: false };
  const ofThem = side('two', 'one', said);
  expect([disagreement(stranger, ofThem), disagreement(ofThem, stranger)]).toEqual([null, null]);
  expect(keeperOf(stranger, ofThem)).toBe(null);
});

const hasLost = 'is served by one that has lost its last move';
test.each<[Said, Said, string | null, string]>([
  // given up in the second, which was lost and has come back, and on to a third
  [[3, 'GONE', 'three'], [1, 'HERE'], hasLost, 'three'],
  [[3, 'COPYING', 'three'], [1, 'HERE'], 'is served by both', 'one'],
  // and back from it, or on its way
  [[4, 'HERE', 'three'], [1, 'HERE'], 'is served by both', 'one'],
  [[4, 'ARRIVING', 'three'], [1, 'HERE'], hasLost, 'three'],
  [[4, 'UNDONE', 'three'], [1, 'HERE'], hasLost, 'three'],
  // the same, as the first was restored to before it went to the second: the numbers are those of that move
  [[1, 'GONE', 'three'], [1, 'HERE'], hasLost, 'three'],
  [[1, 'COPYING', 'three'], [1, 'HERE'], 'is served by both', 'one'],
  // closed since, and leading to the third
  [[3, 'GONE', 'three'], [3, 'GONE', 'three'], null, ''],
  [[1, 'GONE', 'three'], [1, 'CANCELLED', 'three'], null, ''],
])(
  'a cell that comes back after the merchant went on closes alone: %o and %o',
  (one, other, fault, leadsTo) => {
    const [a, b] = [side('one', 'two', one), side('two', 'one', other)];
    expect([disagreement(a, b), disagreement(b, a)]).toEqual([fault, fault]);
    if (fault === null) return;
    expect([keeperOf(a, b), keeperOf(b, a)]).toEqual([null, null]);
    const closes = { cellId: 'two', leadsTo, version: one[0] };
    expect([stragglerOf(a, b), stragglerOf(b, a)]).toEqual([closes, closes]);
  },
);

test('with the third cell itself a straggler is found, too, and agreed with once it leads there', () => {
  const [third, back] = [side('three', 'one', [3, 'HERE']), side('two', 'one', [1, 'HERE'])];
  expect(disagreement(back, third)).toBe('is served by both');
  expect(stragglerOf(back, third)).toEqual({ cellId: 'two', leadsTo: 'three', version: 3 });
  for (const version of [1, 3]) {
    const has = side('three', 'one', [version, 'HERE']);
    const led = side('two', 'three', [version, 'GONE']);
    expect([disagreement(led, has), disagreement(has, led)]).toEqual([null, null]);
  }
  const twice = [side('one', 'three', [1, 'HERE']), side('two', 'three', [1, 'HERE'])] as const;
  expect(disagreement(...twice)).toBe('is served by both');
  expect(() => stragglerOf(...twice)).toThrow('by a move with the cell three');
});

test.each<[Said, boolean]>([
  [[1, 'ARRIVING'], true],
  [[1, 'UNDONE'], true],
  [none, true],
  [[1, 'GONE'], false],
  [[1, 'HERE'], false],
])('what closes is a whole copy, or a part: %o', (said, part) => {
  expect(isPart(side('two', 'one', said))).toBe(part);
});

test('a move goes on with its own cell alone', () => {
  const ours = { ...{ merchant_id: 'm', move_id: 'a', version: 1, other_cell_id: 'two' } };
  const move = { ...ours, was_here: false, is_removed: false };
  const going = { ...move, status: 'PREPARING' } as const;
  expect(() => requireSameCell(going, null, 'three')).toThrow('began with the cell two');
  const waits = { ...move, other_cell_id: 'one', status: 'ARRIVING' } as const;
  expect(() => requireSameCell(going, waits, 'three')).toThrow('began with the cell two');
  expect(() => requireSameCell(going, null, 'two')).not.toThrow();
  expect(() => requireSameCell({ ...move, status: 'GONE' }, waits, 'two')).toThrow('or not enough');
});

test('a pause is ended by its own commands, and a third cell is not settled with', () => {
  const one = side('one', 'two', [1, 'PAUSED']);
  expect(disagreement(one, side('two', 'one', [1, 'ARRIVING']))).toBe('is paused in its move');
  const gone = side('one', 'two', [3, 'GONE', 'three']);
  const stale = side('two', 'one', [1, 'HERE']);
  expect(disagreement(gone, stale)).toBe('is served by one that has lost its last move');
  expect(keeperOf(gone, stale)).toBe(null);
  // Its copy made room for rows that came in part, and the other has an older one.
  const waits = side('one', 'two', [4, 'ARRIVING']);
  const old = side('two', 'one', [2, 'GONE']);
  expect(disagreement(waits, old)).toBe('is served by neither');
  expect(() => keeperOf(waits, old)).toThrow('restore that one again');
});
