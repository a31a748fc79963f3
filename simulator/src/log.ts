export type Log = (message: string, facts?: Readonly<Record<string, unknown>>) => void;

// Standard output carries one line, the ready line; everything else goes to standard error.
export const logToStderr: Log = (message, facts = {}) => {
  process.stderr.write(`${JSON.stringify({ simulator: message, ...facts })}\n`);
};
