/** Formats rows as columns; `>` before a heading aligns its column to the right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const right = headings.map((heading) => heading.startsWith('>'));
  const head = headings.map((heading) => heading.replace(/^>/, ''));
  const all = head.some((heading) => heading !== '') ? [head, ...rows] : rows;
  const widths = head.map((_, column) => Math.max(0, ...all.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (right[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}
