import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Picture } from '../../../studio/src/graph/picture.js';
import { crossings } from './crossings.js';
import { flatPicture, picturesOf } from './pictures.js';

// Prints netron.json: the crossings of Netron's layout on the graphs that we draw, boxes as large as ours.
//   node --import tsx test/studio/layout/netron.ts NETRON MODELS
// NETRON is a checkout of https://github.com/lutzroeder/netron, MODELS the folder of shared models.

interface DagreNode {
  v: string;
  width: number;
  height: number;
}
interface DagreEdge {
  v: string;
  w: string;
  points?: { x: number; y: number }[];
}
interface Dagre {
  layout(nodes: DagreNode[], edges: DagreEdge[], layout: object, state: object): void;
}

const [netron = '', models = ''] = process.argv.slice(2);
const dagre: Dagre = await import(pathToFileURL(resolve(netron, 'source/dagre.js')).href);

/** As source/grapher.js asks for it. */
function crossingsOf({ boxes, edges }: Picture): number {
  const nodes = Array.from({ length: boxes.count }, (_, v) => ({
    v: `n${v}`,
    width: boxes.width[v] ?? 0,
    height: boxes.height[v] ?? 0,
  }));
  const keys = new Set(Array.from(edges.from, (v, i) => `n${v},n${edges.to[i]}`));
  const lines: DagreEdge[] = [...keys].map((key) => {
    const [v = '', w = ''] = key.split(',');
    return { v, w, minlen: 1, weight: 1, width: 0, height: 0, labeloffset: 10, labelpos: 'r' };
  });
  dagre.layout(nodes, lines, { nodesep: 20, ranksep: 20 }, {});
  const drawn = lines.map(({ v, points = [] }) => ({
    net: Number(v.slice(1)),
    corners: points.flatMap(({ x, y }) => [x, y]),
  }));
  return crossings(drawn).pairs;
}

const golden: Record<string, { closed: number; opened: number }> = {};
for (const model of readdirSync(models, { withFileTypes: true })) {
  if (!model.isDirectory()) continue;
  const { closed, outline } = await picturesOf(join(models, model.name, 'model.onnx'));
  golden[model.name] = { closed: crossingsOf(closed), opened: crossingsOf(flatPicture(outline)) };
}
console.log(JSON.stringify(golden, null, 2));
