import type { FunctionProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { parseFunction } from '../../text.js';

/**
 * Operators that ONNX defines as functions, from https://onnx.ai/onnx/operators: signature and nodes. `{1}` and
 * `{@alpha}` are numbers of the type of x.
 */
const TABLE = `
Celu <alpha: float = 1.0> (x) => (y) | q = Div(x, {@alpha}); e = Exp(q); m = Sub(e, {1}); s = Mul({@alpha}, m); l = Min({0}, s); r = Max({0}, x); y = Add(r, l)
Elu <alpha: float = 1.0> (x) => (y) | e = Exp(x); m = Sub(e, {1}); s = Mul({@alpha}, m); n = Less(x, {0}); y = Where(n, s, x)
GreaterOrEqual (x, b) => (y) | g = Greater(x, b); e = Equal(x, b); y = Or(g, e)
HardSigmoid <alpha: float = 0.2, beta: float = 0.5> (x) => (y) | s = Mul(x, {@alpha}); t = Add(s, {@beta}); l = Min(t, {1}); y = Max(l, {0})
HardSwish (x) => (y) | h = HardSigmoid <alpha = 0.16666667, beta = 0.5> (x); y = Mul(x, h)
LeakyRelu <alpha: float = 0.01> (x) => (y) | s = Mul({@alpha}, x); n = Less(x, {0}); y = Where(n, s, x)
LessOrEqual (x, b) => (y) | l = Less(x, b); e = Equal(x, b); y = Or(l, e)
Mish (x) => (y) | p = Softplus(x); t = Tanh(p); y = Mul(x, t)
PRelu (x, slope) => (y) | s = Mul(slope, x); n = Less(x, {0}); y = Where(n, s, x)
Relu (x) => (y) | y = Max(x, {0})
Selu <alpha: float = 1.6732632, gamma: float = 1.050701> (x) => (y) | e = Exp(x); a = Mul({@alpha}, e); m = Sub(a, {@alpha}); n = Less(x, {0}); w = Where(n, m, x); y = Mul({@gamma}, w)
Softplus (x) => (y) | e = Exp(x); p = Add(e, {1}); y = Log(p)
Softsign (x) => (y) | a = Abs(x); d = Add({1}, a); y = Div(x, d)
ThresholdedRelu <alpha: float = 1.0> (x) => (y) | g = Greater(x, {@alpha}); y = Where(g, x, {0})
`;

/** The first opset with CastLike. */
const FIRST_OPSET = 15;

/** The functions that define ONNX operators in an opset. */
export function schemaFunctions(opset: number): FunctionProto[] {
  if (opset < FIRST_OPSET)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `schemaFunctions needs opset ${FIRST_OPSET} or later, but the model has opset ${opset}; convert the model first`,
    );
  return TABLE.trim()
    .split('\n')
    .map((line) => parseFunction(textOf(line, opset)));
}

function textOf(line: string, opset: number): string {
  const [signature = '', body = ''] = line.split(' | ');
  const numbers = new Map<string, string>();
  const nodes = body.replace(/\{(@?\w+)\}/g, (_, number: string) => {
    const name = `like_${number.replace('@', '')}`;
    numbers.set(name, number.startsWith('@') ? `value_float: float = ${number}` : `value_float = ${number}.0`);
    return name;
  });
  const constants = [...numbers].map(
    ([name, said]) => `${name}_32 = Constant <${said}> ()\n${name} = CastLike(${name}_32, x)`,
  );
  return `<domain: "", opset_import: ["": ${opset}]> ${signature} { ${constants.join('\n')}\n${nodes.replaceAll(';', '\n')} }`;
}
