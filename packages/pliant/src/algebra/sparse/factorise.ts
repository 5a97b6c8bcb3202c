import { describe } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { analyse } from './analysis.ts';
import { entryTargets } from './entry-targets.ts';
import { createFactorKernels } from './factor-kernels.ts';
import { layOut, writeTables } from './factor-memory.ts';
import type { FactorOptions } from './factor-options.ts';
import { SparseFactor } from './sparse-factor.ts';
import { checkSymmetricMatrix, type SymmetricMatrix } from './symmetric-matrix.ts';

/**
 * The Cholesky factor of a symmetric positive definite matrix, in a memory of its own: `dispose` lets it go. Throws
 * NotPositiveDefinite, InputError ('too-large' when it would not fit, before anything is allocated), or the signal's
 * reason. The matrix is not kept.
 */
export async function factoriseSparse(
  matrix: SymmetricMatrix,
  options: FactorOptions = {},
): Promise<SparseFactor> {
  const { kernels: choice = 'auto', maximumBytes, signal } = options;
  checkSymmetricMatrix(matrix);
  checkOptions(options);
  signal?.throwIfAborted();
  const analysis = analyse(matrix, options);
  const layout = layOut(analysis, maximumBytes);
  const kernels = await createFactorKernels(choice, layout.bytes);
  signal?.throwIfAborted();
  writeTables(kernels.buffer, layout, analysis);
  const target = entryTargets(matrix, analysis);
  const factor = new SparseFactor(analysis, layout, target, matrix.start.slice(0, matrix.size), kernels);
  await factor.refactor(matrix.value, options);
  return factor;
}

function checkOptions({ kernels, slice, maximumBytes, signal }: FactorOptions): void {
  if (kernels !== undefined && kernels !== 'auto' && kernels !== 'wasm' && kernels !== 'ts')
    throw new InputError('bad-option', `kernels must be auto, wasm or ts, not ${describe(kernels)}`);
  if (slice !== undefined && !(slice > 0))
    throw new InputError('bad-option', `slice must be more than 0 milliseconds, not ${slice}`);
  if (maximumBytes !== undefined && !(maximumBytes > 0))
    throw new InputError('bad-option', `maximumBytes must be more than 0, not ${maximumBytes}`);
  if (signal !== undefined && typeof signal?.aborted !== 'boolean')
    throw new InputError('bad-option', `signal must be an AbortSignal, not ${describe(signal)}`);
}
