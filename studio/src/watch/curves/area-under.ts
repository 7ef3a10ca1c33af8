/** Of a curve whose x goes from one side to the other, by trapezia. */
export function areaUnder(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let area = 0;
  for (let i = 1; i < x.length; i++)
    area += (((x[i] as number) - (x[i - 1] as number)) * ((y[i] as number) + (y[i - 1] as number))) / 2;
  return Math.abs(area);
}
