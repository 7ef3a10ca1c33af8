const hex = async (bytes) =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (b) => b.toString(16).padStart(2, '0')).join(
    '',
  );

const bytesOf = (text) => new TextEncoder().encode(text);

/** What each tool makes of a model. */
async function made(tools, bytes) {
  const { checkModel, convertVersion, fromExternalData, inferShapes, inlineFunctions, loadModel, parseModel } = tools;
  const { equalize, quantizeDynamic, quantizeWeights, saveModel, simplify, toExternalData, toText } = tools;
  const model = await loadModel(bytes);
  const divided = await toExternalData(model, { threshold: 0 });
  return {
    loaded: await saveModel(await loadModel(new Blob([bytes]))),
    text: bytesOf(toText(model)),
    lossless: await saveModel(parseModel(toText(await loadModel(bytes), { lossless: true }))),
    divided: bytesOf(toText(divided)),
    converted: await saveModel(await convertVersion(model, 25)),
    inferred: await saveModel(await inferShapes(model)),
    inlined: await saveModel(await inlineFunctions(model)),
    bits: await saveModel(await quantizeWeights(model, { bits: 4, method: 'hqq' })),
    integers: await saveModel(await quantizeDynamic(model)),
    equalized: await saveModel(await equalize(model)),
    simple: await saveModel((await simplify(model)).model),
    whole: await saveModel(await fromExternalData(divided)),
    issues: bytesOf(JSON.stringify(await checkModel(divided, { full: true }))),
  };
}

/** The same as hashes: they are alike in every host. */
export async function hashes(tools, bytes) {
  const entries = Object.entries(await made(tools, bytes)).map(async ([name, result]) => [name, await hex(result)]);
  return Object.fromEntries(await Promise.all(entries));
}
