// e^x, log x and x^y in double precision, within 0.55, 1 and 0.55 ULP; 0.75 if a result is subnormal. The standard library's functions have
// tables of 11 kB in each binary, which do not compress; these have 1 kB and take 1.3, 1.5 and 1.2 times as long.

/** For each of 32 intervals of z in [0.7083, 1.4167): 1/z to nine bits; its −log rounded to a multiple of 2⁻⁴²; the remainder. */
// biome-ignore format: a row an interval
const INTERVALS = memory.data<f64>([
  1.39453125, -0.3325583373000427, -3.390686133672229e-14,
  1.3671875, -0.31275571000378477, -1.1211800740360982e-13,
  1.33984375, -0.29255300268641804, 4.0599978860151284e-14,
  1.3125, -0.2719337154835557, -8.604306772808733e-14,
  1.28515625, -0.2508803062858078, -1.5973663463624904e-15,
  1.2578125, -0.22937410106487732, 3.149265065191484e-14,
  1.234375, -0.21056476910735, 3.6507188831790577e-16,
  1.2109375, -0.19139485299956505, -6.440856150696892e-14,
  1.1875, -0.17185025692674571, 8.649239607212071e-14,
  1.16796875, -0.15526612891108016, -4.3792508292406054e-14,
  1.14453125, -0.13499516453748583, -1.8996158041578768e-14,
  1.125, -0.11778303565643, 4.654729747598445e-14,
  1.10546875, -0.10026945316371894, 4.378637617078398e-14,
  1.0859375, -0.08244366921098845, -8.614512936087814e-14,
  1.0703125, -0.06795066190852594, 1.8195060030168815e-14,
  1.05078125, -0.04953393512232651, 4.9880309107981426e-14,
  1.03515625, -0.034552381506728125, 6.839139742328777e-14,
  1.01953125, -0.019342962843211353, 8.041853850522586e-14,
  1.0, 0.0, 0.0,
  0.9765625, 0.023716526617363343, -4.730054772033249e-14,
  0.9453125, 0.05623971832278585, 9.023009281142904e-14,
  0.91796875, 0.0855919303353403, 6.322009333691484e-14,
  0.89453125, 0.11145544092528326, 3.957125899799804e-14,
  0.8671875, 0.14250006260726877, 1.4256439478199035e-14,
  0.84765625, 0.16528009093917717, -7.424679100316254e-14,
  0.82421875, 0.1933193110035063, -1.0320443688698849e-14,
  0.8046875, 0.21730127569003344, -5.204008743405884e-14,
  0.78515625, 0.24187253642048745, -7.252318953240293e-16,
  0.765625, 0.2670627852489815, 6.371947269815667e-14,
  0.74609375, 0.29290401643288533, 4.727452940514406e-14,
  0.73046875, 0.3140688276250785, -1.0263280755261064e-13,
  0.71484375, 0.3356912916381134, 2.8136969901227338e-14,
], 16);
/** Start of the first interval. The 19th reaches from ⅔·2⁻⁶ below 1 to ⅓·2⁻⁵ above: there log x is log(1+r) alone. */
const FIRST: u64 = 0x3fe6aaaaaaaaaaaa;

/** 2^(i/16), and its relative remainder. */
// biome-ignore format: a row a power
const SIXTEENTHS = memory.data<f64>([
  1.0, 0.0,
  1.0442737824274138, 8.189317638195515e-17,
  1.0905077326652577, -2.7939114859515733e-17,
  1.1387886347566916, 7.826573258636076e-17,
  1.189207115002721, 3.3484623336251524e-17,
  1.241857812073484, 3.750854201303127e-17,
  1.2968395546510096, 1.9572585293112036e-17,
  1.3542555469368927, 5.68648095791174e-17,
  1.4142135623730951, -6.835808657661922e-17,
  1.4768261459394993, -2.3591094770850053e-17,
  1.5422108254079407, 5.1548301170786783e-17,
  1.6104903319492543, 1.5341410053603723e-17,
  1.681792830507429, 4.875160526227062e-17,
  1.7562521603732995, 1.685487290628973e-17,
  1.8340080864093424, 1.790126907604513e-17,
  1.9152065613971474, -5.545065618639427e-17,
], 16);

// In each pair, the first constant is exact when multiplied by an integer of 11 or 15 bits.
const LN2: f64 = 0.6931471805598903;
const LN2_REST: f64 = 5.497923018708371e-14;
const STEP: f64 = 0.04332169878489367;
const STEP_REST: f64 = 1.0291218489310676e-13;
const STEPS: f64 = 23.083120654223414;

const HIGH_WORD: u64 = 0xffffffff00000000;
const HIGH_HALF: u64 = 0xfffffffff8000000;
const EXPONENT: u64 = 0xfff0000000000000;
const SMALLEST_NORMAL: f64 = 2.2250738585072014e-308;
/** 1.5·2⁵²: adding it rounds to an integer, which is then in the low bits. */
const ROUND: f64 = 6755399441055744;

/** The bits of a double that a mask keeps. */
@inline
function part(x: f64, mask: u64): f64 {
  return reinterpret<f64>(reinterpret<u64>(x) & mask);
}

/** t in log(1+r) = r − r²/2 + r³·t, up to the term r¹², by Estrin's scheme. */
@inline
function logarithmTail(r: f64): f64 {
  const r2 = r * r;
  const low = 1.0 / 3 - 0.25 * r + r2 * (0.2 - (1.0 / 6) * r);
  const high = 1.0 / 7 - 0.125 * r + r2 * (1.0 / 9 - 0.1 * r) + r2 * r2 * (1.0 / 11 - (1.0 / 12) * r);
  return low + r2 * r2 * high;
}

