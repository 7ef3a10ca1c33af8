declare module '*.onnx?url' {
  const address: string;
  export default address;
}
