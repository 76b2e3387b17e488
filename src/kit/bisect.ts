/**
 * Where a falling function of a positive number crosses `target`: bisection of the logarithm between `low` and `high`,
 * to `tolerance` relative. Gives the end that is nearest when the crossing lies outside.
 */
export function bisectFalling(
  falling: (x: number) => number,
  target: number,
  { low, high, tolerance = 1e-12 }: { readonly low: number; readonly high: number; readonly tolerance?: number },
): number {
  let from = Math.log(low);
  let to = Math.log(high);
  while (to - from > tolerance) {
    const middle = (from + to) / 2;
    if (middle <= from || middle >= to) break;
    if (falling(Math.exp(middle)) > target) from = middle;
    else to = middle;
  }
  return Math.exp((from + to) / 2);
}
