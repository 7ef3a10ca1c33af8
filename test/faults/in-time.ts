/** Generous: a machine that is busy with other things takes its time, and what hangs still fails. */
const LONGEST = 60_000;

/** What `promise` gives; an error where it does not settle in any time that a busy machine could take. */
export async function inTime<T>(what: string, promise: Promise<T>, longest = LONGEST): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not settled after ${longest / 1000} s`)), longest);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
