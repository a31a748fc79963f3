type Draws = { drawn: number; effective: number };

const draws = new Map<string, Draws>();

/** A command that ran, and whether it changed anything. */
export const countDraw = (name: string, isEffective: boolean): void => {
  const kind = name.split(' ')[0] ?? name;
  const counted = draws.get(kind) ?? { drawn: 0, effective: 0 };
  counted.drawn += 1;
  if (isEffective) counted.effective += 1;
  draws.set(kind, counted);
};

export const countedDraws = (): ReadonlyMap<string, Draws> => draws;
