/** `2:53`: minutes and seconds, the same on the server and in the browser. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
