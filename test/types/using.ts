// What must compile where the host's types know disposal. Checked, not run.
import { InferenceSession, Tensor } from 'sardonyx';
import { createPool } from 'sardonyx/pool';
import { InferenceSession as WorkerSession } from 'sardonyx/worker';

export async function ends(model: Uint8Array): Promise<void> {
  await using session = await InferenceSession.create(model);
  await using worker = await WorkerSession.create(model);
  await using pool = await createPool(model);
  using tensor = new Tensor([1]);
  await Promise.all([session.run({ x: tensor }), worker.run({ x: tensor }), pool.run({ x: tensor })]);
}
