/** How many points of the transform are given. */
export const onesidedLength = (length: number): number => Math.floor(length / 2) + 1;
