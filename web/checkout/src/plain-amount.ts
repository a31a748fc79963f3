const zeros = [0x0660, 0x06f0, 0x09e6, 0x0a66, 0x0ae6];

/**
 * Pounds as people write them, with a sign, a comma or the digits of their own script, as a plain
 * decimal. Text that is no amount stays invalid.
 */
export const plainAmount = (typed: string): string =>
  typed
    .replace(/\p{Nd}/gu, (figure) => {
      const code = figure.codePointAt(0) ?? 0;
      const zero = zeros.find((each) => code >= each && code < each + 10);
      return zero === undefined ? figure : String(code - zero);
    })
    .replace(/[\s£\u200e\u200f]/g, '')
    .replace(/[,\u066b](\d{1,2})$/, '.$1');
