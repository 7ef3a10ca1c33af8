import type { Modules } from '../graph/picture.js';
import { at, type Lists, listsBy } from './columns.js';
import type { Flows } from './folding.js';

/**
 * What lies directly in each module, and at the top, which has the number `modules.count`. A flow is cut at the borders of the
 * modules that it leaves and enters, where it passes ports: each piece lies in one level and joins two of its items.
 */
export interface Levels {
  readonly codes: Codes;
  readonly count: number;
  /** Pieces by level. */
  readonly ofLevel: Lists;
  /** Pieces of each flow, along it: those of flow i from flowStart[i] to flowStart[i + 1]. */
  readonly flowStart: Int32Array;
  readonly level: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly flow: Int32Array;
  /** Items that are ends, and modules with something drawn in them, by level. */
  readonly members: Lists;
}

/** Items by number: modules, then ends, then the ports through which values come in, then those through which they go out. */
export interface Codes {
  readonly firstEnd: number;
  readonly firstIn: number;
  readonly firstOut: number;
}

export function levelsOf(modules: Modules, flows: Flows, values: number): Levels {
  const codes = {
    firstEnd: modules.count,
    firstIn: modules.count + flows.ends,
    firstOut: modules.count + flows.ends + values,
  };
  const top = modules.count;
  const depth = new Int32Array(top + 1);
  for (let m = 0; m < top; m++) depth[m] = parentOf(m) === top ? 1 : at(depth, parentOf(m)) + 1;
  const flowStart = new Int32Array(flows.count + 1);
  const level: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const flow: number[] = [];
  const down: number[] = [];
  for (let f = 0; f < flows.count; f++) {
    cut(f);
    flowStart[f + 1] = level.length;
  }
  const columns = { level: Int32Array.from(level), from: Int32Array.from(from), to: Int32Array.from(to) };
  const ofLevel = listsBy(top + 1, columns.level, undefined);
  return { codes, count: top + 1, ofLevel, flowStart, ...columns, flow: Int32Array.from(flow), members: membersOf() };

  function parentOf(module: number): number {
    const parent = at(modules.parent, module);
    return parent < 0 ? top : parent;
  }

  function levelOfEnd(end: number): number {
    const module = end < flows.firstInput ? at(modules.ofNode, end) : -1;
    return module < 0 ? top : module;
  }

  function cut(f: number): void {
    const value = at(flows.value, f);
    let a = levelOfEnd(at(flows.from, f));
    let b = levelOfEnd(at(flows.to, f));
    let source = codes.firstEnd + at(flows.from, f);
    let target = codes.firstEnd + at(flows.to, f);
    down.length = 0;
    while (a !== b) {
      if (at(depth, a) >= at(depth, b)) {
        add(a, source, codes.firstOut + value, f);
        source = a;
        a = parentOf(a);
      } else {
        down.push(b, codes.firstIn + value, target);
        target = b;
        b = parentOf(b);
      }
    }
    add(a, source, target, f);
    for (let i = down.length - 3; i >= 0; i -= 3) add(at(down, i), at(down, i + 1), at(down, i + 2), f);
  }

  function add(l: number, a: number, b: number, f: number): void {
    level.push(l);
    from.push(a);
    to.push(b);
    flow.push(f);
  }

  function membersOf(): Lists {
    const keys: number[] = [];
    const items: number[] = [];
    const hasDrawn = new Uint8Array(top + 1);
    for (let end = 0; end < flows.ends; end++) {
      if (!flows.isDrawn[end]) continue;
      keys.push(levelOfEnd(end));
      items.push(codes.firstEnd + end);
      for (let m = levelOfEnd(end); m !== top && !hasDrawn[m]; m = parentOf(m)) hasDrawn[m] = 1;
    }
    for (let m = 0; m < top; m++) {
      if (!hasDrawn[m]) continue;
      keys.push(parentOf(m));
      items.push(m);
    }
    return listsBy(top + 1, keys, items);
  }
}
