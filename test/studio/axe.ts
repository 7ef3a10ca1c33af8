import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from './studio-page.js';

const AXE = readFileSync(
  fileURLToPath(new URL('../../studio/node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
);
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds wrong, as text; it asks contrast of at least 4.5, too. */
export async function violations(page: Page, where: string): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  );
}