/** The entry in INTERVALS for a number with these bits. */
@inline
function intervalOf(bits: u64): usize {
  return INTERVALS + (<usize>((bits - FIRST) >> 47) & 31) * 24;
}

/** k in 2^k·z, with z in one of the intervals. */
@inline
function exponentOf(bits: u64): f64 {
  return <f64>(<i64>(bits - FIRST) >> 52);
}

@inline
function significandOf(bits: u64): f64 {
  return reinterpret<f64>(bits - ((bits - FIRST) & EXPONENT));
}

/** log(2^(k + scale)·z) for a number with these bits. */
@inline
function logarithm(bits: u64, scale: f64): f64 {
  const interval = intervalOf(bits), k = exponentOf(bits) + scale, z = significandOf(bits);
  const inverse = load<f64>(interval);
  const head = part(z, HIGH_WORD);
  const r = head * inverse - 1 + (z - head) * inverse;
  const base = k * LN2 + load<f64>(interval, 8);
  const sum = base + r;
  const low = base - sum + r + (k * LN2_REST + load<f64>(interval, 16));
  return low + r * r * (r * logarithmTail(r) - 0.5) + sum;
}

/** The remainder of longLogarithm()'s result, about 2⁻⁵³ of it. */
let rest: f64 = 0;

/** Like logarithm(), to 66 bits: the bits beyond a double are in `rest`. */
@inline
function longLogarithm(bits: u64, scale: f64): f64 {
  const interval = intervalOf(bits), k = exponentOf(bits) + scale, z = significandOf(bits);
  // z times `inverse` is 1+r: both products are exact, and so is the square of the first.
  const inverse = load<f64>(interval);
  const head = part(z, HIGH_WORD);
  const near = head * inverse - 1, far = (z - head) * inverse;
  const r = near + far;
  const square = -0.5 * near * near;

  const base = k * LN2 + load<f64>(interval, 8);
  const sum = base + r;
  const high = sum + square;
  const lost = near - r + far + (base - sum + r) + (sum - high + square);
  const small = k * LN2_REST + load<f64>(interval, 16) - far * (near + 0.5 * far) + r * r * r * logarithmTail(r);
  const low = lost + small;
  const result = high + low;
  rest = high - result + low;
  return result;
}

/** Subnormal numbers are scaled by this, 2⁵². */
const SCALE: f64 = 4503599627370496;

/** e^(x + low) for |x| < 800. */
@inline
function exponential(x: f64, low: f64): f64 {
  const rounded = x * STEPS + ROUND;
  const steps = rounded - ROUND;
  const n = reinterpret<i64>(rounded) << 13 >> 13;
  const r = x - steps * STEP - (steps * STEP_REST - low);
  const r2 = r * r;
  const tail = 0.5 + (1.0 / 6) * r + r2 * (1.0 / 24 + (1.0 / 120) * r + r2 * (1.0 / 720 + (1.0 / 5040) * r));
  const sixteenth = SIXTEENTHS + ((<usize>n & 15) << 4);
  const relative = load<f64>(sixteenth, 8) + r + r2 * tail;
  const k = n >> 4;
  // Two factors: the result may be subnormal or overflow even if 2^k is out of range.
  const near = abs<f64>(x) < 700 ? k : k >> 1;
  const scale = reinterpret<f64>(load<i64>(sixteenth) + (near << 52));
  const result = scale + scale * relative;
  return near == k ? result : result * reinterpret<f64>((k - near + 1023) << 52);
}

export function exp64(x: f64): f64 {
  if (abs<f64>(x) < 750) return exponential(x, 0);
  if (x != x) return x;
  return x > 0 ? Infinity : 0;
}

export function log64(x: f64): f64 {
  if (x >= SMALLEST_NORMAL && x < Infinity) return logarithm(reinterpret<u64>(x), 0);
  if (x == 0) return -Infinity;
  if (x > 0 && x < Infinity) return logarithm(reinterpret<u64>(x * SCALE), -52);
  return x < 0 ? NaN : x;
}

/** x^y for a positive finite x and a finite y. */
function positivePower(x: f64, y: f64): f64 {
  const log = x < SMALLEST_NORMAL ? longLogarithm(reinterpret<u64>(x * SCALE), -52) : longLogarithm(reinterpret<u64>(x), 0);
  const about = log * y;
  if (!(abs<f64>(about) < 750)) return about > 0 ? Infinity : 0;
  const yHead = part(y, HIGH_HALF), logHead = part(log, HIGH_HALF);
  return exponential(yHead * logHead, (y - yHead) * logHead + y * (log - logHead + rest));
}

/** |x|^y for any numbers but NaN. */
function power(x: f64, y: f64): f64 {
  if (x > 0 && x < Infinity && abs<f64>(y) < Infinity) return positivePower(x, y);
  if (x == 1) return 1;
  return x > 1 == y > 0 ? Infinity : 0;
}

@inline
function isOdd(y: f64): bool {
  return trunc<f64>(y) == y && trunc<f64>(0.5 * y) != 0.5 * y;
}

/** x^y, with the special values of C's pow. */
export function pow64(x: f64, y: f64): f64 {
  if (y == 1) return x;
  if (y == 2) return x * x;
  if (x > 0 && x < Infinity && abs<f64>(y) < Infinity) return positivePower(x, y);
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return NaN;
  if (x < 0 && x > -Infinity && trunc<f64>(y) != y) return NaN;
  const size = power(abs<f64>(x), y);
  return isOdd(y) ? copysign<f64>(size, x) : size;
}
