import { layoutService } from '../../studio/src/layout/service.js';
import { decoder } from '../../test/studio/layout/graphs.js';
import { all } from '../../test/studio/layout/pictures.js';

// Processor time of the studio's layout on graphs as large language models have them, all modules open: `npm run bench:layout`.

/** Layers, of 23 nodes each. */
const SIZES = [87, 435, 2174];
const RUNS = 5;

function processorTime(run: () => void): number {
  const { user, system } = process.cpuUsage();
  run();
  const after = process.cpuUsage();
  return (after.user - user + after.system - system) / 1000;
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

console.log('nodes    scopes  boxes   edges   modules ms  picture ms  all ms (first)');
for (const layers of SIZES)
  for (const hasScopes of [true, false]) {
    const outline = decoder(layers, hasScopes);
    const rows = Array.from({ length: RUNS }, () => {
      const service = layoutService();
      let opened: number[] = [];
      const modules = processorTime(() => {
        opened = all(service.open(outline));
      });
      let drawn = { boxes: 0, edges: 0 };
      const picture = processorTime(() => {
        const { boxes, edges } = service.picture({ opened, direction: 'down', folds: true });
        drawn = { boxes: boxes.count, edges: edges.count };
      });
      return { modules, picture, ...drawn };
    });
    const totals = rows.map(({ modules, picture }) => modules + picture);
    const cells = [
      ...[outline.nodes.count, hasScopes ? 'yes' : 'no', rows[0]?.boxes, rows[0]?.edges],
      ...[middle(rows.map((row) => row.modules)), middle(rows.map((row) => row.picture))].map((ms) => ms.toFixed(0)),
      `${middle(totals).toFixed(0)} (${totals[0]?.toFixed(0)})`,
    ];
    console.log(cells.map((cell) => String(cell).padEnd(9)).join(''));
  }
