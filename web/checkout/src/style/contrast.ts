type Channels = readonly [red: number, green: number, blue: number];

const hexColour = /^#?([0-9a-f]{6})$/i;

/** The contrast ratio of WCAG 2, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
};

/** `rrggbb` in lower case, or null if it is no colour. */
export const plainHex = (colour: string | null): string | null =>
  colour === null ? null : (hexColour.exec(colour.trim())?.[1]?.toLowerCase() ?? null);

const channelsOf = (hex: string): Channels => {
  const value = Number.parseInt(hex, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
};

const hexOf = (channels: Channels): string =>
  channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('');

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = (hex: string): number => {
  const [red, green, blue] = channelsOf(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
};

const darker = (hex: string, share: number): string => {
  const [red, green, blue] = channelsOf(hex);
  return hexOf([red * (1 - share), green * (1 - share), blue * (1 - share)]);
};

const calm = 0.8;

/** Nearly as colourful as before: mixed with white, a colour looks switched off on a dark ground. */
const lighter = (hex: string, share: number): string => {
  const channels = channelsOf(hex);
  const [high, low] = [Math.max(...channels) / 255, Math.min(...channels) / 255];
  const lightness = (high + low) / 2;
  const colourful = (calm * (high - low)) / (1 - Math.abs(2 * lightness - 1) || 1);
  const target = lightness + (1 - lightness) * share;
  const reach = colourful * (1 - Math.abs(2 * target - 1));
  const lift = (channel: number): number =>
    high === low ? target : target + ((channel / 255 - lightness) / (high - low)) * reach;
  const [red, green, blue] = channels;
  return hexOf([lift(red) * 255, lift(green) * 255, lift(blue) * 255]);
};

const steps = 40;

/** The nearest shade of `hex` with at least `ratio` against every background. */
export const shadeFor = (
  hex: string,
  scheme: 'light' | 'dark',
  grounds: readonly string[],
  ratio: number,
): string => {
  const shadeAt = scheme === 'dark' ? lighter : darker;
  for (let step = 0; step < steps; step += 1) {
    const shade = shadeAt(hex, step / steps);
    if (grounds.every((ground) => contrast(shade, ground) >= ratio)) return shade;
  }
  return scheme === 'dark' ? 'ffffff' : '000000';
};

/** Black or white, whichever reads better on the colour: one of the two always reaches 4.5 to 1. */
export const inkOn = (hex: string): string =>
  contrast(hex, 'ffffff') >= contrast(hex, '000000') ? 'ffffff' : '000000';
