export interface FactorProgress {
  /** Told how much of the numerical work is done, from 0 to 1, now and then. */
  onProgress?: (fraction: number) => void;
  /** Stops the work when it aborts: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** How long to work before giving way to others, in milliseconds. Default: 30. */
  slice?: number;
}

export interface FactorOptions extends FactorProgress {
  /**
   * In which order to eliminate. 'auto': minimum degree below 15,000 unknowns, above that nested dissection or minimum
   * degree, whichever causes less work. An array names the nodes (blocks) in their order. Default: 'auto'.
   */
  ordering?: 'auto' | 'minimum-degree' | 'nested-dissection' | 'natural' | Int32Array;
  /** Three coordinates per node (block): nested dissection then cuts across them. */
  points?: Float64Array;
  /** Unknowns that belong together, one after another. Default: 3 if the matrix is made of full 3×3 blocks, else 1. */
  blockSize?: number;
  /** Default: 'auto', which is 'wasm' where WebAssembly can be had. The results are the same. */
  kernels?: 'auto' | 'wasm' | 'ts';
  /** The most memory the factor may take. Default: what a wasm memory can have, 4 GiB less one page. */
  maximumBytes?: number;
}
