// Uses of the public interface that must not compile. Checked, not run.
import { env, InferenceSession, type SardonyxError, Tensor } from 'sardonyx';
import { modelBuilder, tensor } from 'sardonyx/builder';

export async function sessions(session: InferenceSession): Promise<void> {
  // @ts-expect-error sessions are made by create
  new InferenceSession();
  // @ts-expect-error no source
  await InferenceSession.create(42);
  // @ts-expect-error no such level
  await InferenceSession.create('model.onnx', { graphOptimizationLevel: 'full' });
  // @ts-expect-error sizes are numbers
  await InferenceSession.create('model.onnx', { freeDimensionOverrides: { batch: 'one' } });
  // @ts-expect-error feeds are missing
  await session.run();
  // @ts-expect-error a number is no value
  await session.run({ x: 1 });
  // @ts-expect-error fetches are names
  await session.run({}, [1]);
  // @ts-expect-error outputs are written into tensors
  await session.run({}, { y: new Float32Array(4) });
  // @ts-expect-error names are fixed by the model
  session.inputNames.push('z');
  const results = await session.run({});
  // @ts-expect-error an output may be a sequence, a map or absent
  results.y.dims;
}

export function tensors(x: Tensor): void {
  // @ts-expect-error no such element type
  new Tensor('float33', [1]);
  // @ts-expect-error no data
  new Tensor('float32');
  // @ts-expect-error dims are numbers
  new Tensor('float32', [1], ['1']);
  // @ts-expect-error dims are fixed
  x.dims = [1];
}

export function errors(error: SardonyxError): boolean {
  // @ts-expect-error no such code
  return error.code === 'BROKEN';
}

export function configures(): void {
  // @ts-expect-error no such variant
  env.wasm.variant = 'sse';
}

export function builds(): void {
  // @ts-expect-error the opset is missing
  modelBuilder({});
  const b = modelBuilder({ opset: 21 });
  // @ts-expect-error no such element type
  b.input('x', 'float', [1]);
  // @ts-expect-error inputs are values, not names
  b.op('Relu', ['x']);
  // @ts-expect-error a single output is no list
  const [first, second] = b.node('Relu', [b.input('y', 'float32')]);
  // @ts-expect-error dims come second
  tensor('float32', new Float32Array(2), [2]);
  console.log(first, second);
}
