type Amounts = { readonly up: number; readonly down: number; readonly before?: number | undefined };

type BarScale = {
  /** Where the line of nothing is, from the top. */
  readonly zero: number;
  readonly length: (pounds: number) => number;
  /** Higher than the rest by so much that it would flatten them: its bar is cut, and says its amount. */
  readonly isCut: (pounds: number) => boolean;
  readonly lines: readonly { readonly pounds: number; readonly y: number }[];
};

const linesWanted = 4;
const fewestToCut = 5;
const farAbove = 3;

/** Fits the bars up and down into the height, with lines at round amounts. */
export const scaleBars = (
  bars: readonly Amounts[],
  { height }: { readonly height: number },
): BarScale => {
  const up = largestUncut(bars.flatMap((bar) => [bar.up, bar.before ?? 0]));
  const down = largestUncut(bars.map((bar) => bar.down));
  const step = roundStep((up + down || 1) / linesWanted);
  const [above, below] = [Math.ceil(up / step) || 1, Math.ceil(down / step)];
  const perPound = height / ((above + below) * step);
  const zero = above * step * perPound;
  return {
    zero,
    length: (pounds) => Math.max(pounds, 0) * perPound,
    isCut: (pounds) => pounds > above * step,
    lines: Array.from({ length: above + below + 1 }, (_, position) => {
      const pounds = (position - below) * step;
      return { pounds, y: zero - pounds * perPound };
    }),
  };
};

/** One day of a wedding party must not make the days of coffee invisible. */
const largestUncut = (amounts: readonly number[]): number => {
  const filled = amounts.filter((amount) => amount > 0).toSorted((one, other) => one - other);
  const usual = filled[Math.floor((filled.length - 1) * 0.75)] ?? 0;
  const isUsual = (amount: number) => filled.length < fewestToCut || amount <= usual * farAbove;
  return filled.findLast(isUsual) ?? 0;
};

/** 1, 2 or 5 times a power of ten, at least as large. */
const roundStep = (wanted: number): number => {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5].find((each) => each * power >= wanted) ?? 10) * power;
};
