type Amounts = {
  readonly up: number;
  readonly down: number;
  /** On top of `up`. */
  readonly back?: number;
  readonly before?: number | undefined;
};

type BarScale = {
  /** Where the line of nothing is, from the top. */
  readonly zero: number;
  readonly length: (pounds: number) => number;
  readonly lines: readonly { readonly pounds: number; readonly y: number }[];
};

const linesWanted = 4;

/** Fits the bars up and down into the height, with lines at even steps. */
export const scaleBars = (
  bars: readonly Amounts[],
  { height }: { readonly height: number },
): BarScale => {
  const up = Math.max(0, ...bars.flatMap((bar) => [bar.up + (bar.back ?? 0), bar.before ?? 0]));
  const down = Math.max(0, ...bars.map((bar) => bar.down));
  const step = roundStep((up + down || 1) / linesWanted);
  const above = Math.ceil(up / step) || 1;
  const below = down / step;
  const perPound = height / ((above + below) * step);
  const linesBelow = Math.floor(below);
  const zero = above * step * perPound;
  return {
    zero,
    length: (pounds) => Math.max(pounds, 0) * perPound,
    lines: Array.from({ length: above + linesBelow + 1 }, (_, position) => {
      const pounds = (position - linesBelow) * step;
      return { pounds, y: zero - pounds * perPound };
    }),
  };
};

/** 1, 2 or 5 times a power of ten, at least as large. */
const roundStep = (wanted: number): number => {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5].find((each) => each * power >= wanted) ?? 10) * power;
};
