/**
 * Every colour, size and weight of the dashboard. A pair is for light and for dark; each text colour
 * reaches 4.5 to 1 on each surface, which axe checks on every page.
 */
export const tokens = {
  colour: {
    canvas: ['#f6f7f9', '#10151b'],
    surface: ['#ffffff', '#181f28'],
    raised: ['#ffffff', '#1f2833'],
    hover: ['#eef1f5', '#222c38'],
    selected: ['#e3f3f1', '#15333a'],
    line: ['#dfe4ea', '#2c3744'],
    strongLine: ['#8a95a3', '#6b7886'],
    fieldLine: ['#c6cdd6', '#3d4a59'],
    ink: ['#16202c', '#e9eef4'],
    soft: ['#566273', '#a3b0bf'],
    accent: ['#0b6f67', '#5fc9be'],
    good: ['#146c3c', '#6fd69b'],
    goodSurface: ['#e2f4e9', '#12321f'],
    wait: ['#1d5aa8', '#8fbdf5'],
    waitSurface: ['#e4eefb', '#14293f'],
    warn: ['#8a4b00', '#f2b866'],
    warnSurface: ['#fdf0dc', '#3a2710'],
    bad: ['#b3261e', '#ff9d94'],
    badSurface: ['#fdeae8', '#401a17'],
    calm: ['#4b5766', '#b3bfcc'],
    calmSurface: ['#eceff3', '#28323e'],
    sandboxBar: ['#f5b942', '#d99a1e'],
    sandboxInk: ['#3a2600', '#221600'],
    productionBar: ['#123c4a', '#0c5a63'],
    productionInk: ['#ffffff', '#ffffff'],
    operatorBar: ['#4a2f7a', '#5b3f96'],
    operatorInk: ['#ffffff', '#ffffff'],
    chartSold: ['#0b7a71', '#46b8ac'],
    chartRefunded: ['#c1663a', '#e0926b'],
    chartOther: ['#6f7f93', '#8b9aac'],
  },
  font: {
    text: 'Figtree, "Figtree fallback", system-ui, sans-serif',
    code: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  },
  text: {
    small: '0.8125rem',
    body: '0.90625rem',
    lead: '1rem',
    title: '1.5rem',
    figure: '1.75rem',
  },
  space: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  radius: { control: '6px', card: '10px' },
  /** The accent in ten steps, from light to dark, for Mantine's controls. */
  accentSteps: [
    '#e6f5f3',
    '#cdeae6',
    '#9fd8d1',
    '#5fc9be',
    '#33aea3',
    '#15938a',
    '#0b7a71',
    '#0b6f67',
    '#08574f',
    '#053e39',
  ],
  /** Greys of Mantine's controls in the dark, from text to canvas. */
  darkSteps: [
    '#e9eef4',
    '#a3b0bf',
    '#8b9aac',
    '#6b7886',
    '#2c3744',
    '#222c38',
    '#1f2833',
    '#181f28',
    '#10151b',
    '#0b0f14',
  ],
  menuWidth: '14.5rem',
  pageWidth: '80rem',
} as const;

const variable = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Each colour by its own name, for light, at 0, or for dark: `--ink`. */
export const colourVariables = (position: 0 | 1): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tokens.colour).map(([name, pair]) => [variable(name), pair[position]]),
  );

/** Sizes, spaces and letters: `--space-md`. */
export const sizeVariables = (): Record<string, string> => ({
  '--font-text': tokens.font.text,
  '--font-code': tokens.font.code,
  '--radius-card': tokens.radius.card,
  '--menu-width': tokens.menuWidth,
  '--page-width': tokens.pageWidth,
  ...Object.fromEntries(
    Object.entries(tokens.text).map(([name, size]) => [`--text-${name}`, size]),
  ),
  ...Object.fromEntries(
    Object.entries(tokens.space).map(([name, size]) => [`--space-${name}`, size]),
  ),
});
