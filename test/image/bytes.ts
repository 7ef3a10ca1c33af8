/** What is written in base64. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The largest difference between two lists of one length. */
export function worst(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} entries, not ${expected.length}`);
  let most = 0;
  for (let i = 0; i < actual.length; i++)
    most = Math.max(most, Math.abs((actual[i] as number) - (expected[i] as number)));
  return most;
}
