/** One kernel launch of a program. `barrier` says that the step reads or overwrites what an earlier step still works on. */
@unmanaged
export class Step {
  kernel: u32 = 0;
  params: u32 = 0;
  tiles: i32 = 0;
  barrier: i32 = 0;
}

/** This instance's scratch block: kernels use it within one call and keep nothing in it. Each thread has its own. */
export let scratch: usize = 0;

export function setScratch(address: usize): void {
  scratch = address;
}

/** Runs steps `begin…end` of the program, whole, on this thread. */
export function runProgram(program: usize, begin: i32, end: i32): void {
  for (let i = begin; i < end; i++) {
    const step = changetype<Step>(program + <usize>i * offsetof<Step>());
    call_indirect<void>(step.kernel, <usize>step.params, 0, step.tiles);
  }
}
