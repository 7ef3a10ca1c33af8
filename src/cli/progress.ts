const { stderr } = process;

/** Writing to a terminal takes some 20 µs, as long as a run of a small model. */
const MILLISECONDS_BETWEEN = 100;

let shown = '';
let since = 0;

/** Shows one line about long work on a terminal's stderr, in place of the one before; `step` changes too fast to show each. */
export function progress(line: string, step = ''): void {
  if (!stderr.isTTY) return;
  const now = performance.now();
  if (shown === line && now - since < MILLISECONDS_BETWEEN) return;
  stderr.write(`\r\x1b[2K${`${line}${step}`.slice(0, (stderr.columns ?? 80) - 1)}`);
  shown = line;
  since = now;
}

export function endProgress(): void {
  if (shown) stderr.write('\r\x1b[2K');
  shown = '';
}
