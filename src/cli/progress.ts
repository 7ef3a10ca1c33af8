const { stderr } = process;

let shown = false;

/** Shows one line about long work on a terminal's stderr, in place of the one before. */
export function progress(line: string): void {
  if (!stderr.isTTY) return;
  stderr.write(`\r\x1b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}`);
  shown = true;
}

export function endProgress(): void {
  if (shown) stderr.write('\r\x1b[2K');
  shown = false;
}
