export type Progress = {
  readonly at: (done: number, text: string) => void;
  readonly end: () => void;
};

type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

const width = 24;
const plainLines = 12;

/** A bar on a terminal; elsewhere a line now and then. */
export const showProgress = (output: Output, total: number): Progress => {
  let said = 0;
  const bar = (done: number, text: string) => {
    const filled = Math.round((done / total) * width);
    const line = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done}/${total} days  ${text}`;
    output.write(`\r\u001b[K${line.slice(0, (output.columns ?? 100) - 1)}`);
  };
  const plain = (done: number, text: string) => {
    const due = Math.floor((done / total) * plainLines);
    if (due <= said && done < total) return;
    said = due;
    output.write(`${done}/${total} days  ${text}\n`);
  };
  return {
    at: output.isTTY ? bar : plain,
    end: () => {
      if (output.isTTY) output.write('\n');
    },
  };
};
