/**
 * One kernel launch of a program. `barrier`: the step reads or overwrites data that an earlier step still works on. `phase`, if not 0:
 * every `phase` tiles of the step read what the tiles before them have written.
 */
@unmanaged
export class Step {
  kernel: u32 = 0;
  params: u32 = 0;
  tiles: i32 = 0;
  barrier: i32 = 0;
  phase: i32 = 0;
}

/** This instance's scratch block. Kernels use it within one call and keep nothing in it. Each thread has its own. */
export let scratch: usize = 0;

export function setScratch(address: usize): void {
  scratch = address;
}

/** Runs the tiles `from…to` of the steps `begin…end` on this thread; tiles are numbered across the steps, from 0. */
export function runProgram(program: usize, begin: i32, end: i32, from: i32, to: i32): void {
  let first = 0;
  for (let i = begin; i < end && first < to; i++) {
    const step = changetype<Step>(program + <usize>i * offsetof<Step>());
    const last = first + step.tiles;
    if (last > from) call_indirect<void>(step.kernel, <usize>step.params, max(from - first, 0), min(to, last) - first);
    first = last;
  }
}
