import { lifecycle } from '#kernel/lifecycle.ts';

/** The side of a move that a merchant leaves (CELLS). */
export const leavingLifecycle = lifecycle({
  name: 'move of a merchant, in the cell that it leaves',
  initial: 'PREPARING',
  states: ['PREPARING', 'COPYING', 'PAUSED', 'GONE', 'CANCELLED'],
  edges: [
    { from: 'PREPARING', trigger: 'copyBegan', to: 'COPYING' },
    { from: 'COPYING', trigger: 'paused', to: 'PAUSED' },
    { from: 'PAUSED', trigger: 'pauseLifted', to: 'COPYING' },
    { from: 'PAUSED', trigger: 'arrivedThere', to: 'GONE' },
    { from: 'PREPARING', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'COPYING', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'PAUSED', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'PREPARING', trigger: 'givenUp', to: 'CANCELLED' },
    { from: 'COPYING', trigger: 'givenUp', to: 'CANCELLED' },
    { from: 'PAUSED', trigger: 'otherCellLost', to: 'CANCELLED' },
    { from: 'GONE', trigger: 'otherCellLost', to: 'CANCELLED' },
  ],
});

/** The side that it comes to. HERE decides: before it the merchant is in the other cell, then in this one. */
export const arrivingLifecycle = lifecycle({
  name: 'move of a merchant, in the cell that it comes to',
  initial: 'ARRIVING',
  states: ['ARRIVING', 'HERE', 'UNDONE'],
  edges: [
    { from: 'ARRIVING', trigger: 'arrived', to: 'HERE' },
    { from: 'ARRIVING', trigger: 'cancelled', to: 'UNDONE' },
  ],
});

export type MoveStatus =
  | (typeof leavingLifecycle.states)[number]
  | (typeof arrivingLifecycle.states)[number];
