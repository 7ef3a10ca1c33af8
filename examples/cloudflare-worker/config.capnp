using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .digits)],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const digits :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "index.js", esModule = embed "dist/index.js"),
    (name = "sardonyx.simd.wasm", wasm = embed "dist/sardonyx.simd.wasm"),
    (name = "model.onnx", data = embed "dist/model.onnx"),
  ],
);
