/** A slip of a programmer: `written` in place of `right`, which stands in the file exactly once. */
export interface Fault {
  readonly name: string;
  readonly file: string;
  readonly right: string;
  readonly written: string;
}

const RULES: readonly Fault[] = [
  {
    name: 'reduction above a transposition gives axes back in the inverse order',
    file: 'src/primitives/reduce.ts',
    right: 'left.map((axis) => order.indexOf(axis))',
    written: 'order.map((axis) => left.indexOf(axis))',
  },
  {
    name: 'padding above a transposition by the permutation, not its inverse',
    file: 'src/primitives/pad.ts',
    right: 'inverse(perm).map((axis) => parameters.paddings[axis] as Padding)',
    written: 'perm.map((axis) => parameters.paddings[axis] as Padding)',
  },
  {
    name: 'residual joins a product that has its activation',
    file: 'src/optimize/rules/epilogues.ts',
    right: "const free = activationOf(product) === 'None' && !product.inputs[RESIDUAL];",
    written: 'const free = !product.inputs[RESIDUAL];',
  },
  {
    name: 'rows of addends pass for a bias',
    file: 'src/optimize/rules/epilogues.ts',
    right: 'const isVector = constant.dims.at(-1) === channels && constant.dims.slice(0, -1).every((d) => d === 1);',
    written: 'const isVector = constant.dims.at(-1) === channels;',
  },
  {
    name: 'constants of other dims are the same',
    file: 'src/optimize/common-subexpressions.ts',
    right: 'JSON.stringify([constant.type, constant.dims, Array',
    written: 'JSON.stringify([constant.type, Array',
  },
  {
    name: 'elementwise chains forget what memory does to narrow types',
    file: 'src/optimize/fuse-elementwise.ts',
    right: 'if (inner.register !== outer.register || !keeps(type.element, inner)) return false;',
    written: 'if (inner.register !== outer.register) return false;',
  },
  {
    name: 'attention forgets a factor of the keys',
    file: 'src/optimize/rules/attention.ts',
    right: "const scale = ['q', 'k', 'kt', 'score']",
    written: "const scale = ['q', 'kt', 'score']",
  },
  {
    name: 'group normalization with the default epsilon',
    file: 'src/optimize/rules/group-norm.ts',
    right: "epsilon: floatAttribute(floatOf(m.node('instance').attributes, 'epsilon', 1e-5)),",
    written: 'epsilon: floatAttribute(1e-5),',
  },
  {
    name: 'hard swish of a gate with any offset',
    file: 'src/optimize/rules/activations.ts',
    right: "return isGate && floatOf(attributes, 'beta', 0.5) === 0.5 ? undefined : 'another slope';",
    written: "return isGate ? undefined : 'another slope';",
  },
  {
    name: 'dilated pooling in channels-first order',
    file: 'src/primitives/pool.ts',
    right: "const isDilated = intsOf(attributes, 'dilations')?.some((n) => n !== 1);",
    written: 'const isDilated = false;',
  },
];

const PLANS: readonly Fault[] = [
  {
    name: 'a buffer may begin where another ends',
    file: 'src/backends/wasm/plan/placement.ts',
    right: 'if (rival.first > last || first > rival.last) continue;',
    written: 'if (rival.first > last || first >= rival.last) continue;',
  },
  {
    name: 'a view does not keep its buffer',
    file: 'src/backends/wasm/plan/draft.ts',
    right: 'if (root) root.until = Math.max(root.until, this.lastUse.get(output) ?? NEVER);',
    written: '',
  },
  {
    name: 'no barrier before a launch reads what another writes',
    file: 'src/backends/wasm/plan/program.ts',
    right: 'const depends = overlaps(reading, writes) || overlaps(writing, writes) || overlaps(writing, reads);',
    written: 'const depends = overlaps(writing, writes) || overlaps(writing, reads);',
  },
  {
    name: 'a plan for contents serves others of their dims',
    file: 'src/backends/wasm/execute/plans.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what the file says
    right: '`${dims}=${data}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what the file says
    written: '`${dims}`',
  },
  {
    name: 'an arena that grows forgets its contents',
    file: 'src/backends/wasm/plan/arena.ts',
    right: 'engine.u8.copyWithin(base, this.#base, this.#base + this.#capacity);',
    written: '',
  },
  {
    name: 'columns of a transposed left operand by the wrong dimension',
    file: 'src/backends/wasm/lower/matmul.ts',
    right: 'aColumnStride: transA ? rows : 1,',
    written: 'aColumnStride: transA ? k : 1,',
  },
  {
    name: 'batches that broadcast in three ways lose the outermost',
    file: 'src/backends/wasm/lower/batches.ts',
    right: 'for (let axis = 0; axis < rank - 2; axis++) {',
    written: 'for (let axis = 0; axis < rank - 3; axis++) {',
  },
  {
    name: 'a slice with a step is one run',
    file: 'src/backends/wasm/lower/copy.ts',
    right: 'isSame(length, 1) || (step === 1 && axis >= last)',
    written: 'isSame(length, 1) || axis >= last',
  },
  {
    name: 'sums of squares over two runs of axes are squared twice',
    file: 'src/backends/wasm/lower/reduce.ts',
    right: "{ SumSquare: 'Sum', L1: 'Sum' }",
    written: "{ L1: 'Sum' }",
  },
  {
    name: 'a window rounded up may begin in the padding',
    file: 'src/primitives/window.ts',
    right: 'out: maximum(last, minimum(add(last, 1), starts))',
    written: 'out: add(last, 1)',
  },
];

