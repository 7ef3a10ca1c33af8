import { inspectModel, type Model } from 'sardonyx/model';
import type { Work } from '../contracts/documents.js';

export async function workOf(model: Model, dims: Readonly<Record<string, number>>): Promise<Work> {
  try {
    const { multiplyAdds, uncounted, refusal } = await inspectModel(model, { dims });
    return { multiplyAdds, uncounted, refusal };
  } catch (error) {
    return { multiplyAdds: Number.NaN, uncounted: 0, refusal: (error as Error).message };
  }
}
