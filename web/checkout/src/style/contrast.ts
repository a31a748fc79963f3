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

const mixed = (hex: string, into: string, share: number): string => {
  const [from, to] = [channelsOf(hex), channelsOf(into)];
  const mix = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * share;
  return hexOf([mix(0), mix(1), mix(2)]);
};

const steps = 40;

/** The nearest shade of `hex`, towards `into`, with at least `ratio` against every background. */
export const shadeFor = (
  hex: string,
  into: string,
  grounds: readonly string[],
  ratio: number,
): string => {
  for (let step = 0; step <= steps; step += 1) {
    const shade = mixed(hex, into, step / steps);
    if (grounds.every((ground) => contrast(shade, ground) >= ratio)) return shade;
  }
  return into;
};

/** Black or white, whichever reads better on the colour: one of the two always reaches 4.5 to 1. */
export const inkOn = (hex: string): string =>
  contrast(hex, 'ffffff') >= contrast(hex, '000000') ? 'ffffff' : '000000';
