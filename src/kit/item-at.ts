/** The item at an index that the caller knows to be there; throws RangeError when it is not. */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index} among ${items.length}`);
  return item;
}