const KERNELS: readonly Fault[] = [
  {
    name: 'last columns of LogSumExp are shifted by the first',
    file: 'assembly/reduction.ts',
    right: 'fold == Fold.AddExp ? v128.load(shifts + vectors) : start',
    written: 'fold == Fold.AddExp ? v128.load(shifts) : start',
  },
  {
    name: 'halves to the next integer',
    file: 'assembly/elementwise/floats.ts',
    right: 'v128.nearest<T>(v128.load(a))',
    written: 'v128.floor<T>(v128.add<T>(v128.load(a), v128.splat<T>(<T>0.5)))',
  },
  {
    name: 'padding counted from the wrong side',
    file: 'assembly/pooling.ts',
    right: 'endTap(left, p.dilationWidth, p.width + p.padRight, p.kernelWidth)',
    written: 'endTap(left, p.dilationWidth, p.width + p.padLeft, p.kernelWidth)',
  },
  {
    name: 'ties of TopK go to the higher index',
    file: 'assembly/top-k.ts',
    right: '(key == otherKey && index > otherIndex)',
    written: '(key == otherKey && index < otherIndex)',
  },
  {
    name: 'remainders take the sign of the dividend',
    file: 'assembly/elementwise/integers.ts',
    right: 'return r != 0 && (r ^ b) < 0 ? r + b : r;',
    written: 'return r < 0 ? r + b : r;',
  },
  {
    name: 'strips of a depthwise convolution whatever its multiplier',
    file: 'assembly/depthwise.ts',
    right: 'const strips = p.multiplier == 1 && p.channels >= 4 && rows > 0 && slack >= 0;',
    written: 'const strips = p.channels >= 4 && rows > 0 && slack >= 0;',
  },
  {
    name: 'attention does not rescale what it has when the maximum moves',
    file: 'assembly/attention/block.ts',
    right: 'if (key) rescale(outputs, rows, pitch, scratch + DECAYS);',
    written: '',
  },
  {
    name: 'a broadcast operand begins each block at the start of a row',
    file: 'assembly/elementwise/gather-block.ts',
    right: 'let column = <usize>load<u32>(index + last);',
    written: 'let column: usize = 0;',
  },
  {
    name: 'Winograd writes whole tiles beyond the last column',
    file: 'assembly/convolution/winograd.ts',
    right: 'const columns = min(SIZE, p.outWidth - left);',
    written: 'const columns = SIZE;',
  },
  {
    name: '16-bit elements transposed in the wrong order',
    file: 'assembly/transpose.ts',
    right: '2, 6, 10, 14, 3, 7, 11, 15);\n  v128.store_lane<i64>(y, low, 0);',
    written: '2, 6, 10, 14, 3, 7, 15, 11);\n  v128.store_lane<i64>(y, low, 0);',
  },
];

const SESSIONS: readonly Fault[] = [
  {
    name: 'a scalar takes nothing but []',
    file: 'src/session/feeds.ts',
    right: 'single && hasOneElement(dims) ? single : readDims(dims, held.dims)',
    written: 'readDims(dims, held.dims)',
  },
  {
    name: 'an attribute that has become an input is ignored',
    file: 'src/schema/moves.ts',
    right: 'move.attribute === attribute && move.to <= since',
    written: 'move.attribute === attribute && move.to < 0',
  },
  {
    name: 'cached keys and values have the bias added',
    file: 'src/ops/microsoft/multi-head-attention.ts',
    right: 'operand.rank === 4 ? headsOf(c, operand) : biased(c, headsOf(c, operand), at)',
    written: 'biased(c, headsOf(c, operand), at)',
  },
  {
    name: 'keys of the past are those of each beam itself',
    file: 'src/ops/microsoft/multi-head-attention.ts',
    right: "f('Add', sources, first),",
    written: 'list([batch, 1], (i) => i),',
  },
  {
    name: 'decoders are not given the tokens of the encoder',
    file: 'src/ops/microsoft/generation/encoder-decoder.ts',
    right: 'if (inputs[1]?.name !== tokens) return form;',
    written: 'if (inputs[0]?.name !== tokens) return form;',
  },
  {
    name: 'attention takes an open past for a number',
    file: 'src/ops/microsoft/multi-head-attention.ts',
    right: "typeof past !== 'number' || ![MASK, ATTENTION_BIAS, PAST_KEY, PAST_VALUE, INDIRECTION].every(isSized)",
    written: 'past === undefined || ![MASK, ATTENTION_BIAS, INDIRECTION].every(isSized)',
  },
  {
    name: 'kernels that do not come are a wrong argument',
    file: 'src/base/not-loaded.ts',
    right: 'if (known) return known;',
    written: '',
  },
];

