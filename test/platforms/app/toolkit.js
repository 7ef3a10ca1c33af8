const hex = async (bytes) =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (b) => b.toString(16).padStart(2, '0')).join(
    '',
  );

const bytesOf = (text) => new TextEncoder().encode(text);
const json = (value) => bytesOf(JSON.stringify(value, (_, x) => (typeof x === 'bigint' ? `${x}` : x)));

/** Files by name, as one. */
const together = async (files) =>
  bytesOf((await Promise.all(Array.from(files, async ([name, bytes]) => `${name} ${await hex(bytes)}`))).join());

/** A file of weights with zeros in the place of the model's first. */
function safetensors(name, shape) {
  const length = 4 * shape.reduce((a, b) => a * b, 1);
  const header = bytesOf(JSON.stringify({ [name]: { dtype: 'F32', shape, data_offsets: [0, length] } }));
  const bytes = new Uint8Array(8 + header.length + length);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 8);
  return bytes;
}

/** Ranges for every value, so that nothing is run: kernels of other instructions round otherwise. */
function rangesOf({ input, node }) {
  const names = [...input.map(({ name }) => name), ...node.flatMap(({ output }) => output)];
  return {
    method: 'minmax',
    values: Object.fromEntries(names.map((name, i) => [name, { lowest: -1, highest: 1 + i / 8 }])),
  };
}

const documents = {
  loaded: ({ loadModel }, _, bytes) => loadModel(new Blob([bytes])),
  text: ({ toText }, model) => bytesOf(toText(model)),
  lossless: async ({ loadModel, parseModel, toText }, _, bytes) =>
    parseModel(toText(await loadModel(bytes), { lossless: true })),
  divided: async ({ toExternalData, toText }, model) => bytesOf(toText(await toExternalData(model, { threshold: 0 }))),
  whole: async ({ fromExternalData, toExternalData }, model) =>
    fromExternalData(await toExternalData(model, { threshold: 0 })),
  issues: async ({ checkModel, toExternalData }, model) =>
    json(await checkModel(await toExternalData(model, { threshold: 0 }), { full: true })),
};

const changes = {
  newer: ({ convertVersion }, model) => convertVersion(model, 25),
  older: ({ convertVersion }, model) => convertVersion(model, 11),
  inferred: ({ inferShapes }, model) => inferShapes(model),
  inlined: async ({ convertVersion, inlineFunctions }, model) =>
    inlineFunctions(await convertVersion(model, 18), { schemaFunctions: true }),
  simple: async ({ simplify }, model) => (await simplify(model)).model,
  part: ({ extractModel }, model) => extractModel(model, undefined, [model.proto.graph.node[0].output[0]]),
  twice: ({ addPrefix, mergeModels }, model) => {
    const { input, output } = model.proto.graph;
    return mergeModels(model, addPrefix(model, 'b/'), {
      map:
        input[0].type.tensorType.shape.dim.length === output[0].type.tensorType.shape.dim.length
          ? [[output[0].name, `b/${input[0].name}`]]
          : [],
    });
  },
  renamed: ({ renameValues }, model) => renameValues(model, { [model.proto.graph.input[0].name]: 'renamed' }),
  watched: ({ addOutputs }, model) => addOutputs(model, [model.proto.graph.node[0].output[0]]),
  edited: ({ cleanUp, edit }, model) =>
    edit(model, (graph) => {
      for (const node of graph.allNodes) node.name = `${node.op}!`;
    }).then(cleanUp),
  stripped: async ({ deduplicateWeights, stripWeights }, model) => stripWeights(await deduplicateWeights(model)),
};

const numbers = {
  rounded: ({ quantizeWeights }, model) => quantizeWeights(model, { bits: 8 }),
  kquant: ({ quantizeWeights }, model) => quantizeWeights(model, { bits: 4, method: 'kquant' }),
  hqq: ({ quantizeWeights }, model) => quantizeWeights(model, { bits: 4, method: 'hqq' }),
  dynamic: ({ quantizeDynamic }, model) => quantizeDynamic(model),
  pairs: ({ quantizeStatic }, model) => quantizeStatic(model, rangesOf(model.proto.graph), { perChannel: true }),
  operators: ({ quantizeStatic }, model) => quantizeStatic(model, rangesOf(model.proto.graph), { format: 'QOperator' }),
  equalized: ({ equalize }, model) => equalize(model),
  half: async ({ toFloat16 }, model) => (await toFloat16(model, { keepIO: true })).model,
};

const formats = {
  tensorflow: async ({ toTensorFlowJS }, model) => together((await toTensorFlowJS(model)).files),
  again: async ({ fromTensorFlowJS, toTensorFlowJS }, model) =>
    fromTensorFlowJS(Object.fromEntries((await toTensorFlowJS(model)).files)),
  coreml: async ({ toCoreML }, model) => together(await toCoreML(model, { sizes: sizesOf(model) })),
  imported: async ({ importWeights, openTensor }, model) => {
    const [first] = model.proto.graph.initializer;
    const { dims } = await openTensor(first, model);
    return importWeights(model, new Blob([safetensors(first.name, dims)]));
  },
};

const sizesOf = ({ proto: { graph } }) =>
  Object.fromEntries(
    graph.input.flatMap(({ type }) =>
      type.tensorType.shape.dim.flatMap(({ dimParam }) => (dimParam ? [[dimParam, 1]] : [])),
    ),
  );

const findings = {
  inspected: async ({ inspectModel }, model) => json(await inspectModel(model, { dims: sizesOf(model) })),
  different: async ({ diffModels, toFloat16 }, model) => json(await diffModels(model, (await toFloat16(model)).model)),
};

const TOOLS = { ...documents, ...changes, ...numbers, ...formats, ...findings };

/** What each tool makes of a model, as hashes: they are alike in every host. */
export async function hashes(tools, bytes) {
  const model = await tools.loadModel(bytes);
  const found = {};
  for (const [name, make] of Object.entries(TOOLS)) {
    const made = await make(tools, model, bytes);
    found[name] = await hex(made instanceof Uint8Array ? made : await tools.saveModel(made));
  }
  return found;
}
