import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { colourVariables, sizeVariables, tokens } from './tokens.ts';

const { colour, font, text, radius, accentSteps } = tokens;

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
    Button: { defaultProps: { fw: 600 } },
    InputWrapper: {
      // Most fields are needed: those that are not say so.
      defaultProps: {
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
        withAsterisk: false,
      },
    },
    // A page has one banner: the bar of the shell.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
  },
  respectReducedMotion: true,
});

const coloursOf = (position: 0 | 1): Record<string, string> => ({
  ...colourVariables(position),
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
  variables: sizeVariables(),
  light: coloursOf(0),
  dark: coloursOf(1),
});
