/** Decimal digits that identify a float32. */
const FLOAT_DIGITS = 9;

/** The shortest text that parses to the same float32, as C++'s std::to_chars writes it. */
export function floatText(value: number): string {
  return special(value) ?? written(value, shortestExponential(value));
}

export const doubleText = (value: number): string => special(value) ?? written(value, value.toExponential());

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'nan';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  return undefined;
}

/** Tries fewer and fewer digits, because most floats have eight or nine. */
function shortestExponential(value: number): string {
  const float = Math.fround(value);
  let shortest = float.toExponential(FLOAT_DIGITS - 1);
  for (let digits = FLOAT_DIGITS - 2; digits >= 0; digits--) {
    const shorter = float.toExponential(digits);
    if (Math.fround(Number(shorter)) !== float) break;
    shortest = shorter;
  }
  return shortest;
}

/** Uses an exponent only if that is shorter. */
function written(value: number, exponential: string): string {
  const [, sign, digits, exponent] = /^(-?)([\d.]+)e(.*)$/.exec(exponential) as unknown as [
    string,
    string,
    string,
    string,
  ];
  const power = Number(exponent);
  const significant = digits.replace('.', '').replace(/0+$/, '');
  const plain = positional(Math.abs(value), significant, power);
  const mantissa = significant.length > 1 ? `${significant[0]}.${significant.slice(1)}` : significant;
  const scientific = `${mantissa}e${power < 0 ? '-' : '+'}${`${Math.abs(power)}`.padStart(2, '0')}`;
  return sign + (plain.length <= scientific.length ? plain : scientific);
}

/** Integers have all their digits. */
function positional(value: number, digits: string, power: number): string {
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${digits}`;
  if (digits.length > power + 1) return `${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
  return `${BigInt(value)}`;
}
