"""Writes small.ort and small.tflite: pip install onnx onnxruntime tensorflow-cpu. Made with onnxruntime 1.30.0 and TensorFlow 2.21.0."""

import numpy as np
import onnxruntime
import tensorflow as tf
from onnx import TensorProto, helper, numpy_helper

FLOAT, SHAPE = TensorProto.FLOAT, ['n', 2, 6, 6]


def branch(name, operator, output):
    node = helper.make_node(operator, ['y'], [output], name=f'in_{name}')
    return helper.make_graph([node], name, [], [helper.make_tensor_value_info(output, FLOAT, SHAPE)])


weight = numpy_helper.from_array((np.arange(18, dtype=np.float32) / 4 - 2).reshape(2, 1, 3, 3), 'w')
graph = helper.make_graph(
    [
        helper.make_node('Conv', ['x', 'w'], ['y'], name='stem/conv', kernel_shape=[3, 3], auto_pad='NOTSET'),
        helper.make_node(
            'If',
            ['yes'],
            ['c'],
            name='choose',
            then_branch=branch('then', 'Relu', 't'),
            else_branch=branch('else', 'Sigmoid', 'e'),
        ),
        helper.make_node('LeakyRelu', ['c'], ['z'], name='leaky', alpha=0.25),
    ],
    'small',
    [helper.make_tensor_value_info('x', FLOAT, ['n', 1, 8, 8]), helper.make_tensor_value_info('yes', TensorProto.BOOL, [])],
    [helper.make_tensor_value_info('z', FLOAT, SHAPE)],
    [weight],
    doc_string='a small model',
)
model = helper.make_model(
    graph, opset_imports=[helper.make_opsetid('', 17)], producer_name='sardonyx-tests', ir_version=8
)
helper.set_model_props(model, {'purpose': 'a test'})
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
options.optimized_model_filepath = 'small.ort'
options.add_session_config_entry('session.save_model_format', 'ORT')
onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])


class Small(tf.Module):
    def __init__(self):
        self.kernel = tf.Variable(np.arange(18, dtype=np.float32).reshape(3, 3, 1, 2) / 4 - 2)

    @tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 1], tf.float32)])
    def run(self, x):
        y = tf.nn.relu(tf.nn.conv2d(x, self.kernel, [1, 2, 2, 1], 'SAME'))
        y = tf.nn.max_pool2d(y, 2, 2, 'VALID')
        y = tf.cond(tf.reduce_sum(y) > 0, lambda: tf.nn.tanh(y), lambda: tf.nn.leaky_relu(y, 0.25))
        return tf.nn.softmax(tf.reshape(y, [-1, 8]))


small = Small()
converter = tf.lite.TFLiteConverter.from_concrete_functions([small.run.get_concrete_function()], small)
with open('small.tflite', 'wb') as file:
    file.write(converter.convert())
