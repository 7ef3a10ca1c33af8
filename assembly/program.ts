/**
 * One kernel launch of a program. `barrier` says that the step reads or overwrites what an earlier step still works on; `phase`, that
 * of the step itself, each as many tiles read what those before have written, if it is not 0.
 */
@unmanaged
export class Step {
  kernel: u32 = 0;
  params: u32 = 0;
  tiles: i32 = 0;
  barrier: i32 = 0;
  phase: i32 = 0;
}

/** This instance's scratch block: kernels use it within one call and keep nothing in it. Each thread has its own. */
export let scratch: usize = 0;

export function setScratch(address: usize): void {
  scratch = address;
}

/** Runs the tiles `from…to` of the steps `begin…end`, on this thread; they are numbered through the steps, from 0 on. */
export function runProgram(program: usize, begin: i32, end: i32, from: i32, to: i32): void {
  let first = 0;
  for (let i = begin; i < end && first < to; i++) {
    const step = changetype<Step>(program + <usize>i * offsetof<Step>());
    const last = first + step.tiles;
    if (last > from) call_indirect<void>(step.kernel, <usize>step.params, max(from - first, 0), min(to, last) - first);
    first = last;
  }
}