const VALUES: readonly Fault[] = [
  {
    name: 'a bias of integers wraps around',
    file: 'src/optimize/rules/integer-products.ts',
    right: 'return room >= 0 && Array.prototype.every.call(biases, (bias) => Math.abs(bias) <= room);',
    written: 'return room >= 0;',
  },
  {
    name: '1 to the power of NaN is NaN on the host',
    file: 'src/primitives/formulas.ts',
    right: 'x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y;',
    written: 'x ** y;',
  },
  {
    name: 'an infinite pixel spoils its Winograd tile',
    file: 'assembly/convolution/winograd.ts',
    right: 'if (!areFinite(SIZE, whole)) convolveTile(SIZE, p, tile, c, whole);',
    written: '',
  },
  {
    name: 'an outlier takes the digits of its block',
    file: 'assembly/quantization/quantize-blocks.ts',
    right: 'return areBytes(form) || !areMostlySmall(from, count, largest * SMALL);',
    written: 'return true;',
  },
];

const NUMERICS: readonly Fault[] = [
  {
    name: 'halves are computed on in floats where an operator has parts alone',
    file: 'src/optimize/rules/half-precision.ts',
    right:
      'if (!parts || !(areWide || parts.every((part) => mayCarry(operatorOf(part)))))\n        return onFloats(made, node, editor, build);',
    written: 'if (!parts || !(areWide || parts.every((part) => mayCarry(operatorOf(part))))) return undefined;',
  },
  {
    name: 'places of asymmetric coordinates are divided in double precision',
    file: 'src/primitives/resize-tables.ts',
    right: 'asymmetric: (i: number, { scale }: ResizeAxis) => f(i / scale),',
    written: 'asymmetric: (i: number, { scale }: ResizeAxis) => i / scale,',
  },
  {
    name: 'places between cubic taps are padded, as the taps are',
    file: 'assembly/grid-sample.ts',
    right: 'const place = p.mode == GridMode.Cubic ? exact : padded(p, wanted, size);',
    written: 'const place = padded(p, wanted, size);',
  },
];

/** The toolkit: `npm run fuzz:mutants` does not find these, the sweeps under test/toolkit do. */
const TOOLKIT: readonly Fault[] = [
  {
    name: 'files have floats in the place of quantised weights',
    file: 'src/optimize/file-growth.ts',
    right: 'if (view.operator.unpacks && operands.length > 0) return true;',
    written: '',
  },
  {
    name: 'two factors become 0',
    file: 'src/tools/simplify/rules/factors.ts',
    right: '(Math.abs(product) >= LEAST || a === 0 || b === 0)',
    written: 'true',
  },
  {
    name: 'inputs of subgraphs that are read by name get others',
    file: 'src/model/write-model.ts',
    right: 'if (keepsNames) names.keep(madeBorders(written));',
    written: '',
  },
  {
    name: 'eight elements of four bits an entry',
    file: 'src/tools/check/rules/tensor.ts',
    right: 'Math.ceil((count * bits) / 8)',
    written: 'Math.ceil((count * bits) / 32)',
  },
  {
    name: 'scales by columns of what is no matrix',
    file: 'src/tools/quantize/dynamic/product.ts',
    right: 'const column = rank === 2 ? (transposed ? 0 : 1) : undefined;',
    written: 'const column = transposed ? rank - 2 : rank - 1;',
  },
  {
    name: 'experimental operators stay beyond their end',
    file: 'src/tools/convert/convert-graph.ts',
    right: "const former = c.domain === '' ? FORMER[node.opType] : undefined;",
    written: 'const former = undefined;',
  },
];

/** What no random model shows: test/lifecycles, test/session/turns.test.ts and test/platforms/browsers find these. */
const HOSTS: readonly Fault[] = [
  {
    name: 'threads of a session that is forgotten work on',
    file: 'src/backends/wasm/wasm-backend.ts',
    right: 'if (team) onForgotten(this, dismiss, team);',
    written: '',
  },
  {
    name: 'what waits for the end of a web worker that is terminated waits for ever',
    file: 'workers/platform-worker.ts',
    right: "end(new Error('the worker was terminated'));",
    written: '',
  },
  {
    name: 'a loop of runs gives the event loop no turn',
    file: 'src/session/runs.ts',
    right: 'return isTurnDue() ? afterTurn(results) : results;',
    written: 'return results;',
  },
  {
    name: 'a stream that a worker has left goes on',
    file: 'workers/streams.ts',
    right: "if (data === 'end') return end();",
    written: '',
  },
  {
    name: 'a policy that forbids instances alone is a fault of the product',
    file: 'src/backends/wasm/kernels.ts',
    right: 'throw isForbidden(cause) ? unavailable(cause) : cause;',
    written: 'throw cause;',
  },
];

/** As they could be written by mistake, not as the random graphs would find them best. */
export const FAULTS: readonly Fault[] = [
  ...RULES,
  ...PLANS,
  ...KERNELS,
  ...SESSIONS,
  ...VALUES,
  ...NUMERICS,
  ...TOOLKIT,
  ...HOSTS,
];
