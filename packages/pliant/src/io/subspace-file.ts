import type { Body } from '../body/body.ts';
import type { GaugeKind } from '../cull/subspace/gauge.ts';
import { planeStride } from '../cull/subspace/pair-planes.ts';
import type { PairTree } from '../cull/subspace/pair-tree.ts';
import {
  hashOfModalBody,
  restoreSubspaceCertificate,
  type SubspaceBall,
  type SubspaceCertificate,
} from '../cull/subspace/subspace-certificate.ts';
import type { BlendHandles } from '../deform/handles.ts';
import { checkMade } from '../mesh/check-input.ts';
import { InputError } from '../mesh/input-error.ts';
import type { FileBytes } from './file-bytes.ts';
import {
  checkMadeFrom,
  readStored,
  type StoredArray,
  type StoredData,
  storedArray,
  writeStored,
} from './stored-file.ts';

const KIND = 'subspace-certificate';

/** A certificate as a file: version, hash of the body, checksums. */
export function writeSubspaceCertificate(certificate: SubspaceCertificate): Uint8Array {
  checkMade('certificate', certificate, 'prepareSubspaceCertificate', 'record', 'body');
  const { gauge, metric, planeMetric, tolerance, reach, balls, exceptions } = certificate.record;
  const arrays: Record<string, StoredArray> = { metric, planeMetric, exceptions };
  balls.forEach(({ centre, lower, upper, between, nearest, pairs }, k) => {
    Object.assign(arrays, { [`centre-${k}`]: centre, [`lower-${k}`]: lower, [`upper-${k}`]: upper });
    Object.assign(arrays, { [`between-${k}`]: between, [`nearest-${k}`]: nearest });
    for (const [name, values] of Object.entries(pairs)) arrays[`pair-${name}-${k}`] = values;
  });
  const counts = balls.map(({ limit, planeLimit, thickness, evaluations, cappedPairs, givenUp }) => ({
    limit: limit === Infinity ? null : limit,
    planeLimit: planeLimit === Infinity ? null : planeLimit,
    thickness,
    evaluations,
    cappedPairs,
    givenUp,
  }));
  const settings = {
    gauge,
    tolerance,
    reach: reach === undefined ? 'auto' : reach === Infinity ? null : reach,
    balls: counts,
  };
  return writeStored({ kind: KIND, madeFrom: hashOfModalBody(certificate.body), settings, arrays });
}

/** Errors as in `readStored`; 'mismatch' when it was made for another shape or other modes. */
export function readSubspaceCertificate(file: FileBytes, fileName: string, body: Body): SubspaceCertificate {
  const data = readStored(file, fileName, KIND);
  checkMadeFrom(data, fileName, hashOfModalBody(body), 'this body');
  const { gauge, tolerance, reach, balls } = data.settings as Record<string, unknown>;
  if (!Array.isArray(balls) || balls.length === 0 || typeof tolerance !== 'number') {
    throw new InputError('syntax', `${fileName}: the settings of this ${KIND} are not what they should be`);
  }
  const { nodeCount, order } = body.tree;
  const { modeCount } = body.deformer.handles as BlendHandles; // the hash is right
  const exceptions = storedArray(data, fileName, 'exceptions', 'uint32');
  checkSlots(fileName, 'exceptions', exceptions, order.length);
  return restoreSubspaceCertificate(body, {
    gauge: gauge as GaugeKind,
    metric: storedArray(data, fileName, 'metric', 'float64'),
    planeMetric: storedArray(data, fileName, 'planeMetric', 'float64'),
    tolerance,
    reach: typeof reach === 'number' ? reach : reach === null ? Infinity : undefined,
    exceptions,
    balls: balls.map((counts: StoredCounts, k): SubspaceBall => {
      const nearest = storedArray(data, fileName, `nearest-${k}`, 'uint32', 2 * nodeCount);
      checkSlots(fileName, `nearest-${k}`, nearest, order.length);
      return {
        centre: storedArray(data, fileName, `centre-${k}`, 'float64'),
        lower: storedArray(data, fileName, `lower-${k}`, 'float32', nodeCount),
        upper: storedArray(data, fileName, `upper-${k}`, 'float64', nodeCount),
        between: storedArray(data, fileName, `between-${k}`, 'float32', nodeCount),
        nearest,
        pairs: readPairs(data, fileName, k, nodeCount, order.length, modeCount),
        limit: readLimit(counts?.limit),
        planeLimit: readLimit(counts?.planeLimit),
        thickness: Number(counts?.thickness ?? 0), // 0 proves nothing
        evaluations: Number(counts?.evaluations ?? 0),
        cappedPairs: Number(counts?.cappedPairs ?? 0),
        givenUp: Number(counts?.givenUp ?? 0),
      };
    }),
  });
}

interface StoredLimits {
  readonly limit: number | null;
  readonly planeLimit: number | null;
}

type StoredCounts = Partial<Omit<SubspaceBall, keyof StoredLimits> & StoredLimits> | undefined;

/** 0, which proves nothing, when there is none. */
function readLimit(stored: number | null | undefined): number {
  return stored === null ? Infinity : Number(stored ?? 0);
}

function readPairs(
  data: StoredData,
  fileName: string,
  k: number,
  nodes: number,
  slots: number,
  modes: number,
): PairTree {
  const a = storedArray(data, fileName, `pair-a-${k}`, 'uint32');
  const { length } = a;
  const b = storedArray(data, fileName, `pair-b-${k}`, 'uint32', length),
    next = storedArray(data, fileName, `pair-next-${k}`, 'uint32', length),
    exceptionAt = storedArray(data, fileName, `pair-exceptionAt-${k}`, 'uint32');
  const exceptions = storedArray(data, fileName, `pair-exceptions-${k}`, 'uint32', 2 * exceptionAt.length);
  checkSlots(fileName, `pair-exceptions-${k}`, exceptions, slots);
  for (let p = 0; p < length; p++) {
    if (a[p] < nodes && b[p] < nodes && next[p] > p && next[p] <= length) continue;
    throw new InputError('index-out-of-range', `${fileName}: pair ${p} of ball ${k} leads nowhere`);
  }
  const radius = storedArray(data, fileName, `pair-radius-${k}`, 'float32', length);
  const planes = storedArray(data, fileName, `pair-planes-${k}`, 'float32', planeStride(modes) * length);
  return { a, b, radius, next, exceptions, exceptionAt, planes };
}

function checkSlots(fileName: string, name: string, slots: Uint32Array, count: number): void {
  const k = slots.findIndex((slot) => slot >= count);
  if (k < 0) return;
  throw new InputError(
    'index-out-of-range',
    `${fileName}: ${name}[${k}] is ${slots[k]} of ${count} triangles`,
  );
}
