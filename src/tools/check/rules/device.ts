import type { ModelProto, NodeDeviceConfigurationProto, NodeProto, ShardingSpecProto } from '../../../../build/onnx.js';
import { toNumber } from '../../../model/int64.js';
import { at, type Context, eachRepeated, entriesOf, error, needs, type Rule } from '../context.js';
import { since } from './metadata.js';

/** https://onnx.ai/onnx/repo-docs/proposals/ONNXMultiDeviceProposal.html */
export function configurations({ configuration }: ModelProto, c: Context): void {
  if (configuration.length > 0) since(11, 'configuration', at(c, 'configuration'));
  for (const [{ name, numDevices, device }, place] of entriesOf(configuration, 'configuration', c)) {
    needs({ name }, 'name', place);
    if (numDevices < 1)
      error(at(place, 'num_devices'), 'DEVICE', `num_devices is ${numDevices}; expected at least 1`, { value: name });
    if (device.length > 0 && device.length !== numDevices)
      error(at(place, 'device'), 'DEVICE', `${device.length} devices are listed, but num_devices is ${numDevices}`, {
        value: name,
      });
  }
  eachRepeated(
    configuration,
    ({ name }) => name,
    ({ name }, i) =>
      error(at(c, 'configuration', i), 'DUPLICATE', `duplicate configuration "${name}"`, { value: name }),
  );
}

export const deviceRules: readonly Rule<NodeProto>[] = [
  ({ deviceConfigurations }, c) => {
    if (deviceConfigurations.length > 0) since(11, 'device_configurations', at(c, 'device_configurations'));
  },
  (node, c) => {
    for (const [entry, place] of entriesOf(node.deviceConfigurations, 'device_configurations', c))
      checkConfiguration(entry, node, place);
  },
];

function checkConfiguration(entry: NodeDeviceConfigurationProto, node: NodeProto, c: Context): void {
  const { configurationId, shardingSpec } = entry;
  if (!needs(entry, 'configurationId', c)) return;
  const devices = c.configurations?.get(configurationId);
  if (c.configurations && devices === undefined)
    error(at(c, 'configuration_id'), 'DEVICE', `the model has no configuration "${configurationId}"`, {
      value: configurationId,
      hint: `the model has ${[...c.configurations.keys()].join(', ') || 'no configurations'}`,
    });
  for (const [spec, place] of entriesOf(shardingSpec, 'sharding_spec', c)) checkSharding(spec, node, devices, place);
}

function checkSharding(spec: ShardingSpecProto, node: NodeProto, devices: number | undefined, c: Context): void {
  const { tensorName, device, indexToDeviceGroupMap, shardedDim } = spec;
  if (needs(spec, 'tensorName', c) && ![...node.input, ...node.output].includes(tensorName))
    error(at(c, 'tensor_name'), 'DEVICE', `"${tensorName}" is not an input or output of the node`, {
      value: tensorName,
    });
  const groups = new Set(indexToDeviceGroupMap.map(({ key }) => toNumber(key)));
  const isDevice = (i: number) => i >= 0 && (devices === undefined || i < devices);
  for (const [i, index] of device.map(toNumber).entries())
    if (!isDevice(index) && !groups.has(index))
      error(at(c, 'device', i), 'DEVICE', `${index} is neither a device nor a device group`, { value: tensorName });
  for (const [{ value }, place] of entriesOf(indexToDeviceGroupMap, 'index_to_device_group_map', c))
    for (const index of value.map(toNumber))
      if (!isDevice(index)) error(place, 'DEVICE', `${index} is not a device`, { value: tensorName });
  for (const [{ simpleSharding }, place] of entriesOf(shardedDim, 'sharded_dim', c))
    for (const [{ numShards }, inner] of entriesOf(simpleSharding, 'simple_sharding', place))
      if (toNumber(numShards) < 1)
        error(at(inner, 'num_shards'), 'DEVICE', `num_shards is ${toNumber(numShards)}; expected at least 1`, {
          value: tensorName,
        });
}
