"""A decoder in Llama's layout: RMS norm, rotary embedding, grouped queries, SiLU gate, tied embedding, no biases."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Shape:
    vocabulary: int = 2048
    context: int = 256
    width: int = 256
    layers: int = 6
    heads: int = 4
    key_heads: int = 2
    hidden: int = 576
    rotary_base: float = 10000.0
    norm_epsilon: float = 1e-5

    @property
    def head_size(self):
        return self.width // self.heads


class Norm(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(shape.width))
        self.epsilon = shape.norm_epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotary_tables(shape):
    """Cosines and sines [context, head size / 2]."""
    frequencies = shape.rotary_base ** -(torch.arange(0, shape.head_size, 2).double() / shape.head_size)
    angles = torch.outer(torch.arange(shape.context).double(), frequencies)
    return angles.cos().float(), angles.sin().float()


def rotated(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        keys = shape.key_heads * shape.head_size
        self.q_proj = nn.Linear(shape.width, shape.width, bias=False)
        self.k_proj = nn.Linear(shape.width, keys, bias=False)
        self.v_proj = nn.Linear(shape.width, keys, bias=False)
        self.o_proj = nn.Linear(shape.width, shape.width, bias=False)

    def forward(self, x, cos, sin, mask):
        batch, length, _ = x.shape
        size, groups = self.shape.head_size, self.shape.key_heads
        q = rotated(self.q_proj(x).view(batch, length, -1, size).transpose(1, 2), cos, sin)
        k = rotated(self.k_proj(x).view(batch, length, groups, size).transpose(1, 2), cos, sin)
        v = self.v_proj(x).view(batch, length, groups, size).transpose(1, 2)
        # The queries of a group are adjacent rows, so their keys need not be repeated.
        q = q.reshape(batch, groups, -1, size) * size**-0.5
        scores = (q @ k.transpose(-1, -2)).view(batch, groups, -1, length, length) + mask
        mixed = scores.softmax(-1).view(batch, groups, -1, length) @ v
        return self.o_proj(mixed.view(batch, -1, length, size).transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.gate_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down_proj = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, shape, dropout):
        super().__init__()
        self.input_layernorm = Norm(shape)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape)
        self.mlp = FeedForward(shape)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, cos, sin, mask):
        x = x + self.dropout(self.self_attn(self.input_layernorm(x), cos, sin, mask))
        return x + self.dropout(self.mlp(self.post_attention_layernorm(x)))


class Decoder(nn.Module):
    def __init__(self, shape, dropout=0.0):
        super().__init__()
        self.shape = shape
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.norm = Norm(shape)
        self.dropout = nn.Dropout(dropout)
        for name, table in zip(("cos", "sin"), rotary_tables(shape)):
            self.register_buffer(name, table, persistent=False)
        causal = torch.full((shape.context, shape.context), float("-inf")).triu(1)
        self.register_buffer("causal", causal, persistent=False)
        self.start()

    def start(self):
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                deep = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(parameter, std=0.02 / (2 * self.shape.layers) ** 0.5 if deep else 0.02)

    def forward(self, ids):
        length = ids.shape[1]
        x = self.dropout(self.embed_tokens(ids))
        for layer in self.layers:
            x = layer(x, self.cos[:length], self.sin[:length], self.causal[:length, :length])
        return F.linear(self.norm(x), self.embed_tokens.weight)
