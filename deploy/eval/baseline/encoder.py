"""The platform's embedding model in numpy: the same weights, so that a comparison is about everything else."""

import json
from pathlib import Path

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

BATCH = 16
MAX_TOKENS = 256


class Encoder:
    """A BERT encoder with mean pooling; vectors have length 1."""

    def __init__(self, folder: Path):
        config = json.loads((folder / "config.json").read_text())
        self.layers = config["num_hidden_layers"]
        self.heads = config["num_attention_heads"]
        self.epsilon = config["layer_norm_eps"]
        weights = load_file(folder / "model.safetensors")
        self.weights = {name.removeprefix("bert."): weight.astype(numpy.float32) for name, weight in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.tokenizer.no_padding()

    def embed(self, texts: list[str]) -> numpy.ndarray:
        """A row for each text. Texts of a similar length share a batch."""
        encodings = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        vectors = numpy.zeros((len(texts), self.weights["embeddings.word_embeddings.weight"].shape[1]), numpy.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors[batch] = self._forward([encodings[at].ids for at in batch])
        return vectors

    def _forward(self, batch: list[list[int]]) -> numpy.ndarray:
        longest = max(len(ids) for ids in batch)
        ids = numpy.array([row + [0] * (longest - len(row)) for row in batch])
        mask = numpy.array([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in batch], numpy.float32)
        weight = self.weights
        hidden = (
            weight["embeddings.word_embeddings.weight"][ids]
            + weight["embeddings.position_embeddings.weight"][:longest]
            + weight["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm(hidden, "embeddings.LayerNorm")
        bias = (1.0 - mask)[:, None, None, :] * numpy.float32(-1e9)
        for number in range(self.layers):
            hidden = self._layer(hidden, bias, f"encoder.layer.{number}")
        pooled = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return pooled / numpy.linalg.norm(pooled, axis=1, keepdims=True)

    def _layer(self, hidden, bias, name):
        rows, tokens, size = hidden.shape
        width = size // self.heads

        def heads(part):
            projected = self._linear(hidden, f"{name}.attention.self.{part}")
            return projected.reshape(rows, tokens, self.heads, width).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / numpy.float32(width**0.5) + bias
        scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        context = (scores / scores.sum(axis=-1, keepdims=True)) @ heads("value")
        context = context.transpose(0, 2, 1, 3).reshape(rows, tokens, size)
        hidden = self._norm(hidden + self._linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        inner = gelu(self._linear(hidden, f"{name}.intermediate.dense"))
        return self._norm(hidden + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _linear(self, hidden, name):
        return hidden @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, hidden, name):
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        deviation = numpy.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self.epsilon)
        return centred / deviation * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(value):
    """The tanh form, which differs from the exact one by less than a thousandth."""
    inner = numpy.float32(0.7978845608) * value * (1 + numpy.float32(0.044715) * value * value)
    return numpy.float32(0.5) * value * (1 + numpy.tanh(inner))
