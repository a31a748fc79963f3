import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { tokens } from './tokens.ts';

const { colour, font, text, space, radius, accentSteps } = tokens;

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: [...accentSteps], dark: [...tokens.darkSteps] },
  primaryShade: 6,
  autoContrast: true,
  fontFamily: font.text,
  fontFamilyMonospace: font.code,
  fontSizes: { xs: text.small, sm: text.body, md: text.lead },
  headings: { fontFamily: font.text, fontWeight: '650' },
  defaultRadius: radius.control,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { fw: 550 } },
    // A page has one banner: the bar of the shell.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
  },
  respectReducedMotion: true,
});

const variable = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const coloursOf = (position: 0 | 1): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(colour).map(([name, pair]) => [variable(name), pair[position]]),
  ),
  '--mantine-color-body': colour.canvas[position],
  '--mantine-color-text': colour.ink[position],
  '--mantine-color-dimmed': colour.soft[position],
  '--mantine-color-error': colour.bad[position],
  '--mantine-color-anchor': colour.accent[position],
  '--mantine-color-default-border': colour.line[position],
  '--mantine-color-placeholder': colour.soft[position],
});

/** The tokens as variables of CSS, each by its own name: `--ink`, `--space-md`. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: {
    '--font-code': font.code,
    '--radius-card': radius.card,
    '--menu-width': tokens.menuWidth,
    '--page-width': tokens.pageWidth,
    ...Object.fromEntries(Object.entries(text).map(([name, size]) => [`--text-${name}`, size])),
    ...Object.fromEntries(Object.entries(space).map(([name, size]) => [`--space-${name}`, size])),
  },
  light: coloursOf(0),
  dark: coloursOf(1),
});
